/**
 * Bodies that the reference judged at the tip of private-a, sent through our routes: the whole answer is the recorded one
 * (status, error id, text, transaction, details, trace with what scripts computed).
 * @source spec/rest-api.md 1.5, 2.10, 3.4, 3.9, 3.10, 4
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { Chain } from "../../durable/chain/open-chain.ts";
import { poolContext } from "../../durable/pool/pool-context.ts";
import { findDifference } from "../../scripts/tools/compare-answers.ts";
import type { BroadcastAnswer, ValidationAnswer } from "../../src/env.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { parseJson } from "../../src/protocol/parse-json.ts";
import type { TransactionFault } from "../../src/protocol/transactions/faults.ts";
import { parseSignedTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import { applyTransaction } from "../../src/rules/transactions/apply-transaction.ts";
import { type TraceStep, traceStepJson } from "../../src/rules/transactions/scripts/trace.ts";
import { validateTransaction } from "../../src/rules/transactions/validate-transaction.ts";
import { fixtureText, sharedBytes } from "../recorded-lines.ts";
import { recordedChain } from "./recorded-chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly contentType: string;
  readonly response: string;
  /** What is wrong or right with the body. */
  readonly tag: string;
  /** Time of the recording, ms. */
  readonly now: number;
}

const file = sharedBytes("private-a/validate.jsonl");
const exchanges = (file?.toString() ?? "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Exchange);

/** The rest would be too much to read. */
const shownDifferences = 10;
const measured = new Set(["validationTime"]);

describe.skipIf(file === undefined)("bodies judged by the reference (../shared/fixtures/private-a is needed)", () => {
  let node: TestNode;
  let chain: Chain;
  let nowMs = 0;

  const context = () => poolContext(chain.view, nowMs, true);
  const parse = (bytes: Uint8Array) => parseSignedTransaction(bytes, chain.view.settings.chainId);

  /** The node's answer at the tip, without a pool: none of these transactions gets into one. */
  const broadcast = async (bytes: Uint8Array, options?: { readonly isTraced: boolean }): Promise<BroadcastAnswer> => {
    const steps: TraceStep[] = [];
    const trace = () => steps.map((step) => traceStepJson(step, true));
    const traced = options?.isTraced ? { trace: steps } : {};
    try {
      applyTransaction(parse(bytes), chain.view, { ...context(), ...traced, execution: "strict" });
      return { accepted: true, isNew: true, trace: trace() };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { accepted: false, fault: error.fault as TransactionFault, trace: trace() };
    }
  };
  const validate = async (bytes: Uint8Array): Promise<ValidationAnswer> =>
    validateTransaction(parse(bytes), chain.view, context());

  beforeAll(async () => {
    const recorded = await recordedChain();
    chain = recorded.chain;
    const network = fixtureText("private-a/network.json");
    node = testNode({ database: recorded.readModel, network, chainState: { broadcast, validate } });
  }, 120_000);

  const differencesOf = async (path: string): Promise<{ differences: string[]; count: number }> => {
    const differences: string[] = [];
    let count = 0;
    for (const exchange of exchanges.filter((candidate) => candidate.path.startsWith(path))) {
      nowMs = exchange.now;
      const { method, headers, body, tag } = exchange;
      const answer = await node.fetch(exchange.path, {
        method,
        headers: headers ?? { "Content-Type": "application/json" },
        ...(body !== undefined && { body }),
      });
      count++;
      const found = findAnswerDifference(exchange, answer, await answer.text());
      if (found !== undefined) differences.push(`${tag} ${exchange.path}: ${found}`);
    }
    return { differences: differences.slice(0, shownDifferences), count };
  };

  it("are broadcast with the same answers and traces", async () => {
    expect(await differencesOf("/transactions/broadcast")).toEqual({ differences: [], count: 938 });
  }, 120_000);

  it("are validated with the same answers and traces", async () => {
    expect(await differencesOf("/debug/validate")).toEqual({ differences: [], count: 797 });
  }, 120_000);
});

function findAnswerDifference(expected: Exchange, got: Response, text: string): string | undefined {
  if (got.status !== expected.status) return `status ${expected.status} expected, got ${got.status}: ${text}`;
  const type = got.headers.get("Content-Type");
  if (type !== expected.contentType) return `${expected.contentType} expected, got ${type}: ${text}`;
  if (isJson(expected)) return findDifference(parseJson(expected.response), parseJson(text), measured);
  return text === expected.response ? undefined : `${expected.response} expected, got ${text}`;
}

function isJson({ contentType }: Exchange): boolean {
  return contentType.startsWith("application/json");
}
