/** Compares this node's results with the compiler's constants and a reference's responses. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { JsonSyntaxError, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { findDifference } from "../json-difference.ts";
import { caseJson, type FuzzCase } from "./fuzz-cases.ts";
import type { LangEvaluator, ScriptRun } from "./lang-evaluator.ts";
import type { ReferenceNode } from "./reference-world.ts";

export interface ComparisonResult {
  compared: number;
  /** The reference applied actions, and refused them: the evaluation's result is unknown. */
  refusedActions: number;
  withoutReference: number;
  readonly differences: string[];
}

export function newComparisonResult(): ComparisonResult {
  return { compared: 0, refusedActions: 0, withoutReference: 0, differences: [] };
}

/** Concurrent requests to the reference. */
const lanes = 8;
/** Members that repeat the request, and the results of applied actions. */
const skippedMembers = new Set(["expr", "call", "address", "stateChanges"]);
const loggedMembers = new Set(["vars"]);

/** Other evaluators to compare with: a node, an evaluator, or none. */
export interface ComparisonTargets {
  readonly reference: ReferenceNode | undefined;
  readonly evaluator: LangEvaluator | undefined;
}

export async function compareAll(
  cases: Iterable<FuzzCase>,
  others: ComparisonTargets,
  result: ComparisonResult,
): Promise<void> {
  const waiting = cases[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await compare(next.value, others, result);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function compare(
  fuzzCase: FuzzCase,
  { reference, evaluator }: ComparisonTargets,
  outcome: ComparisonResult,
): Promise<void> {
  outcome.compared++;
  const { result, bound, request } = fuzzCase;
  if (result.kind === "value" && bound !== undefined && result.complexity > Math.max(bound, 1)) {
    note(fuzzCase, `complexity ${result.complexity} is above the estimate ${bound}`, outcome);
  }
  if (evaluator !== undefined && fuzzCase.run !== undefined) {
    const difference = await evaluatorDifference(fuzzCase, fuzzCase.run, evaluator);
    if (difference !== undefined) note(fuzzCase, difference, outcome);
    return;
  }
  if (reference === undefined || request === undefined) {
    outcome.withoutReference++;
    return;
  }
  const expectedText = await reference.evaluate(request.address, jsonText(request.body));
  const text = jsonText(caseJson(fuzzCase));
  const expected = readable(expectedText);
  if (expected === undefined) {
    // If both results agree, the reference's text continues with members that are not compared.
    if (!expectedText.startsWith(text.slice(0, -1))) note(fuzzCase, "another result, deeply nested", outcome);
    return;
  }
  const message = String(expected["message"] ?? "");
  if (result.kind === "value" && /^(FailedTransactionError|State check failed)/.test(message)) {
    outcome.refusedActions++;
    return;
  }
  // A stack overflow or an unknown exception of the reference: any result is accepted.
  if (message === "Error is unknown") {
    outcome.withoutReference++;
    return;
  }
  const got = parseJson(isShortened(message) ? shortened(text) : text) as ParsedObject;
  const difference = findDifference(expected, got, skippedMembers);
  if (difference !== undefined) note(fuzzCase, difference, outcome);
}

/** An evaluator reports an error without the text that a node adds, and without a log. */
async function evaluatorDifference(
  fuzzCase: FuzzCase,
  run: ScriptRun,
  evaluator: LangEvaluator,
): Promise<string | undefined> {
  const { result, comparesMessages } = fuzzCase;
  const verdict = await evaluator.evaluate(run);
  if (result.kind !== "value" && "message" in verdict) {
    const expected = withoutProvider(verdict.message);
    const end = expected === verdict.message ? ", log = " : ": ";
    const isSame =
      result.message === expected || result.message.startsWith(`InvokeRejectError(error = ${expected}${end}`);
    return isSame || !comparesMessages ? undefined : `message: ${expected} instead of ${result.message.slice(0, 500)}`;
  }
  const got = parseJson(jsonText(caseJson(fuzzCase))) as ParsedObject;
  return findDifference({ ...verdict } as unknown as ParsedObject, got, loggedMembers);
}

/** Removes a key error's reason, which is worded by varying cryptography providers. */
function withoutProvider(message: string): string {
  return message.replace(/(Invalid key base58'[^']*'): .*/s, "$1");
}

/** A JVM omits the message of an exception that it throws often. */
const shortFailure = "class java.lang.NullPointerException java.lang.NullPointerException,";

function isShortened(message: string): boolean {
  return message.includes(shortFailure);
}

function shortened(text: string): string {
  return text.replace(/class java\.lang\.NullPointerException Cannot invoke .*? is null,/, shortFailure);
}

/** Undefined: nests deeper than requests may. */
function readable(text: string): ParsedObject | undefined {
  try {
    return parseJson(text) as ParsedObject;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function note({ libraryVersion, source, request }: FuzzCase, difference: string, result: ComparisonResult): void {
  const location = request === undefined ? "" : ` at ${encodeBase58(request.address)}`;
  result.differences.push(`version ${libraryVersion}${location}: ${difference}\n${source}`);
}
