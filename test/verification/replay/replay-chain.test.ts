import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import { snapshotDifferences } from "../../../verification/replay/compare-snapshots.ts";
import { type RecordedBlock, type Recording, readRecording } from "../../../verification/replay/recording.ts";
import { replayChain } from "../../../verification/replay/replay-chain.ts";

const recording = readRecording(join(import.meta.dirname, "../../fixtures/private-a"));
const { chainId } = recording.network.blockchain;

/** The only transaction of its block, of type 12. */
const spoiled = { height: 10, index: 0 };

function transactionAt({ height, index }: typeof spoiled) {
  const recorded = recording.blocks[height - 2] as RecordedBlock;
  const transaction = parseBlock(recorded.bytes, chainId).transactions[index];
  if (transaction === undefined) throw new Error("there is no such transaction");
  const context = { transactionId: transaction.id, chainId };
  const snapshot = parseTransactionSnapshot(recorded.snapshots[index] as Uint8Array, context);
  return { recorded, transaction, snapshot };
}

/** The recording up to the spoiled block, with another state snapshot of the transaction. */
function withSnapshot(change: (snapshot: Snapshot) => Snapshot): Recording {
  const { recorded, snapshot } = transactionAt(spoiled);
  const bytes = encodeTransactionSnapshot({ ...snapshot, snapshot: change(snapshot.snapshot) });
  const blocks = recording.blocks.slice(0, spoiled.height - 1);
  blocks[spoiled.height - 2] = { ...recorded, snapshots: recorded.snapshots.with(spoiled.index, bytes) };
  return { ...recording, blocks, stateHashes: new Map() };
}

describe("the judge of recorded chains", () => {
  test("names the transaction, the field and both values where a balance differs", () => {
    const { transaction, snapshot } = transactionAt(spoiled);
    const [first, ...others] = snapshot.snapshot.balances ?? [];
    if (first === undefined) throw new Error("the transaction changes no balance");
    const changed = { ...first, balance: first.balance + 1n };
    const { differences } = replayChain(
      withSnapshot((own) => ({ ...own, balances: [changed, ...others] })),
      { all: true },
    );
    expect(differences).toEqual([
      {
        kind: "transaction",
        ...spoiled,
        id: encodeBase58(transaction.id),
        type: transaction.type,
        version: transaction.version,
        differences: [
          {
            field: `balances ${addressText(first.address)} WAVES`,
            expected: changed.balance.toString(),
            got: first.balance.toString(),
          },
        ],
      },
    ]);
  });

  test("takes change sets in another order for the same", () => {
    const reversed = withSnapshot((own) => ({ ...own, balances: (own.balances ?? []).toReversed() }));
    expect(replayChain(reversed, { all: true }).differences).toEqual([]);
  });

  test("names the parts of a state hash that differ, and stops at the first height", () => {
    const lines = [...recording.stateHashes].map(([height, line]) => {
      const stateHash = height === 2 || height === 4 ? { ...line.stateHash, aliasHash: "00" } : line.stateHash;
      return [height, { ...line, stateHash }] as const;
    });
    const { differences, height } = replayChain({ ...recording, stateHashes: new Map(lines) }, { all: false });
    expect(height).toBe(2);
    expect(differences).toMatchObject([
      { kind: "block", height: 2, differences: [{ field: "aliasHash", expected: "00" }] },
    ]);
  });

  test("says why a block is refused", () => {
    const [first, , third] = recording.blocks as readonly RecordedBlock[];
    const { differences } = replayChain(
      { ...recording, blocks: [first as RecordedBlock, third as RecordedBlock] },
      { all: true },
    );
    expect(differences).toMatchObject([
      { kind: "block", height: 3, differences: [{ field: "validity", expected: "valid" }] },
    ]);
  });

  test("reads no folder that lacks a file", () => {
    expect(() => readRecording(import.meta.dirname)).toThrow(UsageError);
  });
});

test("a value that only one of two change sets has is a difference, whichever it is", () => {
  const { snapshot } = transactionAt(spoiled).snapshot;
  const full = { snapshot, status: "succeeded" } as const;
  const none = { snapshot: {}, status: "failed" } as const;
  const fields = snapshotDifferences(full, none).map(({ field }) => field);
  expect(fields).toContain("status");
  expect(fields.length).toBeGreaterThan(2);
  expect(snapshotDifferences(none, full).map(({ field }) => field)).toEqual(
    expect.arrayContaining(fields) as unknown as string[],
  );
  expect(snapshotDifferences(full, none).find(({ field }) => field !== "status")?.got).toBe("nothing");
});
