/** Evaluation requests and results. @source docs/protocol/rest-api.md 3.15 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { functionCall, rideValue, rideVariable } from "./ride-value.ts";
import { plannedChanges } from "./state-changes.ts";
import { address, asset, base58, payments, publicKey } from "./values.ts";

const state = () =>
  z
    .object({
      accounts: z.record(
        z.string(),
        z.object({
          assetBalances: z.record(z.string(), int64()).optional(),
          regularBalance: int64().optional(),
        }),
      ),
    })
    .optional()
    .meta({ description: "Assumed balances, by address." });

/** An expression, or a call: not both. */
export const evaluationRequest = named("EvaluationRequest", () =>
  z.union([
    z.object({
      expr: z.string().meta({ description: "Ride, or a compiled expression in base64." }),
      state: state(),
    }),
    z.object({
      call: functionCall().optional().meta({ description: "Default: the default function." }),
      id: base58().optional(),
      fee: int64().optional(),
      feeAssetId: asset().optional(),
      sender: address().nullable().optional(),
      senderPublicKey: publicKey().optional(),
      payment: payments().optional(),
      state: state(),
    }),
  ]),
);

/** The response repeats the members of the request, so it may have others than these. */
export const evaluation = named("Evaluation", () =>
  z.union([
    z
      .looseObject({
        vars: z.array(rideVariable()).optional().meta({ description: "Present with `trace`." }),
        result: rideValue(),
        complexity: int64(),
        stateChanges: plannedChanges(),
        address: address(),
      })
      .meta({ description: "The value, with the members of the request." }),
    z
      .looseObject({ error: int32(), message: z.string(), address: address() })
      .meta({ description: "Error instead of a value, with the members of the request." }),
  ]),
);
