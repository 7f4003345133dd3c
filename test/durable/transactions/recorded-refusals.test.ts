/**
 * Bodies that the reference judged at the tip of private-a: ours must be refused for the same reason, in the same words.
 */
import { describe, expect, it } from "vitest";
import { applyTransaction } from "../../../durable/transactions/apply-transaction.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { describeBalanceProblem, describeFault } from "../../../src/protocol/fault-text.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { JsonSyntaxError, parseJson } from "../../../src/protocol/parse-json.ts";
import { FormatError } from "../../../src/protocol/transactions/format-faults.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { sharedBytes } from "../../recorded-lines.ts";
import { blocks, chainId, Replay } from "./private-a.ts";
import { addresses } from "./samples.ts";

interface Exchange {
  readonly name: string;
  readonly path: string;
  readonly body?: string;
  readonly response: string;
  readonly tag: string;
  readonly now: number;
}
/** What the reference says: of broadcast `message` and `details`, of validation `valid` and `error`. */
interface Verdict {
  readonly error?: number | string;
  readonly message?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly valid?: boolean;
}

const file = sharedBytes("private-a/validate.jsonl");
const exchanges = (file?.toString() ?? "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Exchange)
  .filter(({ path }) => path.startsWith("/debug/validate") || path.startsWith("/transactions/broadcast"));

/** The transaction of a body, or undefined where its form alone is refused. */
function transactionOf(body: string): Transaction | undefined {
  try {
    return transactionFromJson(parseJson(body), chainId);
  } catch (error) {
    if (error instanceof FormatError || error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const stateCheck = "State check failed. Reason: ";
/** Answers that stand on a script: its run, its library version, its complexity, its place. */
const scriptWords =
  /Error while executing|not allowed by|Script version|No contract at|Transaction is not|payment amount=/;

describe.skipIf(file === undefined)("bodies judged by the reference (../shared/fixtures/private-a is needed)", () => {
  const replay = new Replay();
  for (const _ of blocks) replay.next();
  const { state } = replay;
  const previousBlockTimestamp = blocks.at(-1)?.header.timestamp;

  /** What our rules say, in the form of the reference's answers. */
  const own = (transaction: Transaction, now: number): { text: string; details?: Readonly<Record<string, string>> } => {
    const context = { previousBlockTimestamp, blockTimestamp: BigInt(now), blockGenerator: addresses.carol };
    try {
      applyTransaction(transaction, state, { ...context, verifySignatures: true });
      return { text: "valid" };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      const { fault } = error;
      if (fault.code === "scriptsNotSupported") return { text: fault.code };
      const text = describeFault(fault);
      const isTiming = fault.code === "timestampFromFuture" || fault.code === "timestampFromPast";
      if (fault.code !== "balancesInvalid") return { text: isTiming ? text : stateCheck + text };
      const details = fault.problems.map((problem) => [addressText(problem.account), describeBalanceProblem(problem)]);
      return { text: stateCheck + text, details: Object.fromEntries(details) };
    }
  };

  it("are accepted or refused alike, word for word, unless a script has a say", () => {
    const differences: object[] = [];
    const counts = { compared: 0, form: 0, script: 0 };
    for (const { body, response, tag, now } of exchanges) {
      const transaction = transactionOf(body ?? "");
      if (transaction === undefined) {
        counts.form++;
        continue;
      }
      const verdict = JSON.parse(response) as Verdict;
      const expected = verdict.valid === true ? "valid" : String(verdict.message ?? verdict.error);
      const { text, details } = own(transaction, now);
      if (text === "scriptsNotSupported" || scriptWords.test(expected)) {
        counts.script++;
        continue;
      }
      counts.compared++;
      const sameDetails = verdict.details === undefined || JSON.stringify(verdict.details) === JSON.stringify(details);
      if (text !== expected || !sameDetails)
        differences.push({ tag, expected, details: verdict.details, text, own: details });
    }
    expect(differences).toEqual([]);
    expect(counts.compared).toBeGreaterThan(600);
  });
});
