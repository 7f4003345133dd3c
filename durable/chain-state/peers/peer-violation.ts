/**
 * What a fault in something that a peer has sent says of the peer. The reference shuts a peer out for very few faults of what it
 * passes on by itself, since it may not have seen to it, and for any fault of an extension, which it was asked for.
 * @source Waves: state/appender/BlockAppender.scala, MicroblockAppender.scala, ExtensionAppender.scala;
 *   network/InvalidBlockStorage.scala; docs/protocol/consensus-and-finality.md 1.6, 1.8, 1.9
 */
import { describeFault } from "../../../src/protocol/describe-violation.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { HistoryMissing } from "../../../src/rules/state/history-missing.ts";
import { BranchPutOff } from "../chain/candidate-chain.ts";

export type Offer = "block" | "microBlock" | "extension";

type Code = RuleError["fault"]["code"];

/** That this release does not have a rule is nobody's fault but its own. */
const ourFaults: ReadonlySet<Code> = new Set<Code>(["featuresUnimplemented", "scriptNotSupported"]);

/** Of what is passed on by itself: for these alone a peer is shut out. */
const faultsOfSender: ReadonlySet<Code> = new Set<Code>([
  "blockSignatureInvalid",
  "microBlockSignatureInvalid",
  "stateHashWrong",
]);

/**
 * Of an extension: for these a peer is not. The chain may have grown since the extension was asked for, or what the extension
 * stands on has left it, or has become final without what follows there. Whether it stands on what was named to the peer sees whoever
 * has asked for it. And the clocks of two honest nodes may be some seconds apart.
 */
const passing: ReadonlySet<Code> = new Set<Code>([
  "branchNotBetter",
  "blockReferenceUnknown",
  "rollbackTooDeep",
  "blockFromFuture",
]);

/**
 * Faults that say nothing of the block with the id: it may be another one by the time it is offered again, or be offered by
 * somebody else with another signature, or other transactions.
 */
const faultsBesideId: ReadonlySet<Code> = new Set<Code>([
  "blockFromFuture",
  "blockReferenceUnknown",
  "blockSignatureInvalid",
  "rollbackTooDeep",
  "transactionsRootWrong",
]);

/** In a block whose transactions are not run these are faults of what was sent of them, or may be. */
const faultsOfSnapshots: ReadonlySet<Code> = new Set<Code>([
  "snapshotCountWrong",
  "snapshotInvalid",
  "stateHashWrong",
  "transactionInBlockInvalid",
]);

export interface PeerFault {
  /** A sentence. */
  readonly reason: string;
  /** Whoever has sent it is shut out. */
  readonly isInvalid: boolean;
  /** No block with the id will ever do, if its generator has signed it. */
  readonly holdsForId: boolean;
  /** It weighs no more than what is in its place. */
  readonly isLighter: boolean;
  /** Not the block is at fault but the snapshots that came with it, or so it may be. */
  readonly isOfSnapshots: boolean;
  /** Nothing else is wrong with it: a block of this node may take its place. */
  readonly isChallengeable: boolean;
}

export interface SentOffer {
  readonly offer: Offer;
  /** It could be read. What cannot be is the peer's fault. */
  readonly isUnderstood: boolean;
  /** The block at fault came with snapshots. */
  readonly isBySnapshots: boolean;
}

/** Of an error that is no rule's. */
const nothingMore = { holdsForId: false, isLighter: false, isOfSnapshots: false, isChallengeable: false } as const;

/** @returns undefined: the error is no fault of what was sent */
export function faultOfPeer(error: unknown, { offer, isUnderstood, isBySnapshots }: SentOffer): PeerFault | undefined {
  if (error instanceof WireError)
    return { reason: `it cannot be read: ${error.message}`, isInvalid: true, ...nothingMore };
  // This node has not what it would take to judge it.
  if (error instanceof HistoryMissing || error instanceof BranchPutOff)
    return { reason: error.message, isInvalid: false, ...nothingMore };
  if (!(error instanceof RuleError)) return undefined;
  const { fault } = error;
  const isOurs = isOfThisNode(error);
  const isOfSnapshots = isBySnapshots && !isOurs && faultsOfSnapshots.has(fault.code);
  const shutsOut = offer === "extension" ? !passing.has(fault.code) : faultsOfSender.has(fault.code);
  const isInvalid = isOfSnapshots || (!isOurs && (shutsOut || !isUnderstood));
  const holdsForId = isInvalid && !isOfSnapshots && !faultsBesideId.has(fault.code);
  return {
    ...{ reason: describeFault(fault), isInvalid, holdsForId, isOfSnapshots },
    isLighter: fault.code === "branchNotBetter",
    isChallengeable: fault.code === "stateHashWrong",
  };
}

/** By itself, or by what it comes from: a transaction's fault is one of its block, and a challenged block's one of the challenge. */
function isOfThisNode(error: unknown): boolean {
  return error instanceof RuleError && (ourFaults.has(error.fault.code) || isOfThisNode(error.cause));
}
