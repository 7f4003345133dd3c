/** Source of a fork: data that its first start read from the remote node, used by every later start. */
import * as z from "zod";
import { NetworkSettingsError } from "./settings-error.ts";

/** Amount as text, which JSON would round as a number. */
const wavelets = z.string().regex(/^\d+$/);

const schema = z.strictObject({
  /** REST API of the remote node, without a trailing slash. */
  url: z.url({ protocol: /^https?$/ }),
  /** Height of the last block that both chains share. */
  height: z.int().min(1),
  /** Whether state that changed after that height is refused, instead of used as it is now. */
  isExact: z.boolean(),
  chainId: z.int().min(0).max(255),
  /** Decided features, with their activation heights. */
  features: z.array(z.tuple([z.int(), z.int()])),
  /** The block at the height, as `/blocks/headers/at` prints it. */
  header: z.string(),
  /** Base58 of that block's id. */
  blockId: z.string(),
  /** Genesis transactions: amounts in wavelets, addresses in base58. */
  genesis: z.object({
    timestampMs: wavelets,
    transactions: z.array(z.object({ recipient: z.string(), amount: wavelets })),
  }),
  /** Periods and addresses that the remote node reports; used for a network that is not known by name. */
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
  /** Total supply of WAVES after that block, wavelets. */
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
