import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { cachedScript, expressionInDApp } from "../../../src/ride/evaluator/dapp-program.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { EvaluationLog } from "../../../src/ride/evaluator/evaluation-log.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { ExecutionError, ScriptNotSupported } from "../../../src/ride/execution-error.ts";
import { type Invocation, knownId } from "../../../src/ride/objects/invocation.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { evaluationLogText } from "../../../src/ride/values/log-text.ts";
import { valueJson } from "../../../src/ride/values/value-json.ts";
import { ChainNeeded, pureEnvironment } from "../../support/fakes/pure-environment.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface Recorded {
  readonly address: string;
  readonly expr: string;
  /** Expression as compiled by the reference. */
  readonly tree: string;
  readonly response: string;
}

const [head, ...rest] = recordedLines<unknown>("ride/recorded-expressions.jsonl.gz");
const { scripts } = head as { scripts: Readonly<Record<string, string>> };
const recorded = rest as Recorded[];
const chainId = 82;
const complexityLimit = 52_000;
const maxLogCharacters = 10_000;
/** Invocation for an evaluation without one: from the account of a key of zeros. */
const anonymousInvocation: Invocation = {
  caller: decodeBase58("3M6i7Mp9qZeM4X1qEu1YvPphZW3PC7mA6pf"),
  callerPublicKey: new Uint8Array(32),
  originCaller: decodeBase58("3M6i7Mp9qZeM4X1qEu1YvPphZW3PC7mA6pf"),
  originCallerPublicKey: new Uint8Array(32),
  transactionId: knownId(new Uint8Array(32)),
  feeWavelets: 0n,
  feeAssetId: null,
  payments: [],
};

interface EvaluationResponse {
  readonly message?: string;
  readonly result?: unknown;
  readonly complexity?: number;
  readonly vars?: unknown;
}

function bytesOf(base64: string | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(base64 ?? "", "base64"));
}

function evaluateRecorded({ address, tree, response }: Recorded): EvaluationResponse {
  const script = cachedScript(bytesOf(scripts[address]));
  const compiled = parseScript(bytesOf(tree));
  if (script.content !== "dApp" || compiled.content !== "expression") throw new Error("not a dApp");
  const log = new EvaluationLog();
  try {
    const { value, unusedComplexity } = evaluate(
      expressionInDApp(script.dApp, compiled.expression, anonymousInvocation),
      { libraryVersion: script.libraryVersion, content: "dApp", guards: "account", chainId, hasLexicalScope: true },
      {
        environment: pureEnvironment({ chainId, self: decodeBase58(address) }),
        rules: {
          isNewMode: true,
          hasFixedThrownError: true,
          checksConstructorArguments: true,
          hasSynchronousCallFixes: true,
        },
        complexityLimit,
        log,
      },
    );
    if (value === undefined) throw new Error("complexity ran out");
    const vars = log.entries.map(({ name, result }) =>
      result instanceof ExecutionError ? { name, error: result.message } : { name, ...valueJson(result) },
    );
    return quoted(
      jsonText({
        result: valueJson(value),
        complexity: complexityLimit - unusedComplexity,
        ...(response.startsWith('{"vars"') ? { vars } : {}),
      }),
    );
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const log = evaluationLogText(error.log, maxLogCharacters);
    return { message: `InvokeRejectError(error = ${error.message}, log = ${log})` };
  }
}

/** Integers as text: some responses were recorded in this form. */
function quoted(json: string): EvaluationResponse {
  return JSON.parse(json.replaceAll(/("value":)(-?\d+)/g, '$1"$2"')) as EvaluationResponse;
}

function expectedOf({ response }: Recorded): EvaluationResponse {
  const { message, result, complexity = 0, vars } = quoted(response);
  if (message !== undefined) return { message };
  return { result, complexity, ...(vars === undefined ? {} : { vars }) };
}

test("every recorded expression without chain reads has the reference's result, complexity, error and log", () => {
  const counts = { answered: 0, needChain: 0, unsupported: 0, refusedForActions: 0 };
  const differences: unknown[] = [];
  for (const exchange of recorded) {
    try {
      const got = evaluateRecorded(exchange);
      const expected = expectedOf(exchange);
      // Errors of actions come after the evaluation.
      if (expected.message?.startsWith("InvokeRejectError") === false) {
        counts.refusedForActions++;
        continue;
      }
      counts.answered++;
      if (!isDeepStrictEqual(got, expected)) differences.push({ expr: exchange.expr, got, expected });
    } catch (error) {
      if (error instanceof ChainNeeded) counts.needChain++;
      else if (error instanceof ScriptNotSupported) counts.unsupported++;
      else throw error;
    }
  }
  expect(differences.slice(0, 3)).toEqual([]);
  // The others are replayed on the whole chain: test/scenarios/rest/recorded-responses.test.ts.
  expect(counts).toEqual({ answered: 1_301, needChain: 379, unsupported: 6, refusedForActions: 5 });
});
