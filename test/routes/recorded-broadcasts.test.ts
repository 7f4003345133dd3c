/**
 * Bodies that the reference refused at the tip of private-a, sent through our routes: the whole answer is the recorded one
 * (status, error id, text, transaction, details, order, trace), wherever no script has a say.
 * @source spec/rest-api.md 1.5, 2.10, 3.4, 4
 */
import { describe, expect, it } from "vitest";
import { applyTransaction } from "../../durable/transactions/apply-transaction.ts";
import type { BroadcastAnswer } from "../../src/env.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { parseJson } from "../../src/protocol/parse-json.ts";
import type { TransactionFault } from "../../src/protocol/transactions/faults.ts";
import { parseSignedTransaction } from "../../src/protocol/transactions/parse-transaction.ts";
import { blocks, chainId, Replay } from "../durable/transactions/private-a.ts";
import { addresses } from "../durable/transactions/samples.ts";
import { fixtureText, sharedBytes } from "../recorded-lines.ts";
import { findDifference } from "./compare-answers.ts";
import { testNode } from "./test-node.ts";

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
  .map((line) => JSON.parse(line) as Exchange)
  .filter(({ path }) => path.startsWith("/transactions/broadcast"));

/** Why an answer is left out; undefined: it is compared. */
function scriptIn(exchange: Exchange): string | undefined {
  if (!isJson(exchange)) return undefined;
  const {
    error,
    message = "",
    trace = [],
  } = JSON.parse(exchange.response) as {
    readonly error?: number;
    readonly message?: string;
    readonly trace?: readonly unknown[];
  };
  if (trace.length > 0) return "a script ran";
  if (error === 306 || error === 307 || error === 308) return "a script refused";
  if (/Script version|Transaction is not allowed by/.test(message)) return "the script itself is refused";
  return /No contract at|payment amount=/.test(message) ? "a call without a script" : undefined;
}

/** The rest would be too much to read. */
const shownDifferences = 10;

describe.skipIf(file === undefined)("recorded broadcasts (../shared/fixtures/private-a is needed)", () => {
  const replay = new Replay();
  for (const _ of blocks) replay.next();
  const previousBlockTimestamp = blocks.at(-1)?.header.timestamp;
  let nowMs = 0;
  let neededScript: string | undefined;

  /** The node's answer at the tip, without a pool: none of these transactions gets into one. */
  const broadcast = async (bytes: Uint8Array): Promise<BroadcastAnswer> => {
    const context = {
      previousBlockTimestamp,
      blockTimestamp: BigInt(nowMs),
      blockGenerator: addresses.carol,
      verifySignatures: true,
    };
    try {
      applyTransaction(parseSignedTransaction(bytes, chainId), replay.state, context);
      return { accepted: true, isNew: true };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      const fault = error.fault as TransactionFault;
      if (fault.code === "scriptsNotSupported") neededScript = fault.needed;
      return { accepted: false, fault };
    }
  };
  const node = testNode({
    database: { withSession: () => ({ getBookmark: () => null }) } as unknown as D1Database,
    network: fixtureText("private-a/network.json"),
    chainState: { broadcast },
  });

  it("are answered alike, member for member", async () => {
    const differences: string[] = [];
    const counts: Record<string, number> = {};
    for (const exchange of exchanges) {
      nowMs = exchange.now;
      neededScript = undefined;
      const { method, path, headers, body, tag } = exchange;
      const answer = await node.fetch(path, {
        method,
        headers: headers ?? { "Content-Type": "application/json" },
        ...(body !== undefined && { body }),
      });
      const text = await answer.text();
      const kind = scriptIn(exchange) ?? (neededScript === undefined ? "compared" : "a script is needed");
      counts[kind] = (counts[kind] ?? 0) + 1;
      const found = kind === "compared" ? findAnswerDifference(exchange, answer, text) : undefined;
      if (found !== undefined) differences.push(`${tag} ${path}: ${found}`);
    }
    expect(differences.slice(0, shownDifferences)).toEqual([]);
    // What is not compared needs the script language: its run, or its checks of a script.
    expect(counts).toEqual({
      compared: 882,
      "a script ran": 19,
      "a script refused": 7,
      "the script itself is refused": 26,
      "a call without a script": 4,
    });
  });
});

function findAnswerDifference(expected: Exchange, got: Response, text: string): string | undefined {
  if (got.status !== expected.status) return `status ${expected.status} expected, got ${got.status}: ${text}`;
  const type = got.headers.get("Content-Type");
  if (type !== expected.contentType) return `${expected.contentType} expected, got ${type}: ${text}`;
  if (isJson(expected)) return findDifference(parseJson(expected.response), parseJson(text), new Set());
  return text === expected.response ? undefined : `${expected.response} expected, got ${text}`;
}

function isJson({ contentType }: Exchange): boolean {
  return contentType.startsWith("application/json");
}
