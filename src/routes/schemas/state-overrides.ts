/** State overrides of a dev chain's owner. */
import * as z from "zod";
import { int32, int64 } from "../../http/schema.ts";
import { dataEntryChange } from "./data-entry.ts";
import { address, asset, id, publicKey, script } from "./values.ts";

export const impersonation = () => z.object({ address: address(), enabled: z.boolean().optional() });

/** Height of the block with the changed state. */
export const overridden = () => z.strictObject({ height: int32() });

export const dataOverride = () => z.object({ address: address(), entries: z.array(dataEntryChange()) });

export const scriptOverride = () =>
  z.object({
    address: address().optional(),
    publicKey: publicKey()
      .optional()
      .meta({ description: "Instead of the address, for an account that has sent nothing yet." }),
    script: script().nullable(),
  });

const amount = (least: bigint) => int64().min(least, "error.min");

export const balanceOverride = () => z.object({ address: address(), assetId: asset().optional(), amount: amount(0n) });

export const funding = () => z.object({ address: address(), amount: amount(1n) });

export const funded = () => z.strictObject({ id: id(), height: int32() });
