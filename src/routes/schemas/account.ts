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
      description: "The lowest effective balance of the last 1,000 blocks, which counts for mining.",
    }),
    available: int64().meta({
      description: "regular minus leased out, minus deposits of commitments to generate.",
    }),
    effective: int64().meta({
      description: "available plus leased in; 0 if the last block challenges a block of the account.",
    }),
  }),
);

export const balanceOfAddress = named("BalanceOfAddress", () => z.strictObject({ id: address(), balance: int64() }));

export const balanceAtHeight = named("BalanceAtHeight", () => z.strictObject({ height: int32(), balance: int64() }));

export const scriptInfo = named("ScriptInfo", () =>
  z.strictObject({
    address: address(),
    script: script().nullable(),
    scriptText: z.string().nullable().meta({ description: "The tree of the script as text." }),
    version: int32().nullable().meta({ description: "Version of the standard library." }),
    complexity: int64().meta({ description: "The largest complexity." }),
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
            z.strictObject({ name: z.string(), type: z.string().meta({ description: "E.g. `List[Int|String]`." }) }),
          ),
        ),
      })
      .optional()
      .meta({ description: "Present for a dApp." }),
  }),
);
