/**
 * Forging of the block after the tip.
 * @source docs/protocol/consensus-and-finality.md 1.3, 1.6; Waves: mining/Miner.scala (forgeBlock)
 */
import type { Signature } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { buildBlock } from "../../../src/protocol/blocks/build-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { openBlock, type ParentInfo } from "../../../src/rules/blocks/apply-block.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import { minedTimestampMs } from "../../../src/rules/consensus/block-timestamp.ts";
import { expectedBlockVersion, hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { UtxPool } from "../pool/utx-pool.ts";
import { type MiningTurn, tipTimestampMs } from "./mining-schedule.ts";
import { type OwnVotes, ownHeader } from "./own-header.ts";

export interface ForgeKeyBlockOptions {
  /** State of the tip: the block's parent in the form that the block references. */
  readonly view: StateView;
  readonly parent: ParentInfo;
  /** Turn by the same view. */
  readonly turn: MiningTurn;
  readonly pool: UtxPool;
  readonly node: OwnVotes;
  /** Limit besides the block's own. */
  readonly maxTransactions: number;
  readonly nowMs: number;
  /** Timestamp of the block; undefined: that of a miner by the clock. */
  readonly timestampMs?: bigint | undefined;
  /** Checked while transactions are packed. */
  readonly isTimeUp?: (() => boolean) | undefined;
  readonly random: RandomSource;
}

/** Signed block on the view's tip; undefined if now, or the given timestamp, is too early for the generator. */
export function forgeKeyBlock(options: ForgeKeyBlockOptions): Block | undefined {
  const { view, parent, turn, node, nowMs, random } = options;
  const { functionality, chainId } = view.settings;
  const { account, draw, delayMs } = turn;
  const timestamp =
    options.timestampMs ?? minedTimestampMs({ parentTimestampMs: tipTimestampMs(view), delayMs, nowMs: BigInt(nowMs) });
  if (timestamp === undefined || timestamp < turn.timestampMs) return undefined;
  const height = view.height + 1;
  const version = expectedBlockVersion({ height, features: view, functionality });
  const opening = { version, timestamp, generator: account.publicKey };
  const { run } = openBlock(view, opening, draw.hitSource, [], parent, { verifySignatures: true });
  const packed = packKeyBlock(run, options);
  const header = ownHeader({ ...opening, view, draw, node });
  // Scripts read the same header fields as in the final block.
  const signed = { header: { ...header, transactionsRoot: undefined }, signature: unsigned, id: unnamed };
  const open = (transactions: readonly Transaction[]): BlockRun =>
    openBlock(view, opening, draw.hitSource, transactions, parent, { verifySignatures: false, signed }).run;
  const isHashed = hasLightNodeFields({ height, features: view, functionality });
  const isPaidAtStart = isHashed && packed.length > 0;
  const { transactions, stateHash } = isPaidAtStart
    ? paidAtStart(packed, open)
    : { transactions: packed, stateHash: run.stateHash };
  return buildBlock({
    header: { ...header, stateHash: isHashed ? stateHash : undefined },
    transactions,
    privateKey: account.privateKey,
    chainId,
    random,
  });
}

const unsigned = new Uint8Array(64) as Signature;
const unnamed = new Uint8Array(32) as Uint8Array & BlockId;

/**
 * Packed transactions and the state hash with them. Before NG a block pays their fees at its start, when it is not
 * known yet which they will be, so they are run once more after that; from the first failing one on they are left out.
 */
function paidAtStart(
  packed: readonly Transaction[],
  open: (transactions: readonly Transaction[]) => BlockRun,
): Pick<BlockRun, "stateHash"> & { readonly transactions: readonly Transaction[] } {
  const run = open(packed);
  for (const [index, transaction] of packed.entries()) {
    try {
      run.add(transaction);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return paidAtStart(packed.slice(0, index), open);
    }
  }
  return { transactions: packed, stateHash: run.stateHash };
}

/** Under NG transactions go into micro-blocks only. */
function packKeyBlock(
  run: BlockRun,
  { view, pool, nowMs, isTimeUp, ...options }: ForgeKeyBlockOptions,
): readonly Transaction[] {
  if (view.has(Feature.Ng)) return [];
  const maxTransactions = Math.min(run.limits.keyBlockTransactions, options.maxTransactions);
  return pool.pack(run, { view, maxTransactions, nowMs, isTimeUp }).transactions;
}
