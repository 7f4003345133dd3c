/**
 * Violations of blocks and micro-blocks, with the heights and ids involved. `src/protocol/describe-violation.ts` has
 * their log texts.
 */
import type { VotingViolation } from "./voting-violation.ts";

export type BlockViolation =
  | { readonly code: "blockVersionUnexpected"; readonly expected: number; readonly got: number }
  | { readonly code: "featuresUnimplemented"; readonly features: readonly number[] }
  | { readonly code: "blockSignatureInvalid"; readonly blockId: string }
  | { readonly code: "blockReferenceUnknown"; readonly reference: string; readonly tip: string }
  | { readonly code: "baseTargetWrong"; readonly expected: bigint; readonly got: bigint }
  | { readonly code: "generationSignatureWrong"; readonly reason: string }
  | { readonly code: "blockTimestampTooEarly"; readonly minimumMs: bigint; readonly gotMs: bigint }
  | { readonly code: "blockFromFuture"; readonly latestMs: bigint; readonly gotMs: bigint }
  | {
      readonly code: "generatingBalanceTooLow";
      readonly generator: string;
      readonly required: bigint;
      readonly got: bigint;
    }
  | { readonly code: "generatorHasScript"; readonly generator: string }
  | { readonly code: "headerFieldInvalid"; readonly field: string; readonly reason: string }
  /** Only other generators committed to generate at its height. `allowed`: some of them, for the text. */
  | { readonly code: "generatorNotAllowed"; readonly generator: string; readonly allowed: readonly string[] }
  | { readonly code: "votingInvalid"; readonly violation: VotingViolation }
  /** The block to be replaced is valid, or it is invalid for another reason than its state hash. */
  | { readonly code: "challengeInvalid"; readonly reason: string }
  | { readonly code: "transactionsRootWrong"; readonly expected: string; readonly got: string }
  | { readonly code: "stateHashWrong"; readonly expected: string; readonly got: string | undefined }
  | { readonly code: "blockLimitExceeded"; readonly limit: string; readonly allowed: bigint; readonly got: bigint }
  | { readonly code: "competitorNotBetter"; readonly timestamp: bigint; readonly currentTimestamp: bigint }
  | { readonly code: "branchNotBetter"; readonly score: bigint; readonly currentScore: bigint }
  | { readonly code: "microBlockRefused"; readonly reason: string }
  | { readonly code: "microBlockSignatureInvalid"; readonly totalBlockId: string }
  | { readonly code: "transactionInBlockInvalid"; readonly transactionId: string; readonly reason: string }
  | { readonly code: "snapshotCountWrong"; readonly expected: number; readonly got: number }
  | { readonly code: "snapshotInvalid"; readonly transactionId: string; readonly reason: string }
  | { readonly code: "rollbackTooDeep"; readonly height: number; readonly lowestHeight: number };
