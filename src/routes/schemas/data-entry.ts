/** @source docs/protocol/rest-api.md 3.6 */
import * as z from "zod";
import { int64, named } from "../../http/schema.ts";

/** An existing entry. */
const storedEntries = () =>
  [
    z.strictObject({ key: z.string(), type: z.literal("integer"), value: int64() }),
    z.strictObject({ key: z.string(), type: z.literal("boolean"), value: z.boolean() }),
    z.strictObject({
      key: z.string(),
      type: z.literal("binary"),
      value: z.string().meta({ description: "`base64:` and the bytes in base64." }),
    }),
    z.strictObject({ key: z.string(), type: z.literal("string"), value: z.string() }),
  ] as const;

export const dataEntry = named("DataEntry", () => z.discriminatedUnion("type", storedEntries()));

/** An entry, or a deletion. */
export const dataEntryChange = named("DataEntryChange", () =>
  z.union([dataEntry(), z.strictObject({ key: z.string(), value: z.null() }).meta({ description: "A deletion." })]),
);
