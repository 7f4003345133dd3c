/** Accounts. @source docs/protocol/rest-api.md 2.1, 3.13 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { address, complexities, publicKey, script } from "./values.ts";

export const balanceAfterConfirmations = named("Balance", () =>
  z.strictObject({ address: address(), confirmations: int32(), balance: int64() }),
);

export const balanceDetails = named("BalanceDetails", () =>
  z.strictObject({
    address: address(),
    regular: int64(),
    generating: int64().meta({
      description: "The lowest effective balance of the last 1,000 blocks: what counts for mining.",
    }),
    available: int64().meta({
      description: "regular without what is leased out and the deposits of commitments to generate.",
    }),
    effective: int64().meta({
      description: "available with what is leased in; 0 where a block of the account is challenged by the last one.",
    }),
  }),
);

export const balanceOfAddress = named("BalanceOfAddress", () => z.strictObject({ id: address(), balance: int64() }));

export const balanceAtHeight = named("BalanceAtHeight", () => z.strictObject({ height: int32(), balance: int64() }));

export const scriptInfo = named("ScriptInfo", () =>
  z.strictObject({
    address: address(),
    script: script().nullable(),
    scriptText: z.string().nullable().meta({ description: "The tree of the script, for people." }),
    version: int32().nullable().meta({ description: "Of the standard library." }),
    complexity: int64().meta({ description: "The largest of all." }),
    verifierComplexity: int64(),
    callableComplexities: complexities(),
    extraFee: int64(),
    publicKey: publicKey().nullable(),
  }),
);

export const scriptMeta = named("ScriptMeta", () =>
  z.strictObject({
    address: address(),
    meta: z
      .strictObject({
        version: z.string(),
        callableFuncTypes: z.record(
          z.string(),
          z.array(
            z.strictObject({ name: z.string(), type: z.string().meta({ description: "As `List[Int|String]`." }) }),
          ),
        ),
      })
      .optional()
      .meta({ description: "Of a dApp." }),
  }),
);
