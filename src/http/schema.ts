/**
 * Shapes of JSON as zod schemas over what `parseJson` gives, where every integer is a bigint. A schema is a function: it is
 * made when it is first asked for, since a Worker answers most requests without any of them.
 */
import * as z from "zod";

export type Schema<Type extends z.ZodType = z.ZodType> = () => Type;

/** The same schema each time. */
export function once<Type extends z.ZodType>(make: Schema<Type>): Schema<Type> {
  let made: Type | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A schema with a name of its own in the document: whoever uses it refers to that name. */
export function named<Type extends z.ZodType>(name: string, make: Schema<Type>): Schema<Type> {
  return once(() => make().meta({ id: name }));
}

/** A file of any content, for the document. */
export const binary = () => z.string().meta({ format: "binary" });

const i32Bound = 2n ** 31n;
const i64Bound = 2n ** 63n;

/** Heights, counts, indices: numbers that every client holds. */
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
        "64-bit integer, exact. A JSON parser that makes a double of it rounds what is above 2^53; a request with `Accept: application/json;large-significand-format=string` gets amounts as strings of digits.",
    }),
);

/** No more elements are told that are no texts: zod hands them on as arguments of a call, and a call takes no hundred thousand. */
const maxStrangers = 1_000;

/** A list of texts, however long. @param about what they are, for the document */
export const texts = (about: string) =>
  z
    .unknown()
    .transform((value, { issues }): readonly string[] => {
      const expect = (expected: "array" | "string", input: unknown, path: PropertyKey[]): void =>
        void issues.push({ code: "invalid_type", expected, input, path });
      if (!Array.isArray(value)) {
        expect("array", value, []);
        return z.NEVER;
      }
      for (const [index, text] of value.entries()) {
        if (typeof text !== "string") expect("string", text, [index]);
        if (issues.length === maxStrangers) break;
      }
      return value as readonly string[];
    })
    .meta({ type: "array", items: { type: "string" }, description: about });
