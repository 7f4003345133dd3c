/**
 * Verdict on a peer that has sent an invalid item. The reference blacklists a peer for very few violations in items
 * that it relays unasked, since it may not have validated them, and for any violation in an extension, which was
 * requested.
 * @source Waves: state/appender/BlockAppender.scala, MicroblockAppender.scala, ExtensionAppender.scala;
 *   network/InvalidBlockStorage.scala; docs/protocol/consensus-and-finality.md 1.6, 1.8, 1.9
 */
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { HistoryMissing } from "../../../src/rules/state/history-missing.ts";
import { BranchPutOff } from "../chain/candidate-chain.ts";

export type ReceivedKind = "block" | "microBlock" | "extension";

type Code = RuleError["violation"]["code"];

/** Violations caused by rules missing in this release; the peer is not blamed. */
const ourViolations: ReadonlySet<Code> = new Set<Code>(["featuresUnimplemented", "scriptNotSupported"]);

/** The only violations in unrequested items for which a peer is blacklisted. */
const senderViolations: ReadonlySet<Code> = new Set<Code>([
  "blockSignatureInvalid",
  "microBlockSignatureInvalid",
  "stateHashWrong",
]);

/**
 * Violations in an extension for which a peer is not blacklisted. The chain may have grown since the extension was
 * requested, or its common block may have been rolled back, or may have become final on another branch. The requester
 * checks that the extension follows a block named in the request. The clocks of two honest nodes may differ by seconds.
 */
const transientViolations: ReadonlySet<Code> = new Set<Code>([
  "branchNotBetter",
  "blockReferenceUnknown",
  "rollbackTooDeep",
  "blockFromFuture",
]);

/**
 * Violations that do not invalidate the block id: the same id may be received again with a valid signature, body or
 * context.
 */
const violationsNotOfId: ReadonlySet<Code> = new Set<Code>([
  "blockFromFuture",
  "blockReferenceUnknown",
  "blockSignatureInvalid",
  "rollbackTooDeep",
  "transactionsRootWrong",
]);

/** Violations that may be caused by the received snapshots, in a block whose transactions are not run. */
const snapshotViolations: ReadonlySet<Code> = new Set<Code>([
  "snapshotCountWrong",
  "snapshotInvalid",
  "stateHashWrong",
  "transactionInBlockInvalid",
]);

export interface PeerViolation {
  /** Message that describes the violation. */
  readonly reason: string;
  /** Whether the peer is blacklisted. */
  readonly isInvalid: boolean;
  /** Whether no block with the id can ever be valid, if its generator has signed it. */
  readonly isPermanentForId: boolean;
  /** Whether the branch has no higher score than the blocks that it would replace. */
  readonly isLighter: boolean;
  /** Whether the violation may be caused by the received snapshots instead of the block. */
  readonly isOfSnapshots: boolean;
  /** Whether only the state hash is wrong: a block of this node may replace it. */
  readonly isChallengeable: boolean;
}

export interface ReceivedItem {
  readonly kind: ReceivedKind;
  /** Whether the item could be parsed. The peer is responsible for items that cannot. */
  readonly isUnderstood: boolean;
  /** Whether the invalid block came with snapshots. */
  readonly isBySnapshots: boolean;
}

/** Remaining flags of an error that is no rule's. */
const nothingMore = {
  isPermanentForId: false,
  isLighter: false,
  isOfSnapshots: false,
  isChallengeable: false,
} as const;

/** @returns undefined: the error was not caused by the received item */
export function peerViolationOf(
  error: unknown,
  { kind, isUnderstood, isBySnapshots }: ReceivedItem,
): PeerViolation | undefined {
  if (error instanceof WireError)
    return { reason: `it cannot be read: ${error.message}`, isInvalid: true, ...nothingMore };
  // This node lacks the data to validate the item.
  if (error instanceof HistoryMissing || error instanceof BranchPutOff)
    return { reason: error.message, isInvalid: false, ...nothingMore };
  if (!(error instanceof RuleError)) return undefined;
  const { violation } = error;
  const isOurs = isOfThisNode(error);
  const isOfSnapshots = isBySnapshots && !isOurs && snapshotViolations.has(violation.code);
  const shutsOut =
    kind === "extension" ? !transientViolations.has(violation.code) : senderViolations.has(violation.code);
  const isInvalid = isOfSnapshots || (!isOurs && (shutsOut || !isUnderstood));
  const holdsForId = isInvalid && !isOfSnapshots && !violationsNotOfId.has(violation.code);
  return {
    ...{ reason: describeViolation(violation), isInvalid, isPermanentForId: holdsForId, isOfSnapshots },
    isLighter: violation.code === "branchNotBetter",
    isChallengeable: violation.code === "stateHashWrong",
  };
}

/**
 * Whether an error or one of its causes is a rule missing in this release. A transaction's error causes one of its
 * block, and a challenged block's error causes one of the challenge.
 */
function isOfThisNode(error: unknown): boolean {
  return error instanceof RuleError && (ourViolations.has(error.violation.code) || isOfThisNode(error.cause));
}
