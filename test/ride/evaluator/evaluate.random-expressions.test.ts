import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { EvaluationLog } from "../../../src/ride/evaluator/evaluation-log.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { evaluationLogText } from "../../../src/ride/values/log-text.ts";
import { Text } from "../../../src/ride/values/text.ts";
import type { Value } from "../../../src/ride/values/value.ts";
import { logText, valueText } from "../../../src/ride/values/value-text.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface Vector {
  readonly rules: string;
  readonly limit: number;
  readonly tree: string;
  readonly outcome: "V" | "E" | "I";
  readonly text: string;
  readonly unused: number;
  readonly log: string;
}

const vectors = recordedLines<Vector>("ride/evaluations.jsonl.gz");
const maxLogCharacters = 100_000;

function resultOf({ rules, limit, tree }: Vector): Omit<Vector, "rules" | "limit" | "tree"> {
  const script = parseScript(new Uint8Array(Buffer.from(tree, "base64")));
  if (script.content !== "expression") throw new Error("not an expression");
  const [isNewMode, hasLexicalScope, hasFixedThrownError, hasSynchronousCallFixes] = [...rules].map((on) => on === "1");
  const log = new EvaluationLog();
  const formatted = (outcome: Vector["outcome"], text: string, unused: number) => ({
    outcome,
    text: utf8(text),
    unused,
    log: createHash("sha256")
      .update(utf8Bytes(evaluationLogText(log.entries, maxLogCharacters)))
      .digest("hex")
      .slice(0, 16),
  });
  try {
    const { value, unusedComplexity } = evaluate(
      script.expression,
      {
        libraryVersion: script.libraryVersion,
        content: "expression",
        guards: "account",
        chainId: 1,
        hasLexicalScope: hasLexicalScope === true,
      },
      {
        environment: pureEnvironment(),
        rules: {
          isNewMode: isNewMode === true,
          hasFixedThrownError: hasFixedThrownError === true,
          checksConstructorArguments: true,
          hasSynchronousCallFixes: hasSynchronousCallFixes === true,
        },
        complexityLimit: limit,
        log,
      },
    );
    return value === undefined
      ? formatted("I", "", unusedComplexity)
      : formatted("V", printed(value), unusedComplexity);
  } catch (error) {
    if (error instanceof ScriptError) return formatted("E", error.message, error.unusedComplexity);
    throw error;
  }
}

function printed(value: Value): string {
  return value instanceof Text || value instanceof Uint8Array ? logText(value, 0) : valueText(value);
}

/** Text as written to a file: halves of surrogate pairs are lost. */
function utf8(text: string): string {
  return Buffer.from(utf8Bytes(text)).toString();
}

test("random expressions have the reference's value or error, with its complexity and its log", () => {
  const differences = vectors.filter((vector) => {
    const { outcome, text, unused, log } = vector;
    return !isDeepStrictEqual(resultOf(vector), { outcome, text, unused, log });
  });
  expect(vectors).toHaveLength(2_497);
  expect(differences.slice(0, 3).map((vector) => ({ ...vector, got: resultOf(vector) }))).toEqual([]);
});
