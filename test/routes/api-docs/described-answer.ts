/** Whether an answer is one that the row of its operation declares. */
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import type { Operation } from "./find-operation.ts";

type Answer = Operation["description"]["answer"];

/** What of an answer with status 200 is not of its schema; members that the schema does not have count. */
export function answerFault(answer: Answer, json: ParsedJson): string | undefined {
  if (typeof answer !== "function") return "the answer is a text";
  const result = answer().safeParse(json);
  return result.success ? undefined : result.error.message;
}

/** What of an error the row does not name. */
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
