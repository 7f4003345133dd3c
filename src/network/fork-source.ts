/** Where a fork comes from: what its start has found out of the node behind it, and every later start goes by. */
import * as z from "zod";
import { NetworkSettingsError } from "./settings-error.ts";

/** As text: JSON would round it. */
const wavelets = z.string().regex(/^\d+$/);

const schema = z.strictObject({
  /** REST interface of the node behind the fork, without a slash at its end. */
  url: z.url({ protocol: /^https?$/ }),
  /** Of the last block that both chains have. */
  height: z.int().min(1),
  /** Whether what has changed since that height is refused, rather than taken as it is now. */
  isExact: z.boolean(),
  chainId: z.int().min(0).max(255),
  /** Features that are decided, with the heights from which they are in force. */
  features: z.array(z.tuple([z.int(), z.int()])),
  /** The block at the height, as `/blocks/headers/at` prints it. */
  header: z.string(),
  /** Base58 of that block's id. */
  blockId: z.string(),
  /** What the first block has given to whom, wavelets; addresses in base58. */
  genesis: z.object({
    timestampMs: wavelets,
    transactions: z.array(z.object({ recipient: z.string(), amount: wavelets })),
  }),
  /** Periods and addresses that the network says of itself: of one that is not known by name. */
  periods: z.object({
    featureVotes: z.int().min(1),
    featureThreshold: z.int().min(1),
    reward: z
      .object({
        term: z.int().min(1),
        votes: z.int().min(1),
        minIncrement: wavelets,
        daoAddress: z.string().nullable(),
        xtnBuybackAddress: z.string().nullable(),
      })
      .nullable(),
  }),
  /** All WAVES that there are after it, wavelets. */
  wavesAmount: wavelets,
});

export type ForkSource = z.infer<typeof schema>;

/**
 * @param text JSON: the binding `FORK`, or the file in the data directory
 * @throws NetworkSettingsError
 */
export function parseForkSource(text: string): ForkSource {
  const parsed = schema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new NetworkSettingsError({
    path: `FORK.${issue?.path.join(".") ?? ""}`,
    got: "another value",
    expected: issue?.message ?? "a fork's source",
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
