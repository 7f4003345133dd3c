/**
 * `npm run bench -- block-memory [--entries N] [--most-megabytes N]`: memory that a peer's block full of data entries
 * takes while it is validated and written, above the process's earlier memory, and the part that stays. Every garbage
 * collection is a full one, so that only memory in use counts. Exit code 1 above the bound.
 */
import { parseArgs } from "node:util";
import { GCProfiler, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { PeerCalls } from "../../durable/chain-state/peers/peer-calls.ts";
import { PeerCount } from "../../durable/chain-state/peers/peer-count.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import type { DataTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { headerAt } from "../../src/rules/consensus/next-block.ts";
import { signedBy } from "../../test/support/builders/signed-by.ts";
import { richKey } from "../../test/support/builders/signed-transfer.ts";
import { BlockForger } from "../chain-generator/block-forger.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import { printTable } from "./parts/print-table.ts";

const OF_TRANSACTION = 100;
const FEE = 200_000n;
/** Characters of printable ASCII without `?`. */
const ALPHABET = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((one) => one !== "?");
const { values } = parseArgs({ options: { "most-megabytes": { type: "string", default: "100" } } });
const mostMegabytes = Number(values["most-megabytes"]);
if (!(mostMegabytes > 0)) throw new Error("--most-megabytes expects a number");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const { blockchain } = privateNetwork;
printTable([
  ["entries", "MB", "before", "at most", "more", "stays", "s"],
  await measured("90,000", { transactions: 900, keyOf: shortKey }),
  await measured("89,000 with ? in their keys", { transactions: 890, keyOf: (number) => `?${shortKey(number)}` }),
]);

interface DataBlock {
  readonly transactions: number;
  readonly keyOf: (entry: number) => string;
}

async function measured(name: string, made: DataBlock): Promise<string[]> {
  const node = new SimulatedNode({ blockchain, startMs: Number(blockchain.genesis.blockTimestampMs) });
  node.mineTo(3);
  node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 1_000_000_000;
  const calls = new PeerCalls({ node: node.node, count: new PeerCount(() => node.nowMs), nowMs: () => node.nowMs });
  const blocks = blockOf(node, made);
  const before = inUse();
  setFlagsFromString("--gc-global");
  const profiler = new GCProfiler();
  const startedMs = performance.now();
  profiler.start();
  for (;;) {
    const result = await calls.applyBlock({ blocks, verified: "" });
    if (result === "unfinished") continue;
    if (result.kind !== "applied") throw new Error(JSON.stringify(result));
    break;
  }
  const { statistics } = profiler.stop();
  setFlagsFromString("--no-gc-global");
  const seconds = (performance.now() - startedMs) / 1_000;
  const after = inUse();
  const most = Math.max(
    ...statistics.map(({ afterGC: { heapStatistics } }) => heapStatistics.usedHeapSize + heapStatistics.externalMemory),
  );
  if (most - before > mostMegabytes * 2 ** 20) process.exitCode = 1;
  return [name, ...[blocks.length, before, most, most - before, after - before].map(megabytes), seconds.toFixed(1)];
}

/** Encoded block, as in a block file. Its transactions do not stay in memory. */
function blockOf(node: SimulatedNode, { transactions: count, keyOf }: DataBlock): Uint8Array {
  const { timestamp } = node.chain.stored.tip();
  const transactions = Array.from({ length: count }, (_, transaction) =>
    signedBy(
      richKey,
      buildTransaction({
        ...{ type: TransactionType.Data, version: 2, chainId: blockchain.chainId, sender: richKey.publicKey },
        data: Array.from({ length: OF_TRANSACTION }, (__, entry) => ({
          key: keyOf(transaction * OF_TRANSACTION + entry),
          value: { type: "boolean", value: true },
        })),
        ...{ feeAsset: null, fee: FEE, timestamp: timestamp + BigInt(transaction), proofs: [] },
      }) as DataTransaction,
    ),
  );
  const block = new BlockForger(secureRandomBytes).valid(node.chain, { key: richKey, transactions });
  return encodeBlockRecord(encodeBlock(block, blockchain.chainId));
}

function shortKey(number: number): string {
  const { length } = ALPHABET;
  return [number, Math.floor(number / length), Math.floor(number / length ** 2)]
    .map((at) => ALPHABET[at % length])
    .join("");
}

function inUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
