/** The same reads on a long chain and on a short one, its beginning: their cost must not grow with the chain. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { type LocalNode, startNode } from "../../local-node.ts";
import { figureCells, figuresOf } from "./load-figures.ts";
import { LongChain, longChainNetwork } from "./long-chain.ts";
import type { LoadRequest, LoadResult, RequestLoad } from "./request-load.ts";

export interface ChainComparisonOptions {
  /** Folder of the chain and the nodes' data, created if missing. */
  readonly folder: string;
  /** Height of the long chain. */
  readonly blocks: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connectionCounts: readonly number[];
  readonly isSelected: (row: string) => boolean;
  readonly log: (text: string) => void;
}

/** Height of the short chain. */
const shortHeight = 1_000;
/** Sampled blocks all over a chain; their transactions and accounts are read, too. */
const sampledBlocks = 1_000;
const warmUpMs = 300;
const progressMs = 15_000;
/** Allowed cost of a read on the long chain, relative to the short one. */
const allowedRatio = 1.2;

/** @returns rows of a table, its header first */
export async function compareChains(load: RequestLoad, order: ChainComparisonOptions): Promise<string[][]> {
  const heights = [shortHeight, order.blocks];
  const chain = new LongChain(order.blocks);
  await makeFiles(chain, order);
  const nodes: LocalNode[] = [];
  try {
    for (const height of heights) nodes.push(await nodeAt(height, order));
    const rows = heights.map((height) => rowsOf(chain, height));
    const names = Object.keys(rows[0] ?? {}).filter(order.isSelected);
    const shown = [["", "connections", ...heights.flatMap((height) => [`${height}: /s`, "p50", "p99"]), "p50 x", ""]];
    for (const name of names)
      for (const connections of order.connectionCounts) {
        order.log(`${name}, ${connections} connections`);
        const outcomes = nodes.map((): LoadResult[] => []);
        for (let round = -1; round < order.rounds; round++)
          for (const [index, node] of nodes.entries()) {
            // The first round is a warm-up.
            const durationMs = round < 0 ? warmUpMs : order.seconds * 1_000;
            const result = await load.run(node.url, rows[index]?.[name] ?? [], { connections, durationMs });
            if (result.errors > 0) order.log(`${result.errors} errors, such as ${result.errorText}`);
            if (round >= 0) outcomes[index]?.push(result);
          }
        const figures = outcomes.map(figuresOf);
        const grown = (figures[1]?.p50Ms ?? Number.NaN) / (figures[0]?.p50Ms ?? Number.NaN);
        const verdict = grown <= allowedRatio ? "holds" : "does not hold";
        shown.push([name, String(connections), ...figures.flatMap(figureCells), grown.toFixed(2), verdict]);
      }
    return shown;
  } finally {
    for (const node of nodes) await node.stop();
  }
}

async function makeFiles(chain: LongChain, { folder, log }: ChainComparisonOptions): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(networkFile(folder), JSON.stringify(longChainNetwork()));
  const startedMs = performance.now();
  await chain.write(blockFile(folder), (height) =>
    log(`made ${height} of ${chain.height} blocks in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`),
  );
}

/** A node with the chain up to the height, imported as a user does; the imported data stay for the next run. */
async function nodeAt(height: number, { folder, log }: ChainComparisonOptions): Promise<LocalNode> {
  const data = path.join(folder, `data-${height}`);
  const doneFile = `${data}.imported`;
  const start = ["--network", networkFile(folder), "--data", data, "--no-mining", "--quiet"];
  const importing = ["--import", blockFile(folder), "--to-height", String(height)];
  const started = await startNode(existsSync(doneFile) ? start : [...start, ...importing]);
  const timer = setInterval(() => log(`importing: ${started.output().trim().split("\n").at(-1)}`), progressMs);
  try {
    const node = await started.ready();
    writeFileSync(doneFile, "");
    return node;
  } finally {
    clearInterval(timer);
  }
}

const networkFile = (folder: string): string => path.join(folder, "network.json");
const blockFile = (folder: string): string => path.join(folder, "blocks.bin");

/** Requests by name: for the same item each time, or for items all over the chain. */
function rowsOf(chain: LongChain, height: number): Readonly<Record<string, readonly LoadRequest[]>> {
  const random = new SeededRandom(`questions about ${height}`);
  const heights = Array.from({ length: sampledBlocks }, () => random.between(3, height));
  const sampled = heights.map((each) => random.pick(chain.transactionsAt(each)) as TransferTransaction);
  const addresses = sampled.map(({ recipient }) => {
    if (recipient.kind !== "address") throw new Error("a transfer of this chain goes to an address");
    return addressText(recipient.address);
  });
  const paths = (all: readonly string[]): readonly LoadRequest[] => all.map((each) => ({ path: each }));
  const call = JSON.stringify({ call: { function: "quote", args: [{ type: "integer", value: 100 }] } });
  return {
    height: paths(["/blocks/height"]),
    balance: paths([`/addresses/balance/${chain.address}`]),
    balances: paths(addresses.map((address) => `/addresses/balance/${address}`)),
    "data key": paths([`/addresses/data/${chain.dApp}/rate`]),
    "transaction info": paths([`/transactions/info/${encodeBase58((sampled[0] as TransferTransaction).id)}`]),
    "transaction infos": paths(sampled.map(({ id }) => `/transactions/info/${encodeBase58(id)}`)),
    "asset details": paths([`/assets/details/${chain.assetId}`]),
    "last block": paths(["/blocks/last"]),
    block: paths([`/blocks/at/${heights[0]}`]),
    blocks: paths(heights.map((each) => `/blocks/at/${each}`)),
    list: paths([`/transactions/address/${chain.address}/limit/100`]),
    lists: paths(chain.addresses.map((address) => `/transactions/address/${address}/limit/100`)),
    evaluate: [{ path: `/utils/script/evaluate/${chain.dApp}`, body: call }],
  };
}
