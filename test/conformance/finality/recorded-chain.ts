/** Recorded chains with deterministic finality, made by Go nodes. */

import type { Chain } from "../../../durable/chain/open-chain.ts";
import { openChain } from "../../../durable/chain/open-chain.ts";
import { StateStore } from "../../../durable/state/state-store.ts";
import { type NodeDatabase, stateDatabase } from "../../../scripts/tools/sqlite/node-database.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { parseNetwork, parseSettingsJson } from "../../../src/network/parse-network.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { fixtureBytes, recordsOf } from "../../protocol/recorded-blocks.ts";
import { fixtureText, recordedTexts } from "../../recorded-lines.ts";

/** Amounts in wavelets, as text. */
export interface RecordedBalances {
  readonly regular: string;
  readonly generating: string;
  readonly available: string;
  readonly effective: string;
  readonly leaseIn: string;
  readonly leaseOut: string;
}

/** Member of a generator set, at the position of its index. */
export interface RecordedGenerator {
  readonly index: number;
  readonly address: string;
  readonly publicKey: string;
  readonly blsPublicKey: string;
  /** Effective weight in the block, wavelets as text; 0 for a member that is too poor or banned. */
  readonly balance: string;
  readonly banned: boolean;
  readonly conflictHeight?: number;
  readonly transactionId: string;
}

/** State of a chain whose tip is at the height. */
export interface RecordedState {
  readonly height: number;
  readonly blockId: string;
  readonly finalizedHeight: number;
  readonly generators: readonly RecordedGenerator[];
  /** Response of `/debug/stateHash/{height}`, without the version. */
  readonly stateHash: Readonly<Record<string, string | number>>;
  /** Balances by name of account; an account that never had any is missing. */
  readonly balances: Readonly<Record<string, RecordedBalances>>;
}

export interface RecordedVoting {
  readonly endorserIndexes?: readonly number[];
  readonly finalizedHeight?: number;
  readonly aggregatedEndorsementSignature?: string;
  readonly conflictEndorsements?: readonly { readonly endorserIndex: number; readonly finalizedHeight: number }[];
}

export interface RecordedHeight extends RecordedState {
  readonly generator: string;
  readonly finalizationVoting: RecordedVoting | null;
  /** Absent before feature 25. */
  readonly periodStart?: number;
  readonly nextPeriodStart?: number;
  readonly snapshotStateHash: string;
}

export interface RecordedAccount {
  readonly name: string;
  readonly address: string;
}

export interface FinalityRecording {
  readonly network: NetworkSettings;
  /** Accounts of the genesis block, and recipients of a share of each reward. */
  readonly accounts: readonly RecordedAccount[];
  /** Blocks from height 2. */
  readonly blocks: readonly Uint8Array[];
  /** States from height 1. */
  readonly heights: readonly RecordedHeight[];
}

export const recordingNames = ["finality-a", "finality-window", "finality-late"] as const;
export type RecordingName = (typeof recordingNames)[number];

/** Timeout for appending a whole recording, ms: it takes some seconds, and more on a busy machine. */
export const patienceMs = 180_000;

/** Members with amounts, which exceed 2^53. */
const amounts = /"(regular|generating|available|effective|leaseIn|leaseOut|balance)":(\d+)/g;

/** Lines of a recording, with amounts as text. */
export function linesWithAmounts<Line>(path: string): Line[] {
  return recordedTexts(path).map((text) => JSON.parse(text.replaceAll(amounts, '"$1":"$2"')) as Line);
}

export function readFinalityRecording(name: RecordingName): FinalityRecording {
  const settings = parseSettingsJson(fixtureText(`${name}/network.json`)) as {
    readonly accounts: readonly { readonly name: string; readonly address: string }[];
  };
  const network = parseNetwork(settings, name);
  const { daoAddress, xtnBuybackAddress } = network.blockchain.functionality;
  const rewarded = Object.entries({ dao: daoAddress, xtn: xtnBuybackAddress }).flatMap(([account, address]) =>
    address === undefined ? [] : [{ name: account, address: addressText(address) }],
  );
  return {
    network,
    accounts: [...settings.accounts, ...rewarded],
    blocks: recordsOf(fixtureBytes(`${name}/blocks.bin.gz`)),
    heights: linesWithAmounts(`${name}/heights.jsonl.gz`),
  };
}

export interface OpenedChain {
  readonly chain: Chain;
  readonly store: StateStore;
  readonly database: NodeDatabase;
}

/** Chain of the recording's network with its genesis block. */
export function openRecordedChain({ network: { blockchain, node } }: Pick<FinalityRecording, "network">): OpenedChain {
  const database = stateDatabase();
  const store = new StateStore(database);
  const chain = openChain({
    store,
    settings: blockchain,
    transaction: database.transaction,
    maxRollbackDepth: node.maxRollbackDepth,
    keeps: { storeStateHashes: true, storeSnapshots: true },
  });
  chain.liquid.ensureGenesis(0);
  return { chain, store, database };
}

export function blockOf(bytes: Uint8Array, { network }: Pick<FinalityRecording, "network">): Block {
  return parseBlock(bytes, network.blockchain.chainId);
}

/** Appends a block as if it came at its timestamp, all signatures checked. @throws RuleError */
export function appendInTime({ chain }: Pick<OpenedChain, "chain">, block: Block): boolean {
  return chain.forks.appendBlock(block, { nowMs: Number(block.header.timestamp), verifySignatures: true });
}

/** Appends the recorded blocks up to the height, after those that the chain has. */
export function appendUpTo(opened: OpenedChain, recording: FinalityRecording, height: number): void {
  while (opened.chain.view.height < height) {
    const bytes = recording.blocks[opened.chain.view.height - 1];
    if (bytes === undefined) throw new Error(`no block was recorded at height ${opened.chain.view.height + 1}`);
    appendInTime(opened, blockOf(bytes, recording));
  }
}

/** Violation that the action throws; undefined: none. */
export function refusalOf(act: () => unknown): RuleError["fault"] | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.fault;
    throw error;
  }
}
