/**
 * `--fork URL[@height]`: which chain a fork goes on from. The first start asks the node behind it, and keeps what it was told
 * beside the state; later starts go by that, whether or not the node answers.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { base58 } from "@scure/base";
import { remoteBlockRow } from "../../durable/chain-state/fork/remote-header.ts";
import { RemoteFault, RemoteNode, type RemoteQuestion } from "../../durable/chain-state/fork/remote-node.ts";
import {
  activationAnswer,
  genesisAnswer,
  headerAnswer,
  heightAnswer,
  readAnswer,
  rewardsAnswer,
} from "../../durable/chain-state/fork/remote-responses.ts";
import { implementedFeatures } from "../../src/network/features.ts";
import { forkSettings, forkWalletSeedText } from "../../src/network/fork-settings.ts";
import { type ForkSource, parseForkSource } from "../../src/network/fork-source.ts";
import { UsageError } from "../cli/usage-error.ts";
import { chainIdentity, chooseNetwork, type NetworkChoice } from "./network-choice.ts";

/** A block that has no other above it may still grow, or be replaced. */
const BLOCKS_ABOVE = 1;
/** Names of the public networks, by their chain ids. */
const networksByChainId: ReadonlyMap<number, string> = new Map([
  [0x57, "mainnet"],
  [0x54, "testnet"],
  [0x53, "stagenet"],
]);
const SOURCE_FILE = "fork.json";

export interface ForkFlag {
  /** Without a slash at its end. */
  readonly url: string;
  /** Undefined: the newest block that others stand on. */
  readonly height: number | undefined;
}

export interface ForkChoice {
  readonly network: NetworkChoice;
  readonly source: ForkSource;
  /** What the operator should know of it. */
  readonly sentences: readonly string[];
}

export interface ForkChoiceFacts {
  readonly flag: string;
  /** Value of `--network` where it was given. */
  readonly network: string | undefined;
  /** Where the state of a chain is kept; undefined: nowhere. */
  readonly placeOf: (folderName: string) => string | undefined;
  readonly fetch?: typeof fetch;
}

/** @throws UsageError */
export function parseForkFlag(flag: string): ForkFlag {
  const [, address = "", height] = /^(.*?)(?:@(\d{1,9}))?$/.exec(flag) ?? [];
  if (!URL.canParse(address) || !/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(address))
    throw new UsageError(
      `--fork wants the URL of a node, and a height behind @ where it is to be one, but got ${JSON.stringify(flag)}.`,
    );
  return { url: address.replace(/\/+$/, ""), height: height === undefined ? undefined : Number(height) };
}

/** @throws UsageError: the node does not answer, or its chain is none that this release follows */
export async function chooseFork({ flag, network, placeOf, fetch: ask = fetch }: ForkChoiceFacts): Promise<ForkChoice> {
  const wanted = parseForkFlag(flag);
  const remote = new RemoteNode({ url: wanted.url, fetch: (url, init) => ask(url, init), pause: (ms) => pause(ms) });
  const digest = createHash("sha256")
    .update(`${wanted.url}@${wanted.height ?? ""}`)
    .digest("hex")
    .slice(0, 12);
  const folderName = `fork-${digest}`;
  const place = placeOf(folderName);
  try {
    const kept = place === undefined ? undefined : keptSource(place, wanted);
    const source = kept ?? (await newSource(remote, wanted, network));
    const sentences = [
      `fork: goes on from block ${source.height} of ${source.url}`,
      source.isExact
        ? "fork: what has changed behind it since that height is refused where it can be told"
        : "fork: what has changed behind it since that height is taken as it is now, and named here",
      ...(kept === undefined ? [] : await comparedWith(remote, source)),
    ];
    return { network: await forkNetwork(source, network, folderName), source, sentences };
  } catch (error) {
    if (error instanceof RemoteFault) throw new UsageError(`--fork ${flag}: ${error.message}.`);
    throw error;
  }
}

