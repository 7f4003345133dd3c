/** Broadcasts that the Go node refused, submitted to a chain in the same state as then. */
import { expect, test } from "vitest";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import {
  appendUpTo,
  openRecordedChain,
  readFinalityRecording,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";
import { recordedTexts } from "../../support/fixtures/recorded-lines.ts";

/** Sent transaction: the text after its name, as `parseJson` reads it. */
interface Broadcast {
  readonly height: bigint;
  readonly label: string;
  readonly ts: bigint;
  readonly body: ReturnType<typeof parseJson>;
}

const recording = readFinalityRecording("finality-a");
const broadcasts = recordedTexts("finality-a/rejections.jsonl.gz").map(
  (text) => parseJson(text) as unknown as Broadcast,
);
const opened = openRecordedChain(recording);
const { chainId } = recording.network.blockchain;

/** Violation of each here, by its name in the recording, in the order of sending. */
const violations = {
  "reject: commit before activation": "featureNotActive",
  "reject: wrong period start (current)": "generationPeriodWrong",
  "reject: wrong period start (16)": "generationPeriodWrong",
  "reject: wrong period start (after next)": "generationPeriodWrong",
  "reject: period start 0": "generationPeriodWrong",
  "reject: proof of possession of another period": "commitmentSignatureInvalid",
  "reject: proof of possession by another key": "commitmentSignatureInvalid",
  "reject: fee too small": "feeTooLow",
  "reject: fee zero-ish": "feeTooLow",
  "reject: invalid transaction proof": "proofInvalid",
  "reject: second commitment for the same period": "generatorAlreadyCommitted",
  "reject: second commitment for the same period, other BLS key": "generatorAlreadyCommitted",
  "reject: BLS key of another generator": "endorserKeyCommitted",
  "reject: insufficient generating balance (1100)": "generatingBalanceMissing",
  "reject: insufficient generating balance (fee of 9000 WAVES)": "generatingBalanceMissing",
  "reject: third commitment for the same period": "generatorAlreadyCommitted",
  "reject: commitment for the period that has begun": "generationPeriodWrong",
  "reject: poor below the minimum": "generatingBalanceMissing",
  "reject: insufficient generating balance (edge)": "generatingBalanceMissing",
  // The Go node keeps a deposit of this account forever, and refuses the third one: here it is the second.
  "commit g2 for 107": undefined,
} as const;

test("every recorded broadcast has an expected violation", () => {
  expect(broadcasts.map(({ label }) => label)).toEqual(Object.keys(violations));
});

test.each(broadcasts.map((broadcast) => [Number(broadcast.height), broadcast.label, broadcast] as const))(
  "at height %i: %s",
  (height, label, { body, ts }) => {
    appendUpTo(opened, recording, height);
    const transaction = transactionFromJson(body, chainId);
    const { result } = validateTransaction(transaction, opened.chain.view, Number(ts));
    expect(result.isValid ? undefined : result.violation.code).toBe(violations[label as keyof typeof violations]);
  },
  waitTimeoutMs,
);
