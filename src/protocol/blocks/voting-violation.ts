/** Violations of the finalization voting of a block or micro-block, and their log texts. */

/** One of the voting's two lists. */
export type VotingList = "endorsers" | "conflicts";

export type VotingViolation =
  | { readonly check: "featureNotActive" }
  | { readonly check: "inChallengingBlock" }
  | { readonly check: "finalizedHeightTooLow"; readonly got: number }
  | { readonly check: "finalizedHeightTooHigh"; readonly highest: number; readonly got: number }
  | { readonly check: "nothingListed" }
  | { readonly check: "tooManyEndorsers"; readonly allowed: number; readonly got: number }
  | { readonly check: "listedTwice"; readonly list: VotingList; readonly index: number }
  | { readonly check: "indexUnknown"; readonly list: VotingList; readonly committed: number; readonly index: number }
  /** Its balance is too low, or it has a conflicting endorsement. */
  | { readonly check: "endorserNotAllowed"; readonly index: number }
  | { readonly check: "isGenerator"; readonly list: VotingList; readonly index: number }
  | { readonly check: "conflictedBefore"; readonly index: number; readonly height: number }
  | { readonly check: "endorsesAndConflicts"; readonly index: number }
  | {
      readonly check: "conflictAboveVoting";
      readonly index: number;
      readonly highest: number;
      readonly got: number;
    }
  | { readonly check: "blockUnknown"; readonly height: number }
  /** The endorsement's finalized block is the one in the chain. */
  | { readonly check: "noConflict"; readonly index: number; readonly height: number }
  | { readonly check: "conflictSignatureWrong"; readonly index: number }
  | { readonly check: "signatureWithoutEndorsers" }
  | { readonly check: "signatureMissing" }
  | { readonly check: "signatureWrong" };

type Texts = {
  readonly [Check in VotingViolation["check"]]: (violation: Extract<VotingViolation, { check: Check }>) => string;
};

const texts: Texts = {
  featureNotActive: () => "there are no votings before feature 25",
  inChallengingBlock: () => "a challenging block carries none",
  finalizedHeightTooLow: ({ got }) => `its finalized height ${got} is less than 1`,
  finalizedHeightTooHigh: ({ highest, got }) =>
    `its finalized height ${got} is not below the block that is voted for: ${highest} is the highest`,
  nothingListed: () => "it lists neither endorsers nor conflicting endorsements",
  tooManyEndorsers: ({ allowed, got }) => `it lists ${got} endorsers, and ${allowed} are allowed`,
  listedTwice: ({ list, index }) => `index ${index} is twice among its ${list}`,
  indexUnknown: ({ list, committed, index }) =>
    `index ${index} is among its ${list}, and there are ${committed} committed generators`,
  endorserNotAllowed: ({ index }) => `endorser ${index} has insufficient balance, or has contradicted itself before`,
  isGenerator: ({ list, index }) => `index ${index} among its ${list} is the generator of the block`,
  conflictedBefore: ({ index, height }) => `generator ${index} has contradicted itself at height ${height} already`,
  endorsesAndConflicts: ({ index }) => `index ${index} is among its endorsers and among its conflicts`,
  conflictAboveVoting: ({ index, highest, got }) =>
    `the conflicting endorsement of ${index} has finalized height ${got}, above that of the voting, ${highest}`,
  blockUnknown: ({ height }) => `there is no block at its finalized height ${height}`,
  noConflict: ({ index, height }) =>
    `the conflicting endorsement of ${index} names the block that the chain has at height ${height}`,
  conflictSignatureWrong: ({ index }) => `the signature of the conflicting endorsement of ${index} does not verify`,
  signatureWithoutEndorsers: () => "it has an aggregated signature, and no endorsers",
  signatureMissing: () => "it lists endorsers, and has no aggregated signature",
  signatureWrong: () => "its aggregated signature does not verify",
};

/** Log text of a violation. */
export function describeVotingViolation(violation: VotingViolation): string {
  // The table pairs each check with its own text; the compiler does not follow that through the lookup.
  return (texts[violation.check] as (violation: VotingViolation) => string)(violation);
}
