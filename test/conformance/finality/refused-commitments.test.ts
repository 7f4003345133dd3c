/** Broadcasts that the Go node refused, offered to a chain that stands where it stood then. */
import { expect, test } from "vitest";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import { recordedTexts } from "../../recorded-lines.ts";
import { appendUpTo, openRecordedChain, readFinalityRecording } from "./recorded-chain.ts";

/** What was sent: the text behind its name, as `parseJson` reads it. */
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

/** The fault that it has here, by what the recording calls it. */
const faults: Readonly<Record<string, string | undefined>> = {};

test.each(broadcasts.map((broadcast) => [Number(broadcast.height), broadcast.label, broadcast] as const))(
  "at height %i: %s",
  (height, label, { body, ts }) => {
    appendUpTo(opened, recording, height);
    const transaction = transactionFromJson(body, chainId);
    const { outcome } = validateTransaction(transaction, opened.chain.view, Number(ts));
    expect(outcome.isValid ? undefined : outcome.fault.code).toBe(faults[label]);
  },
);
