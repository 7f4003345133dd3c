/**
 * After any failures of batches, of D1 and of the object, D1 shows whole states of the past or none, and in the end the
 * current one.
 */
import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Publisher } from "../../../durable/chain-state/publish/publisher.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { aliasTable } from "../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../src/tables/data-entries.ts";
import { type RowChange, removed, written } from "../../../src/tables/schema/row-change.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import { testStore } from "../../support/builders/test-store.ts";
import { type BatchFate, copyOf, UnreliableReadModel } from "../../support/fakes/unreliable-read-model.ts";

const addressOf = (number: number) => new Uint8Array(26).fill(number) as Address;
const small = fc.integer({ min: 0, max: 9 });
/** Large enough for a few of them to fill a batch of copied rows. */
const largeBytes = 400_000;

const change: fc.Arbitrary<RowChange> = fc.oneof(
  fc
    .tuple(small, small)
    .map(([number, balance]) =>
      written(accountTable, { address: addressOf(number), balance: BigInt(balance), leaseIn: 0n, leaseOut: 0n }),
    ),
  small.map((number) => removed(accountTable, { address: addressOf(number) })),
  fc
    .tuple(small, small)
    .map(([name, owner]) => written(aliasTable, { name: `${name}`, address: addressOf(owner), takenOver: false })),
  small.map((name) => removed(aliasTable, { name: `${name}` })),
  fc.tuple(small, small).map(([number, byte]) => {
    const value = { type: "binary", value: new Uint8Array(largeBytes).fill(byte) } as const;
    return written(dataEntryTable, { address: addressOf(number), key: "", value });
  }),
);

type Event =
  | { readonly kind: "step"; readonly changes: readonly RowChange[] }
  | { readonly kind: "publish"; readonly fates: BatchFate[] }
  | { readonly kind: "take back"; readonly steps: number }
  | { readonly kind: "restart" | "deliver" | "lose" | "keep" | "restore" | "look" };

const fate = fc.constantFrom<BatchFate>("lands", "lands", "lands", "is lost", "lands unheard", "is late");
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("step" as const), changes: fc.array(change, { maxLength: 4 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("publish" as const), fates: fc.array(fate, { maxLength: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("take back" as const), steps: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("restart", "deliver", "lose", "keep", "restore", "look" as const) }),
  },
);

/** Published rows that the events change. */
function contentOf(database: DatabaseSync): string {
  return JSON.stringify([
    database.prepare("SELECT hex(address) AS address, balance FROM account ORDER BY address").all(),
    database.prepare("SELECT name, hex(address) AS address FROM alias ORDER BY name").all(),
    database.prepare("SELECT hex(address) AS address, hex(substr(value, 1, 2)) FROM data_entry ORDER BY address").all(),
  ]);
}

async function run(events: readonly Event[]): Promise<void> {
  const { store, database } = testStore();
  const readModel = new UnreliableReadModel();
  /** Content of the tables by the version of the state. */
  const contents = new Map<string, string>();
  let height = 0;
  let version = 0;
  let backup: DatabaseSync | undefined;
  const record = (): void => {
    version += 1;
    contents.set(`version ${version}`, contentOf(database.database));
  };
  const start = (): Publisher =>
    testPublisher({ store, readModel, state: () => ({ version: `version ${version}`, height }) });
  const expectNoMixture = (): void => {
    const chain = readModel.sqlite.prepare("SELECT version, is_whole FROM chain").get();
    if (chain?.["is_whole"] === 1) expect(contentOf(readModel.sqlite)).toBe(contents.get(String(chain["version"])));
  };
  record();
  let publisher = start();
  readModel.afterEach = expectNoMixture;
  const outcomes: { readonly [Kind in Event["kind"]]: (event: Extract<Event, { kind: Kind }>) => unknown } = {
    step: ({ changes }) => {
      height += 1;
      store.commit({ height, step: 0 }, changes);
      record();
    },
    publish: ({ fates }) => {
      readModel.fates = [...fates];
      return publisher.drain().catch(() => {});
    },
    "take back": ({ steps }) => {
      height = Math.max(height - steps, 0);
      store.rollbackTo({ height, step: 0 });
      record();
    },
    restart: () => {
      publisher = start();
    },
    deliver: () => readModel.deliver().catch(() => {}),
    lose: () => {
      readModel.sqlite = d1Double().sqlite;
    },
    keep: () => {
      backup = copyOf(readModel.sqlite);
    },
    restore: () => {
      if (backup !== undefined) readModel.sqlite = copyOf(backup);
    },
    look: () => publisher.lookAgain(),
  };
  for (const happening of events) {
    await (outcomes[happening.kind] as (event: Event) => unknown)(happening);
    expectNoMixture();
  }
  readModel.fates = [];
  for (let tries = 0; tries < 4; tries++) {
    publisher.lookAgain();
    await publisher.drain().catch(() => {});
  }
  expect(readModelDifferences(database.database, readModel.sqlite)).toEqual([]);
  expect(readModel.chain?.is_whole).toBe(1);
  expect(publisher.isUpToDate).toBe(true);
}

test("it shows whole states or none, and in the end the current one", async () => {
  await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), run), { numRuns: 150 });
});
