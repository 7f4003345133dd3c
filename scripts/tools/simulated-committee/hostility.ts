/** What nodes do that mean no good. */
export const hostilities = [
  /** It generates, and endorses nothing. */
  "silence",
  /** It does neither. */
  "absence",
  /** It endorses every block that it hears of, whatever stands beside it. */
  "endorsements of both sides",
  /** It endorses another block as final than it has. */
  "conflicting endorsements",
  /** It makes two blocks at its turn, and tells each half of the others of one. */
  "two blocks",
  /** It tells nobody of its blocks until the next one is due. */
  "late blocks",
  /** It puts votings into its blocks that do not hold. */
  "false votings",
] as const;
export type Hostility = (typeof hostilities)[number];
