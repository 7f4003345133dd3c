/**
 * `--fork URL[@height]`: the chain that a fork continues. The first start queries the source node and stores its
 * responses beside the state; later starts use those, whether or not the node responds.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { base58 } from "@scure/base";
import { remoteBlockRow } from "../../durable/chain-state/fork/remote-header.ts";
import { RemoteNode, RemoteNodeError, type RemoteRequest } from "../../durable/chain-state/fork/remote-node.ts";
import {
  activationResponse,
  genesisResponse,
  headerResponse,
  heightResponse,
  parseResponse,
  rewardsResponse,
} from "../../durable/chain-state/fork/remote-responses.ts";
import { implementedFeatures } from "../../src/network/features.ts";
import { forkSettings, forkWalletSeedText } from "../../src/network/fork-settings.ts";
import { type ForkSource, parseForkSource } from "../../src/network/fork-source.ts";
import { UsageError } from "../cli/usage-error.ts";
import { chainIdentity, chooseNetwork, type NetworkChoice } from "./network-choice.ts";

/** Blocks above the newest one that a fork starts from: the tip may still grow or be replaced. */
const BLOCKS_ABOVE = 1;
/** Names of the public networks, by their chain ids. */
const networksByChainId: ReadonlyMap<number, string> = new Map([
  [0x57, "mainnet"],
  [0x54, "testnet"],
  [0x53, "stagenet"],
]);
const SOURCE_FILE = "fork.json";

export interface ForkFlag {
  /** URL of the source node, without a trailing slash. */
  readonly url: string;
  /** Undefined: the newest block that has another above it. */
  readonly height: number | undefined;
}

export interface ChosenFork {
  readonly network: NetworkChoice;
  readonly source: ForkSource;
  /** Messages for the operator. */
  readonly messages: readonly string[];
}

export interface ChooseForkOptions {
  readonly flag: string;
  /** Value of `--network`, if given. */
  readonly network: string | undefined;
  /** Directory of a chain's state; undefined: the state is not stored. */
  readonly directoryOf: (folderName: string) => string | undefined;
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

/** @throws UsageError when the node does not respond, or this release cannot follow its chain */
export async function chooseFork({
  flag,
  network,
  directoryOf,
  fetch: ask = fetch,
}: ChooseForkOptions): Promise<ChosenFork> {
  const wanted = parseForkFlag(flag);
  const remote = new RemoteNode({ url: wanted.url, fetch: (url, init) => ask(url, init), pause: (ms) => pause(ms) });
  const digest = createHash("sha256")
    .update(`${wanted.url}@${wanted.height ?? ""}`)
    .digest("hex")
    .slice(0, 12);
  const folderName = `fork-${digest}`;
  const place = directoryOf(folderName);
  try {
    const kept = place === undefined ? undefined : findStoredSource(place, wanted);
    const source = kept ?? (await newSource(remote, wanted, network));
    const sentences = [
      `fork: goes on from block ${source.height} of ${source.url}`,
      source.isExact
        ? "fork: what has changed behind it since that height is refused where it can be told"
        : "fork: what has changed behind it since that height is taken as it is now, and named here",
      ...(kept === undefined ? [] : await comparedWith(remote, source)),
    ];
    return { network: await forkNetwork(source, network, folderName), source, messages: sentences };
  } catch (error) {
    if (error instanceof RemoteNodeError) throw new UsageError(`--fork ${flag}: ${error.message}.`);
    throw error;
  }
}

/** Stores the source of a fork; to be called once the directory is locked. */
export function storeSource(place: string, source: ForkSource): void {
  const file = path.join(place, SOURCE_FILE);
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(source)}\n`);
}

/** @returns undefined when the directory holds no fork @throws UsageError when it holds another fork */
function findStoredSource(place: string, { url, height }: ForkFlag): ForkSource | undefined {
  const file = path.join(place, SOURCE_FILE);
  if (!existsSync(file)) return undefined;
  const source = parseForkSource(readFileSync(file, "utf8"));
  if (source.url === url && (height === undefined ? !source.isExact : source.isExact && source.height === height))
    return source;
  throw new UsageError(`${place} holds a fork of ${source.url} at height ${source.height}: give another --data.`);
}

/**
 * Checks that the source node still has the block that the fork continues.
 * @returns messages for the operator
 * @throws UsageError when it has another block at that height
 */
async function comparedWith(remote: RemoteNode, source: ForkSource): Promise<readonly string[]> {
  try {
    const question = { path: `/blocks/headers/at/${source.height}` };
    const { id, signature } = parseResponse(headerResponse, question, await remote.request(question));
    if (base58.encode(id ?? signature) === source.blockId) return [];
    throw new UsageError(
      `${source.url} has another block at height ${source.height} now: what the fork has was taken back there. Remove its state, or give another --data.`,
    );
  } catch (error) {
    if (!(error instanceof RemoteNodeError)) throw error;
    return [`fork: ${error.message}: what was read before is served`];
  }
}

/** @throws RemoteNodeError, UsageError */
async function newSource(remote: RemoteNode, { url, height: wanted }: ForkFlag, network?: string): Promise<ForkSource> {
  const read = async <Answer>(schema: Parameters<typeof parseResponse<Answer>>[0], request: RemoteRequest) =>
    parseResponse(schema, request, await remote.request(request));
  const { height: tip } = await read(heightResponse, { path: "/blocks/height" });
  const height = wanted ?? Math.max(tip - BLOCKS_ABOVE, 1);
  if (height < 1 || height > tip)
    throw new UsageError(`--fork: ${url} is at height ${tip}, and has no block ${height}.`);
  const headerQuestion = { path: `/blocks/headers/at/${height}` };
  const response = await remote.request(headerQuestion);
  const header = parseResponse(headerResponse, headerQuestion, response);
  const { features, votingInterval, votingThreshold } = await read(activationResponse, { path: "/activation/status" });
  const { transactions } = await read(genesisResponse, { path: "/blocks/at/1" });
  const rewardsQuestion = { path: `/blockchain/rewards/${height}` };
  const rewardsReply = await remote.request(rewardsQuestion);
  // Before feature 14 there are no rewards.
  const rewards =
    rewardsReply.status === 200 ? parseResponse(rewardsResponse, rewardsQuestion, rewardsReply) : undefined;
  const source: ForkSource = {
    url,
    height,
    isExact: wanted !== undefined,
    chainId: header.generator[1] as number,
    features: features.flatMap(({ id, activationHeight }): [number, number][] =>
      activationHeight === undefined ? [] : [[id, activationHeight]],
    ),
    header: response.text,
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
  // A header that cannot be rebuilt fails the start, and not only the first block.
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
