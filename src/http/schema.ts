/**
 * JSON schemas in zod for values of `parseJson`, which returns every integer as a bigint. A schema is a function and is
 * built at its first use, since a Worker serves most requests without any.
 */
import * as z from "zod";

export type Schema<Type extends z.ZodType = z.ZodType> = () => Type;

/** Builds the schema once. */
export function once<Type extends z.ZodType>(make: Schema<Type>): Schema<Type> {
  let schema: Type | undefined;
  return () => {
    schema ??= make();
    return schema;
  };
}

/** A schema with a name of its own in the document, to which others refer. */
export function named<Type extends z.ZodType>(name: string, make: Schema<Type>): Schema<Type> {
  return once(() => make().meta({ id: name }));
}

/** A file of any content, for the document. */
export const binary = () => z.string().meta({ format: "binary" });

const i32Bound = 2n ** 31n;
const i64Bound = 2n ** 63n;

/** Heights, counts, indexes: numbers that every client can hold. */
export const int32 = () =>
  z
    .bigint()
    .min(-i32Bound, "error.expected.int")
    .max(i32Bound - 1n, "error.expected.int")
    .meta({ type: "integer", format: "int32" });

/** Amounts and complexities. */
export const int64 = named("Int64", () =>
  z
    .bigint()
    .min(-i64Bound)
    .max(i64Bound - 1n)
    .meta({
      type: "integer",
      format: "int64",
      description:
        "64-bit integer, exact. A JSON parser that converts it to a double rounds values above 2^53; a request with `Accept: application/json;large-significand-format=string` gets amounts as strings of digits.",
    }),
);

/**
 * Maximum of reported elements of the wrong type: zod passes them as arguments of a call, and a call cannot take a
 * hundred thousand.
 */
const maxReportedElements = 1_000;

/** A list of texts of any length. @param about description for the document */
export const texts = (about: string) =>
  z
    .unknown()
    .transform((value, { issues }): readonly string[] => {
      const report = (expected: "array" | "string", input: unknown, path: PropertyKey[]): void =>
        void issues.push({ code: "invalid_type", expected, input, path });
      if (!Array.isArray(value)) {
        report("array", value, []);
        return z.NEVER;
      }
      for (const [index, text] of value.entries()) {
        if (typeof text !== "string") report("string", text, [index]);
        if (issues.length === maxReportedElements) break;
      }
      return value as readonly string[];
    })
    .meta({ type: "array", items: { type: "string" }, description: about });
