/** Comparison of a response with the declaration of its operation. */
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import type { Operation } from "./find-operation.ts";

type Answer = Operation["description"]["answer"];

/** Mismatch of a response with status 200 and its schema; unknown members count. */
export function answerFault(answer: Answer, json: ParsedJson): string | undefined {
  if (typeof answer !== "function") return "the answer is a text";
  const result = answer().safeParse(json);
  return result.success ? undefined : result.error.message;
}

/** Error that the route does not declare. */
export function errorFault(
  { errors, description: { otherError } }: Operation,
  status: number,
  json: ParsedJson,
): string | undefined {
  if (otherError?.status === status && answerFault(otherError.answer, json) === undefined) return undefined;
  const id = isJsonObject(json) ? Number(json["error"]) : undefined;
  return errors.some((error) => error.id === id && error.status === status)
    ? undefined
    : `the row does not name error ${id} with status ${status}`;
}
