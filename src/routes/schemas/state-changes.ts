/** Effects of calls. @source docs/protocol/rest-api.md 3.7 */
import * as z from "zod";
import { int32, int64, named, type Schema } from "../../http/schema.ts";
import { dataEntryChange } from "./data-entry.ts";
import { leaseReference } from "./lease.ts";
import { rideValue } from "./ride-value.ts";
import { address, asset, assetId, id, payments } from "./values.ts";

const actions = () => ({
  data: z.array(dataEntryChange()),
  transfers: z.array(z.strictObject({ address: address(), asset: asset(), amount: int64() })),
  issues: z.array(
    z.strictObject({
      assetId: assetId(),
      name: z.string(),
      description: z.string(),
      quantity: int64(),
      decimals: int32(),
      isReissuable: z.boolean(),
      compiledScript: z.null().optional().meta({ description: "Absent in lists of an account's transactions." }),
      nonce: int64(),
    }),
  ),
  reissues: z.array(z.strictObject({ assetId: assetId(), isReissuable: z.boolean(), quantity: int64() })),
  burns: z.array(z.strictObject({ assetId: assetId(), quantity: int64() })),
  sponsorFees: z.array(z.strictObject({ assetId: assetId(), minSponsoredAssetFee: int64().optional() })),
});

const callError = () =>
  z
    .strictObject({
      code: int32().meta({
        description:
          "1: the dApp's script, 2: the fee does not cover the actions, 3: an asset's script refused an action, 4: one refused a payment.",
      }),
      text: z.string(),
    })
    .optional();

const invokedCall = <Changes extends z.ZodType>(stateChanges: Schema<Changes>) => ({
  dApp: address(),
  call: z.strictObject({ function: z.string(), args: z.array(rideValue()) }),
  payment: payments(),
  payments: z
    .array(z.strictObject({ asset: asset(), amount: int64() }))
    .meta({ description: "payment in another form." }),
  get stateChanges() {
    return stateChanges();
  },
});

export const stateChanges: Schema = named("StateChanges", () =>
  z.strictObject({
    ...actions(),
    leases: z.array(leaseReference()),
    leaseCancels: z.array(leaseReference()),
    invokes: z.array(z.strictObject(invokedCall(stateChanges))),
    error: callError(),
  }),
);

const action = () => ({ recipient: z.string(), amount: int64(), nonce: int64(), id: id() });

/** Leases as in the actions: cancellations as ids. */
function changesByActions(name: string, lease: () => z.ZodRawShape): Schema {
  const changes: Schema = named(name, () =>
    z.strictObject({
      ...actions(),
      leases: z.array(z.strictObject(lease())),
      leaseCancels: z.array(z.strictObject({ id: id() })),
      invokes: z.array(z.strictObject(invokedCall(changes))),
      error: callError(),
    }),
  );
  return changes;
}

/** Changes as in the actions, if no state shows what became of the leases. */
export const plannedChanges = changesByActions("PlannedChanges", action);

/** With the leases that the transaction would create. */
export const tracedChanges = changesByActions("TracedChanges", () => ({
  ...action(),
  originTransactionId: id(),
  sender: address(),
  height: int32(),
  status: z.literal("active"),
  cancelHeight: z.null(),
  cancelTransactionId: z.null(),
}));
