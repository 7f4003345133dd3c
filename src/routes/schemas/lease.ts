/** @source docs/protocol/rest-api.md 3.8 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { address, id } from "./values.ts";

const members = () => ({
  id: id(),
  originTransactionId: id(),
  sender: address(),
  recipient: address(),
  amount: int64(),
  height: int32(),
  cancelHeight: int32().nullable(),
  cancelTransactionId: id().nullable(),
});

export const lease = named("Lease", () =>
  z.strictObject({ ...members(), status: z.enum(["active", "canceled", "expired"]) }),
);

/** Current state of a lease in a transaction; nearly empty if the node does not know it. */
export const leaseReference = named("LeaseReference", () => {
  const { originTransactionId, sender, recipient, amount, height, ...rest } = members();
  return z.strictObject({
    ...rest,
    originTransactionId: originTransactionId.nullable(),
    sender: sender.nullable(),
    recipient: recipient.nullable(),
    amount: amount.nullable(),
    height: height.nullable(),
    status: z.enum(["active", "canceled"]),
  });
});
