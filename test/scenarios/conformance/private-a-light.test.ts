/** Recorded chain private-a, applied by the snapshots that the reference has written of it. */
import { describe, expect, test } from "vitest";
import { importBlocks } from "../../../durable/chain-state/chain/import-blocks.ts";
import { type Chain, openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import { parseNetwork, parseSettingsJson } from "../../../src/network/parse-network.ts";
import { encodeBlockRecord, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { encodeSnapshotRecord, parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
  type TransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { type NodeDatabase, stateDatabase } from "../../../verification/sqlite/node-database.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";

import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";

const network = parseNetwork(parseSettingsJson(fixtureText("private-a/network.json")), "private-a");
const { chainId } = network.blockchain;
const blockFile = fixtureBytes("private-a/blocks.bin.gz");
const snapshotFile = fixtureBytes("private-a/snapshots.bin.gz");
const blocks = recordsOf(blockFile);
const snapshots = recordsOf(snapshotFile, snapshotRecordSizes).map(parseSnapshotRecord);
const recordedHashes = recordedLines<{ readonly height: number; readonly headerStateHash: string | null }>(
  "private-a/state-hashes.jsonl.gz",
).filter(({ headerStateHash }) => headerStateHash !== null);
/** First height whose header has a state hash. */
const firstProved = recordedHashes[0]?.height ?? Number.NaN;
const nowMs = Date.UTC(2030, 0);

interface Opened {
  readonly chain: Chain;
  readonly database: NodeDatabase;
}

function emptyChain(): Opened {
  const database = stateDatabase();
  const chain = openChain({
    store: new StateStore(database),
    settings: network.blockchain,
    transaction: database.transaction,
    maxRollbackDepth: network.node.maxRollbackDepth,
    storage: { ...network.node, storeStateHashes: true, storeSnapshots: true },
  });
  chain.liquid.ensureGenesis(0);
  return { chain, database };
}

/** Data that a light import lacks, on the reference as well. */
const unknown: Readonly<Record<string, readonly string[]>> = { tx: ["spent_complexity", "call_record"] };

type Row = Readonly<Record<string, string>>;

function rowsOf({ database }: Opened, table: string): readonly Row[] {
  const statement = database.database.prepare(`SELECT * FROM ${table}`);
  statement.setReadBigInts(true);
  const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value));
  return statement.all().map((row) => {
    const known = Object.entries(row).filter(([name]) => !unknown[table]?.includes(name));
    return Object.fromEntries(known.map(([name, value]) => [name, text(value)]));
  });
}

describe("a light import of private-a", () => {
  const full = emptyChain();
  const light = emptyChain();
  const imported = [
    importBlocks(full.chain, blockFile, { nowMs }),
    importBlocks(light.chain, blockFile, { nowMs, snapshots: snapshotFile }),
  ];

  test("applies every block", () => {
    expect(imported).toEqual([1, 2].map(() => ({ height: 105, applied: 104, fault: undefined })));
  });

  test("gives the recorded state hashes", () => {
    expect(recordedHashes.length).toBe(105 - firstProved + 1);
    for (const { height, headerStateHash } of recordedHashes) {
      const computed = encodeBase58(light.chain.view.findStateHash(height) ?? new Uint8Array());
      expect({ height, computed }).toEqual({ height, computed: headerStateHash });
    }
  });

  test.each(stateTables.map(({ name }) => name).filter((name) => name !== "tx_address"))(
    "leaves the table %s as a full import does",
    (name) => {
      expect(rowsOf(light, name)).toEqual(rowsOf(full, name));
    },
  );

  test("does not list the transaction for an unchanged account that a dApp has called", () => {
    const placeOf = (row: Row) => `${row["height"]} ${row["position"]} ${row["address"]}`;
    const [inFull, inLight] = [full, light].map((opened) => new Set(rowsOf(opened, "tx_address").map(placeOf)));
    expect([...(inLight ?? [])].filter((row) => !inFull?.has(row))).toEqual([]);
    expect((inFull?.size ?? 0) - (inLight?.size ?? 0)).toBe(2);
  });
});

/** Copies of a snapshot with one value changed, in each possible way. */
function* changesOf(value: unknown): Iterable<unknown> {
  if (typeof value === "bigint") yield value + 1n;
  else if (typeof value === "number") yield value + 1;
  else if (typeof value === "boolean") yield !value;
  else if (typeof value === "string") yield `${value.slice(0, -1)}${value.endsWith("a") ? "b" : "a"}`;
  else if (value instanceof Uint8Array) {
    const copy = Uint8Array.from(value);
    const at = copy.length >> 1;
    copy[at] = (copy[at] ?? 0) ^ 1;
    yield copy;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of changesOf(item)) yield value.with(index, changed);
      yield value.toSpliced(index, 1);
      yield [...value, item];
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, part] of Object.entries(value))
      for (const changed of changesOf(part)) yield { ...value, [name]: changed };
  }
}

