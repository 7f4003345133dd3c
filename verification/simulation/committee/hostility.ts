/** Behaviour of hostile nodes. */
export const hostilities = [
  /** Forges, and endorses nothing. */
  "silence",
  /** Neither forges nor endorses. */
  "absence",
  /** Endorses every block received, also competing ones. */
  "endorsements of both sides",
  /** Endorses with another finalized block than its own. */
  "conflicting endorsements",
  /** Forges two blocks at once, and sends each to half of the others. */
  "two blocks",
  /** Withholds its blocks until the next one is due. */
  "late blocks",
  /** Puts invalid votings into its blocks. */
  "false votings",
] as const;
export type Hostility = (typeof hostilities)[number];
