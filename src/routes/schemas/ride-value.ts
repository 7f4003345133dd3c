/** Values of scripts. @source docs/protocol/rest-api.md 3.7 (Ride value), 3.3 (call arguments) */
import * as z from "zod";
import { int64, named, type Schema } from "../../http/schema.ts";
import { base58 } from "./values.ts";

const simpleValues = () => [
  z.strictObject({ type: z.literal("Int"), value: int64() }),
  z.strictObject({ type: z.literal("BigInt"), value: z.bigint().meta({ type: "integer" }) }),
  z.strictObject({ type: z.literal("String"), value: z.string() }),
  z.strictObject({ type: z.literal("Boolean"), value: z.boolean() }),
  z.strictObject({ type: z.literal("ByteVector"), value: base58() }),
];

const isStructureName = /^(?!(?:Int|BigInt|String|Boolean|ByteVector|Array)$)/;

/** Objects with named members: structures, tuples (`_1`, `_2`, …), and the unit, which has none. */
export const rideValue: Schema = named("RideValue", () =>
  z.union([
    ...simpleValues(),
    z.strictObject({
      type: z.literal("Array"),
      get value() {
        return z.array(rideValue());
      },
    }),
    z.strictObject({
      type: z.string().regex(isStructureName).meta({ description: "Name of a structure, `Tuple` or `Unit`." }),
      get value() {
        return z.record(z.string(), rideValue());
      },
    }),
  ]),
);

/** A named value: an intermediate result of a script, or the reason why it failed. */
export const rideVariable = named("RideVariable", () =>
  z.union([
    z.strictObject({ name: z.string(), type: z.string(), value: z.unknown() }).meta({ description: "Like RideValue." }),
    z.strictObject({ name: z.string(), error: z.string().nullable() }),
  ]),
);

const plainArguments = () => [
  z.strictObject({ type: z.literal("integer"), value: int64() }),
  z.strictObject({ type: z.literal("boolean"), value: z.boolean() }),
  z.strictObject({
    type: z.literal("binary"),
    value: z.string().meta({ description: "`base64:` and the bytes in base64." }),
  }),
  z.strictObject({ type: z.literal("string"), value: z.string() }),
];

/** An argument of a call in a transaction. */
const callArgument = named("CallArgument", () =>
  z.union([
    ...plainArguments(),
    z.strictObject({ type: z.literal("list"), value: z.array(z.union(plainArguments())) }),
  ]),
);

export const functionCall = named("FunctionCall", () =>
  z.strictObject({ function: z.string(), args: z.array(callArgument()) }),
);
