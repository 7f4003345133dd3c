/** Generators whose blocks were replaced by challenging ones: their balance does not count at that height. */
import type { Address } from "../crypto/identities.ts";
import { bytes, int } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const challengeTable = table({
  name: "challenge",
  comment:
    "Accounts whose blocks were challenged, by the height of the challenging block: their effective balance is 0 there.",
  key: ["address", "height"],
  columns: { address: bytes<Address>(), height: int },
  inCheckpoint: "all",
  published: true,
  // Only the last one is queried: usually there is none that matters.
  indexes: { challenge_by_height: { on: "height" } },
});
export type ChallengeRow = RowOf<typeof challengeTable>;