/** Snapshots of a block with one value changed, one removed or one added: all different from the given ones. */
function* changedRecords(height: number, draws: SeededRandom): Iterable<readonly Uint8Array[]> {
  const sent = snapshots[height - 2] as readonly Uint8Array[];
  if (sent.length === 0) return;
  yield sent.slice(1);
  yield [...sent, sent[0] as Uint8Array];
  const { transactions } = parseBlock(blocks[height - 2] as Uint8Array, chainId);
  for (let count = 0; count < changesOfBlock; count++) {
    const index = draws.below(sent.length);
    const bytes = sent[index] as Uint8Array;
    const whole = parseTransactionSnapshot(bytes, { transactionId: transactions[index]?.id as TransactionId, chainId });
    const changes = [...changesOf(whole.snapshot)].map((snapshot) => ({ ...whole, snapshot }) as TransactionSnapshot);
    for (const status of ["succeeded", "failed", "elided"] as const)
      if (status !== whole.status) changes.push({ ...whole, status });
    const changed = encodeTransactionSnapshot(draws.pick(changes));
    if (!equalBytes(changed, bytes)) yield sent.with(index, changed);
  }
}
const changesOfBlock = 12;
const damagesOfBlock = 6;

/** Bytes with some replaced, left out or inserted. */
function damaged(bytes: Uint8Array, draws: SeededRandom): Uint8Array {
  const at = draws.below(bytes.length);
  const copy = [...bytes];
  const how = draws.below(3);
  if (how === 0) copy[at] = draws.below(256);
  else copy.splice(at, how === 1 ? draws.between(1, 40) : 0, ...(how === 2 ? draws.bytes(draws.between(1, 40)) : []));
  return Uint8Array.from(copy);
}

describe("a block of private-a", () => {
  const { chain } = emptyChain();
  const applyTo = (to: Chain, height: number, sent: readonly Uint8Array[]) =>
    importBlocks(to, encodeBlockRecord(blocks[height - 2] as Uint8Array), {
      nowMs,
      snapshots: encodeBlockRecord(encodeSnapshotRecord(sent)),
    });
  const apply = (height: number, sent: readonly Uint8Array[]) => applyTo(chain, height, sent);

  test("is refused with any value of its snapshots changed, and leaves the chain as it was", () => {
    const draws = new SeededRandom("light 15");
    let changed = 0;
    for (const [index, sent] of snapshots.entries()) {
      const height = index + 2;
      const tip = chain.stored.tip();
      if (height >= firstProved)
        for (const wrong of changedRecords(height, draws)) {
          const { applied, fault } = apply(height, wrong);
          expect({ applied, fault }).toEqual({
            applied: 0,
            fault: expect.stringContaining(`height ${height} is refused`),
          });
          changed += 1;
        }
      expect(chain.stored.tip()).toEqual(tip);
      expect(apply(height, sent)).toEqual({ height, applied: 1, fault: undefined });
    }
    expect(changed).toBeGreaterThan(500);
  });

  test("is refused, or applied all the same, with any damage to the bytes of its snapshots", () => {
    const damagedChain = emptyChain().chain;
    const draws = new SeededRandom("light 16");
    let refused = 0;
    for (const [index, sent] of snapshots.entries()) {
      const height = index + 2;
      const at = draws.below(Math.max(1, sent.length));
      const whole = sent[at];
      for (let count = 0; whole !== undefined && count < damagesOfBlock; count++) {
        if (damagedChain.view.height === height) break;
        const wrong = sent.with(at, damaged(whole, draws));
        // Before headers prove snapshots, readable ones are accepted.
        if (height >= firstProved && applyTo(damagedChain, height, wrong).applied === 0) refused += 1;
      }
      if (damagedChain.view.height < height) applyTo(damagedChain, height, sent);
      expect(damagedChain.stored.findStateSnapshots(height, 0, sent.length)).toEqual(sent);
    }
    expect(refused).toBeGreaterThan(200);
  });
});

test("a change before headers have a state hash is refused with the first header that has one", () => {
  const { chain } = emptyChain();
  const [first = new Uint8Array(), ...others] = snapshots[0] ?? [];
  const { transactions } = parseBlock(blocks[0] as Uint8Array, chainId);
  const whole = parseTransactionSnapshot(first, { transactionId: transactions[0]?.id as TransactionId, chainId });
  const [balance, ...balances] = whole.snapshot.balances ?? [];
  if (balance === undefined) throw new Error("a transaction changes a balance");
  const more = { ...whole.snapshot, balances: [{ ...balance, balance: balance.balance + 1n }, ...balances] };
  const wrong = [encodeTransactionSnapshot({ ...whole, snapshot: more }), ...others];
  const records = [wrong, ...snapshots.slice(1)].map((sent) => encodeBlockRecord(encodeSnapshotRecord(sent)));
  const { height, fault } = importBlocks(chain, blockFile, { nowMs, snapshots: concatBytes(...records) });
  expect(height).toBe(firstProved - 1);
  expect(fault).toContain("State hash is ");
});