/** To be called once the directory is ours. */
export function keepSource(place: string, source: ForkSource): void {
  const file = path.join(place, SOURCE_FILE);
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(source)}\n`);
}

/** @throws UsageError where the directory holds another fork */
function keptSource(place: string, { url, height }: ForkFlag): ForkSource | undefined {
  const file = path.join(place, SOURCE_FILE);
  if (!existsSync(file)) return undefined;
  const source = parseForkSource(readFileSync(file, "utf8"));
  if (source.url === url && (height === undefined ? !source.isExact : source.isExact && source.height === height))
    return source;
  throw new UsageError(`${place} holds a fork of ${source.url} at height ${source.height}: give another --data.`);
}

/** Whether the node behind the fork still has the block that the fork goes on from. @throws UsageError */
async function comparedWith(remote: RemoteNode, source: ForkSource): Promise<readonly string[]> {
  try {
    const question = { path: `/blocks/headers/at/${source.height}` };
    const { id, signature } = readAnswer(headerAnswer, question, await remote.ask(question));
    if (base58.encode(id ?? signature) === source.blockId) return [];
    throw new UsageError(
      `${source.url} has another block at height ${source.height} now: what the fork has was taken back there. Remove its state, or give another --data.`,
    );
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    return [`fork: ${error.message}: what was read before is served`];
  }
}

/** @throws RemoteFault, UsageError */
async function newSource(remote: RemoteNode, { url, height: wanted }: ForkFlag, network?: string): Promise<ForkSource> {
  const read = async <Answer>(schema: Parameters<typeof readAnswer<Answer>>[0], question: RemoteQuestion) =>
    readAnswer(schema, question, await remote.ask(question));
  const { height: tip } = await read(heightAnswer, { path: "/blocks/height" });
  const height = wanted ?? Math.max(tip - BLOCKS_ABOVE, 1);
  if (height < 1 || height > tip)
    throw new UsageError(`--fork: ${url} is at height ${tip}, and has no block ${height}.`);
  const headerQuestion = { path: `/blocks/headers/at/${height}` };
  const reply = await remote.ask(headerQuestion);
  const header = readAnswer(headerAnswer, headerQuestion, reply);
  const { features, votingInterval, votingThreshold } = await read(activationAnswer, { path: "/activation/status" });
  const { transactions } = await read(genesisAnswer, { path: "/blocks/at/1" });
  const rewardsQuestion = { path: `/blockchain/rewards/${height}` };
  const rewardsReply = await remote.ask(rewardsQuestion);
  // Before feature 14 there are none.
  const rewards = rewardsReply.status === 200 ? readAnswer(rewardsAnswer, rewardsQuestion, rewardsReply) : undefined;
  const source: ForkSource = {
    url,
    height,
    isExact: wanted !== undefined,
    chainId: header.generator[1] as number,
    features: features.flatMap(({ id, activationHeight }): [number, number][] =>
      activationHeight === undefined ? [] : [[id, activationHeight]],
    ),
    header: reply.text,
    blockId: base58.encode(header.id ?? header.signature),
    genesis: {
      timestampMs: String(transactions[0]?.timestamp ?? 0n),
      transactions: transactions.map(({ recipient, amount }) => ({ recipient, amount: String(amount) })),
    },
    periods: {
      featureVotes: votingInterval,
      featureThreshold: votingThreshold,
      reward: rewards
        ? {
            term: rewards.term,
            votes: rewards.votingInterval,
            minIncrement: String(rewards.minIncrement),
            daoAddress: rewards.daoAddress ?? null,
            xtnBuybackAddress: rewards.xtnBuybackAddress ?? null,
          }
        : null,
    },
    wavesAmount: String(rewards?.totalWavesAmount ?? transactions.reduce((sum, { amount }) => sum + amount, 0n)),
  };
  const unknown = source.features.filter(([id, from]) => from <= height + 1 && !implementedFeatures.has(id));
  if (unknown.length > 0) {
    const ids = unknown.map(([id]) => id).join(", ");
    throw new UsageError(`--fork: ${url} has features in force that are not in this version: ${ids}.`);
  }
  // A header that cannot be made again ends the start, not the first block.
  remoteBlockRow(header, (await forkNetwork(source, network, "")).settings.blockchain);
  return source;
}

async function forkNetwork(source: ForkSource, given: string | undefined, folderName: string): Promise<NetworkChoice> {
  const base = await chooseNetwork(given ?? networksByChainId.get(source.chainId) ?? "private");
  const named = networksByChainId.get(base.settings.blockchain.chainId);
  if (given !== undefined && named !== networksByChainId.get(source.chainId))
    throw new UsageError(`--network ${given} is not the network behind the fork, whose chain id is ${source.chainId}.`);
  const settings = forkSettings(base.settings, source);
  const walletSeed = base58.encode(new TextEncoder().encode(forkWalletSeedText));
  return { settings, binding: base.binding, walletSeed, chain: `fork-${chainIdentity(settings)}`, folderName };
}
