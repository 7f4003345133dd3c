/**
 * Validation by a schema with the error messages of the reference's parser.
 * @source docs/protocol/rest-api.md 1.5; play-json: JsonValidationError
 */
import type * as z from "zod";
import { JsonDecimal } from "../protocol/json.ts";
import type { ParsedJson } from "../protocol/parse-json.ts";
import { ApiError, type FieldError } from "./api-error.ts";

/** Names of expected types in the reference that differ from those in zod. */
const expectedNames: Readonly<Record<string, string>> = { bigint: "jsnumber", record: "jsobject" };

/** @throws ApiError of the code, with each member that is missing or has the wrong type */
export function validated<Type extends z.ZodType>(
  schema: Type,
  value: ParsedJson,
  code: "jsonInvalid" | "jsonMembersInvalid" = "jsonInvalid",
): z.output<Type> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields: Record<string, readonly FieldError[]> = {};
  for (const { path, ...issue } of result.error.issues) {
    fields[pathText(path)] = [{ msg: [complaint(issue, findMember(value, path))], args: [] }];
  }
  throw new ApiError({ code, fields });
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === "number" ? `[${step}]` : `.${String(step)}`),
    "obj",
  );
}

function findMember(value: ParsedJson, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((found, step) => (found as Record<PropertyKey, unknown> | undefined)?.[step], value);
}

function complaint(issue: { readonly code: string; readonly message: string }, member: unknown): string {
  if (!("expected" in issue)) return issue.message;
  if (member === undefined) return "error.path.missing";
  if (member instanceof JsonDecimal && issue.expected === "bigint") return "error.expected.int";
  const expected = String(issue.expected);
  return `error.expected.${expectedNames[expected] ?? `js${expected}`}`;
}
