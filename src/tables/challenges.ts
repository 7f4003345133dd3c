/** Whose blocks were replaced by challenging ones: what they had does not count at that height. */
import type { Address } from "../crypto/identities.ts";
import { bytes, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const challengeTable = table({
  name: "challenge",
  comment:
    "Accounts whose blocks were challenged, by the height of the block that did it: their effective balance is 0 there.",
  key: ["address", "height"],
  columns: { address: bytes<Address>(), height: int },
  inCheckpoint: "all",
  published: true,
  // Of which the last one is asked for: mostly there is none that matters.
  indexes: { challenge_by_height: { on: "height" } },
});
export type ChallengeRow = RowOf<typeof challengeTable>;
