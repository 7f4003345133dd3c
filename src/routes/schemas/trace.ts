/** Trace of a transaction's scripts, step by step. @source docs/protocol/rest-api.md 3.9 */
import * as z from "zod";
import { named, type Schema } from "../../http/schema.ts";
import { rideVariable } from "./ride-value.ts";
import { stateChanges, tracedChanges } from "./state-changes.ts";
import { address, assetId } from "./values.ts";

const result = () => z.enum(["success", "failure"]);

/** Error; null: it succeeded, or the script returned false. */
const failure = () => ({ error: z.string().nullable(), vars: z.array(rideVariable()).optional() });

const verifierResult = () => ({ result: result(), ...failure() });

function stepOf(name: string, changes: Schema): Schema {
  const call: Schema = named(`${name}Call`, () =>
    z.strictObject({
      type: z.literal("dApp"),
      id: address(),
      function: z.string(),
      args: z.array(z.string()),
      get invocations() {
        return z.array(call());
      },
      result: z.union([result(), changes()]),
      ...failure(),
    }),
  );
  return named(`${name}Step`, () =>
    z.union([
      z.strictObject({ type: z.literal("verifier"), id: address(), ...verifierResult() }),
      z.strictObject({
        type: z.literal("asset"),
        context: z.enum([
          "unknown",
          "orderAmount",
          "orderPrice",
          "matcherFee",
          "payment",
          "reissue",
          "burn",
          "sponsor",
          "transfer",
          "updateInfo",
        ]),
        id: assetId(),
        ...verifierResult(),
      }),
      call(),
    ]),
  );
}

/** Steps of validation on a state. */
export const traceStep = stepOf("Trace", stateChanges);
/** Steps of submission to the pool. */
export const broadcastTraceStep = stepOf("BroadcastTrace", tracedChanges);
