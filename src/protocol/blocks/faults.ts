/** Faults of blocks and micro-blocks; heights and ids say which. `src/protocol/fault-text.ts` words them for logs. */
import type { VotingFault } from "./voting-faults.ts";

export type BlockFault =
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
  /** Others have committed themselves to generate at its height. `allowed`: who may, as many as are worth naming. */
  | { readonly code: "generatorNotAllowed"; readonly generator: string; readonly allowed: readonly string[] }
  | { readonly code: "votingInvalid"; readonly fault: VotingFault }
  /** The block that it is to replace would not be refused for its state hash, or for something else. */
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
