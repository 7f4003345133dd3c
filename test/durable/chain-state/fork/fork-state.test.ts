import { expect, test } from "vitest";
import { ForkState } from "../../../../durable/chain-state/fork/fork-state.ts";
import { ForkView } from "../../../../durable/chain-state/fork/fork-view.ts";
import { KnownRemoteState } from "../../../../durable/chain-state/fork/known-remote-state.ts";
import { RemoteNode } from "../../../../durable/chain-state/fork/remote-node.ts";
import { UnsupportedRemoteState } from "../../../../durable/chain-state/fork/unsupported-remote-state.ts";
import { decodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import type { ForkSource } from "../../../../src/network/fork-source.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { entryStateKey } from "../../../../src/network/remote-state-key.ts";
import { RemoteStateMissing } from "../../../../src/rules/state/remote-state-missing.ts";
import { dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { removed } from "../../../../src/tables/schema/row-change.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const account = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const address = decodeBase58(account) as Uint8Array as Address;
const source = { url: "http://127.0.0.1:1", height: 10, isExact: true } as ForkSource;

/** Fork of a node that responds by the path. */
function forkOf(responses: Record<string, unknown>, { isExact = true } = {}) {
  const { store } = testStore();
  const requests: string[] = [];
  const messages: string[] = [];
  const known = new KnownRemoteState(store.sql);
  const settings = privateNetwork.blockchain;
  const view = new ForkView({ store, settings, known, forkHeight: source.height, exemption: undefined });
  const remote = new RemoteNode({
    url: source.url,
    fetch: async (url) => {
      const path = url.slice(source.url.length);
      requests.push(path);
      if (!(path in responses)) throw new Error("gone");
      return new Response(JSON.stringify(responses[path]));
    },
    pause: async () => {},
  });
  const state = new ForkState({
    ...{ source: { ...source, isExact }, settings, store, view, known, remote },
    addBaseRows: (rows) => {
      store.putBase(rows());
      store.flush();
    },
    log: (message) => messages.push(message),
  });
  return { store, view, state, requests, messages, responses };
}

const entries = `/addresses/data/${account}`;
const newest = `/transactions/address/${account}/limit/1`;
const unchanged = { [entries]: [{ key: "one", type: "integer", value: 1 }], [newest]: [[{ id: "", height: 10 }]] };

test("state that was never fetched is not absent", () => {
  const { view } = forkOf({});
  expect(() => view.findData(address, "one")).toThrow(RemoteStateMissing);
  expect(() => view.balance(address, null)).toThrow(RemoteStateMissing);
  expect(() => view.findAccountScript(address)).toThrow(RemoteStateMissing);
});

test("missing state is fetched, and the query runs again", async () => {
  const { view, state, requests } = forkOf(unchanged);
  expect(await state.attempt(() => view.findData(address, "one"))).toEqual({ type: "integer", value: 1n });
  expect(view.findData(address, "one")).toEqual({ type: "integer", value: 1n });
  expect(requests).toEqual([entries, newest]);
});

test("the missing state of one query is fetched in one batch", async () => {
  const { view, state } = forkOf(unchanged);
  let runs = 0;
  await state.prefetch(() => {
    runs += 1;
    return [view.findData(address, "one"), view.findData(address, "two")];
  });
  expect(runs).toBe(2);
  expect(view.isKnown(entryStateKey(address, "two"))).toBe(true);
});

test("a deleted row does not return with another response", async () => {
  const { view, state, store } = forkOf(unchanged);
  await state.attempt(() => view.findData(address, "one"));
  store.commit({ height: 11, step: 0 }, [removed(dataEntryTable, { address, key: "one" })]);
  await state.fetchAll([{ kind: "entries", of: account }]);
  expect(view.findData(address, "one")).toBeUndefined();
  store.rollbackTo({ height: 10, step: 0 });
  expect(view.findData(address, "one")).toEqual({ type: "integer", value: 1n });
});

test("an exact fork refuses an account that has changed since", async () => {
  const { view, state } = forkOf({ ...unchanged, [newest]: [[{ id: "", height: 11 }]] });
  await expect(state.attempt(() => view.findData(address, "one"))).rejects.toThrow(UnsupportedRemoteState);
  expect(view.isKnown(entryStateKey(address, "one"))).toBe(false);
});

test("another fork accepts it as it is now, and logs it once", async () => {
  const { view, state, messages } = forkOf({ ...unchanged, [newest]: [[{ id: "", height: 11 }]] }, { isExact: false });
  await state.attempt(() => [view.findData(address, "one"), view.findData(address, "two")]);
  expect(messages).toEqual([
    expect.stringContaining(`${account} has changed at height 11, after the fork's height 10`),
  ]);
});

test("a response is not requested again, even if the rows are gone", async () => {
  const { view, state, store, responses } = forkOf({ ...unchanged });
  await state.attempt(() => view.findData(address, "one"));
  for (const path of Object.keys(responses)) delete responses[path];
  store.rows("DELETE FROM data_entry");
  store.rows("DELETE FROM fork_fact");
  store.forgetCache();
  view.refresh();
  expect(await state.attempt(() => view.findData(address, "one"))).toEqual({ type: "integer", value: 1n });
});

test("an unreachable node leaves the requested state unknown", async () => {
  const { view, state } = forkOf({});
  await expect(state.attempt(() => view.findData(address, "one"))).rejects.toThrow(`to ${entries} failed: gone`);
  expect(view.isKnown(entryStateKey(address, "one"))).toBe(false);
});

test("an account whose block the other network's tip challenges is fetched once another block has come", async () => {
  const details = `/addresses/balance/details/${account}`;
  const atHeight = `/addresses/balance?height=10&address=${account}`;
  const balances = { address: account, regular: 100, generating: 0, available: 60, effective: 0 };
  const { view, state, responses } = forkOf({
    ...unchanged,
    [details]: balances,
    [atHeight]: [{ id: account, balance: 100 }],
  });
  const lease = () => state.attempt(() => view.leaseBalance(address));
  await expect(lease()).rejects.toThrow("its balances are available again with the next one");
  responses[details] = { ...balances, effective: 67 };
  expect(await lease()).toEqual({ in: 7n, out: 40n });
  expect(view.minimumEffectiveBalance(address, 9, 10)).toBe(0n);
});
