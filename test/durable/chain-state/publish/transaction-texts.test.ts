/** JSON of transactions in the read model, equal to the JSON of responses without it. */
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { d1Sink } from "../../../../durable/chain-state/publish/read-model-sink.ts";
import { completeRows, transactionText } from "../../../../durable/chain-state/publish/transaction-texts.ts";
import { openTables } from "../../../../durable/chain-state/state/open-tables.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { BlockVersion } from "../../../../src/protocol/blocks/block-version.ts";
import { parseStoredHeader } from "../../../../src/protocol/blocks/genesis-block.ts";
import { jsonText } from "../../../../src/protocol/json.ts";
import { parseSignedTransaction, parseTransaction } from "../../../../src/protocol/transactions/parse-transaction.ts";
import type { TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../../src/protocol/transactions/transaction-json.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { blockTable, transactionTable } from "../../../../src/tables/blocks.ts";
import { featureTable } from "../../../../src/tables/features.ts";
import { SCHEMA_VERSION } from "../../../../src/tables/migrations/all-migrations.ts";
import { written } from "../../../../src/tables/schema/row-change.ts";
import { rowText } from "../../../../src/tables/schema/row-text.ts";
import { readModelDifferences } from "../../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../../verification/sqlite/d1-double.ts";
import { nodeDatabase } from "../../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";
import { testPublisher } from "../../../support/builders/test-publisher.ts";
import { testStore } from "../../../support/builders/test-store.ts";
import { DatabaseCopies, storedNetwork } from "../../../support/fixtures/stored-databases.ts";

const network = storedNetwork(SCHEMA_VERSION);
const { chainId } = network.blockchain;
const copies = new DatabaseCopies();
afterAll(() => copies.remove());

function storedState(): StateStore {
  const database = testDatabase(nodeDatabase(copies.copy(SCHEMA_VERSION, "chain-state")));
  const store = new StateStore(database);
  openTables(store, network.genesisText);
  return store;
}

const textsOf = (readModel: DatabaseSync) =>
  readModel.prepare("SELECT height, position, json FROM tx ORDER BY height, position").all();

/** JSON as the routes make it: the form is that of the block's version. */
function builtTexts(store: StateStore) {
  return store.query(blockTable, "ORDER BY height").flatMap(({ height, header }) => {
    const { version } = parseStoredHeader(header, height, network.blockchain).header;
    const parse = version >= BlockVersion.Protobuf ? parseSignedTransaction : parseTransaction;
    const rows = store.query(transactionTable, "WHERE height = ? ORDER BY position", height);
    return rows.map(({ position, bytes }) => {
      const json = jsonText(transactionJson(parse(bytes, chainId)));
      return { height, position, json };
    });
  });
}

describe("every transaction has its JSON in the read model", () => {
  test("when the tables are rewritten, for all types", async () => {
    const store = storedState();
    const { d1, sqlite } = d1Double();
    await testPublisher({ store, chainId, readModel: d1Sink(d1) }).drain();
    expect(textsOf(sqlite)).toEqual(builtTexts(store));
    const types = sqlite.prepare("SELECT DISTINCT type FROM tx ORDER BY type").all();
    expect(types.map(({ type }) => type)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
  });

  test("when the outbox is published, and after blocks are rolled back", async () => {
    const store = storedState();
    const readModel = new DatabaseSync(copies.copy(SCHEMA_VERSION, "read-model"));
    const before = textsOf(readModel).length;
    const { database } = store.sql as ReturnType<typeof nodeDatabase>;
    const publisher = testPublisher({ store, chainId, readModel: d1Sink(d1Double(readModel).d1) });
    await publisher.drain();
    const texts = textsOf(readModel);
    expect(texts.length).toBeGreaterThan(before);
    expect(texts).toEqual(builtTexts(store));
    const { height = 0 } = store.query(blockTable, "ORDER BY height DESC LIMIT 1")[0] ?? {};
    store.rollbackTo({ height: height - 3, step: Number.MAX_SAFE_INTEGER });
    await publisher.drain();
    expect(textsOf(readModel)).toEqual(builtTexts(store));
    expect(readModelDifferences(database, readModel)).toEqual([]);
  });
});

describe("rows on their way to the read model", () => {
  const row = storedState().query(transactionTable, "WHERE height > 1 LIMIT 1")[0] as typeof transactionTable.row &
    object;
  const complete = (...rows: (typeof row)[]) => {
    const { store } = testStore();
    store.commit({ height: 1, step: 0 }, [written(featureTable, { id: 15, activationHeight: 0 })]);
    return completeRows(store, chainId)(
      transactionTable,
      `[${rows.map((given) => rowText(transactionTable, given)).join(",")}]`,
    ).map((part) => JSON.parse(part) as unknown[][]);
  };
  const own = JSON.parse(rowText(transactionTable, row)) as unknown[];

  test("have the JSON after their cells, in their order", () => {
    const json = transactionText(row, { protobufSince: 1, chainId });
    const second = { ...row, position: row.position + 1 };
    const [, , , ...rest] = own;
    expect(complete(row, second)).toEqual([
      [
        [...own, json],
        [own[0], own[1], second.position, ...rest, json],
      ],
    ]);
  });

  test("omit it if the two would be longer than a parameter, and use as many parameters as they need", () => {
    const long = (sizeBytes: number) => ({ ...row, snapshot: new Uint8Array(sizeBytes) });
    const lengthOf = (part: unknown[][]) => part.map((cells) => cells.length);
    expect(complete(long(300_000)).map(lengthOf)).toEqual([[own.length + 1]]);
    expect(complete(long(333_000)).map(lengthOf)).toEqual([[own.length]]);
    expect(complete(long(200_000), long(200_000)).map(lengthOf)).toEqual([[own.length + 1], [own.length + 1]]);
  });

  test("omit it if the bytes are of another form than the chain now has", () => {
    expect(transactionText(row, { protobufSince: Number.POSITIVE_INFINITY, chainId })).toBeUndefined();
    expect(complete({ ...row, height: 1 })).toEqual([[[own[0], 1, ...own.slice(2)]]]);
  });

  test("of other tables stay as they are", () => {
    const rows = '[["name","00",0]]';
    expect(completeRows(testStore().store, chainId)(aliasTable, rows)).toEqual([rows]);
  });
});

test("any other error is no reason to omit it", () => {
  const broken = { id: new Uint8Array(32) as TransactionId, height: 2, bytes: undefined as unknown as Uint8Array };
  expect(() => transactionText(broken, { protobufSince: 1, chainId })).toThrow(TypeError);
});
