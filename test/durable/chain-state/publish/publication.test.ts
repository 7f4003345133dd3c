/** Record of the read model: its last batch, that batch's content, and batches that may still be applied. */
import { describe, expect, test } from "vitest";
import { Publication, type SentBatch } from "../../../../durable/chain-state/publish/publication.ts";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { insertRow } from "../../../../durable/sql/plain-rows.ts";
import { outboxTable } from "../../../../src/tables/journal.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const tip = { height: 3, transactions: 2 };
const later = { height: 9, transactions: 5 };

function arrange(waiting = 0) {
  const { store } = testStore();
  const publication = new Publication(store, { genesis: "genesis", drawn: "drawn", historyFrom: 1, tip });
  for (let count = 0; count < waiting; count++)
    insertRow(store.sql, outboxTable, { tableNumber: 0, removes: false, rows: "[[1]]" });
  return { store, publication };
}

const sentBatch = (fields: Partial<SentBatch> = {}): SentBatch => ({
  ...{ batch: "b1", sequence: 2, isWhole: true },
  ...fields,
});
const publishedIn = (store: StateStore) => store.rows("SELECT shown_height, shown_transactions FROM publication")[0];
const waitingIn = (store: StateStore) => store.rows("SELECT seq FROM outbox ORDER BY seq").map(([seq]) => Number(seq));

test("a database without a recorded read model rewrites it, and counts the chain so far as published", () => {
  const { store, publication } = arrange();
  expect(publication).toMatchObject({ sequence: 0, batch: undefined, copied: { step: "clear" } });
  expect(publication.identity).toMatch(/^genesis\/drawn\./);
  expect(publishedIn(store)).toEqual([tip.height, tip.transactions]);
  const again = new Publication(store, { genesis: "genesis", drawn: "other", historyFrom: 1, tip: later });
  expect(again.identity).toBe(publication.identity);
  expect(publishedIn(store)).toEqual([tip.height, tip.transactions]);
});

test("each batch has a name of its own", () => {
  const { publication } = arrange();
  const names = Array.from({ length: 5 }, () => publication.newName());
  expect(new Set([...names, publication.identity]).size).toBe(6);
});

describe("an applied batch", () => {
  test("removes its outbox entries, and records its progress with the tables", () => {
    const { store, publication } = arrange(4);
    publication.sending(sentBatch(), later);
    publication.landed("b1");
    expect(publication).toMatchObject({ sequence: 2, batch: "b1", copied: undefined });
    expect(waitingIn(store)).toEqual([3, 4]);
  });

  test("publishes the chain up to the tip of its time if it made the read model whole, and no more of it if not", () => {
    const { store, publication } = arrange();
    publication.sending(sentBatch({ isWhole: false, copied: { step: "copy", table: 4, upTo: [1, "a"] } }), later);
    publication.landed("b1");
    expect(publication.copied).toEqual({ step: "copy", table: 4, upTo: [1, "a"] });
    expect(publishedIn(store)).toEqual([tip.height, tip.transactions]);
    publication.sending(sentBatch({ batch: "b2" }), later);
    publication.landed("b2");
    expect(publishedIn(store)).toEqual([later.height, later.transactions]);
  });

  test("is the only one of those that were sent: the others can no longer be applied", () => {
    const { publication } = arrange();
    for (const batch of ["b1", "b2"]) publication.sending(sentBatch({ batch }), later);
    publication.landed("b2");
    expect(() => publication.landed("b1")).toThrow("the batch b1 was not sent");
    expect(publication.batch).toBe("b2");
  });
});

describe("a read model that reports its last batch", () => {
  test("is recognized by the batch that was applied last, and by none if there was none", () => {
    const { publication } = arrange();
    expect(publication.meet(undefined)).toBe(true);
    expect(publication.meet("b1")).toBe(false);
    publication.sending(sentBatch(), later);
    publication.landed("b1");
    expect(publication.meet("b1")).toBe(true);
    expect(publication.meet(undefined)).toBe(false);
    expect(publication.meet("b0")).toBe(false);
  });

  test("is recognized by a batch without a response, which then was applied", () => {
    const { publication } = arrange();
    publication.sending(sentBatch({ sequence: 7 }), later);
    expect(publication.meet("b1")).toBe(true);
    expect(publication).toMatchObject({ sequence: 7, batch: "b1" });
  });

  test("may have one of the last sixteen that were sent", () => {
    const { publication } = arrange();
    for (let number = 1; number <= 17; number++) publication.sending(sentBatch({ batch: `b${number}` }), later);
    expect(publication.meet("b1")).toBe(false);
    expect(publication.meet("b2")).toBe(true);
  });
});

describe("a read model that is rewritten", () => {
  test("is another one: earlier batches cannot be applied in it, and pending changes are in the tables", () => {
    const { store, publication } = arrange(3);
    const { identity } = publication;
    publication.sending(sentBatch(), later);
    publication.restart("foreign");
    expect(publication).toMatchObject({ batch: "foreign", sequence: 3, copied: { step: "clear" } });
    expect(publication.identity).not.toBe(identity);
    expect(waitingIn(store)).toEqual([]);
    expect(publication.meet("b1")).toBe(false);
    expect(publishedIn(store)).toEqual([tip.height, tip.transactions]);
  });

  test("is copied from the first table on, once it is empty", () => {
    const { store, publication } = arrange(2);
    publication.sending(sentBatch({ isWhole: false, sequence: 0, copied: { step: "clear" } }), later);
    publication.landed("b1");
    const { identity } = publication;
    publication.startCopying();
    expect(publication).toMatchObject({ batch: "b1", sequence: 2, copied: { step: "copy", table: 0 }, identity });
    expect(waitingIn(store)).toEqual([]);
    publication.startCopying();
    expect(publication.sequence).toBe(2);
  });
});
