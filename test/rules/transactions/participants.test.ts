/** Accounts whose lists contain a transaction. @see Waves: state/NewTransactionInfo.scala */

import { describe, expect, it } from "vitest";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { LeaseId, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { affectedAddresses } from "../../../src/rules/transactions/participants.ts";
import {
  addresses,
  assetId,
  keys,
  leaseId,
  sample,
  toAlias,
  transactionId,
} from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { alice, bob, carol } = addresses;
const names = new Map(Object.entries(addresses).map(([name, address]) => [bytesKey(address), name]));
const state = new InMemoryState().with({
  aliases: [{ address: carol, alias: { chainId: 82, name: "carol" } }],
  newLeases: [
    { leaseId: leaseId(7), sender: keys.alice, recipient: bob, amount: 1n, originTransactionId: transactionId(7) },
  ],
});
const namesOf = (found: readonly Uint8Array[]) => found.map((address) => names.get(bytesKey(address)));

describe("affectedAddresses", () => {
  it("are those whose balances, leases or data changed, each once", () => {
    const snapshot = {
      balances: [
        { address: alice, asset: null, balance: 1n },
        { address: alice, asset: assetId(1), balance: 1n },
      ],
      leaseBalances: [{ address: bob, in: 1n, out: 0n }],
      accountData: [{ address: carol, entries: [] }],
    };
    expect(namesOf(affectedAddresses(sample(TransactionType.Transfer), snapshot, state, "succeeded"))).toEqual([
      "alice",
      "bob",
      "carol",
    ]);
  });

  it("are not those of a transfer that moved nothing to them", () => {
    const snapshot = { balances: [{ address: alice, asset: null, balance: 1n }] };
    expect(namesOf(affectedAddresses(sample(TransactionType.MassTransfer), snapshot, state, "succeeded"))).toEqual([
      "alice",
    ]);
  });

  it("include the dApp of a call, also of a failed one", () => {
    const snapshot = { balances: [{ address: alice, asset: null, balance: 1n }] };
    expect(namesOf(affectedAddresses(sample(TransactionType.InvokeScript), snapshot, state, "failed"))).toEqual([
      "alice",
      "bob",
    ]);
    const byAlias = sample(TransactionType.InvokeScript, { dApp: toAlias("carol") });
    expect(namesOf(affectedAddresses(byAlias, snapshot, state, "succeeded"))).toEqual(["alice", "carol"]);
    const ethereum = sample(TransactionType.Ethereum, { data: Uint8Array.of(1) });
    expect(namesOf(affectedAddresses(ethereum, snapshot, state, "succeeded"))).toEqual(["alice", "bob"]);
  });

  it.each([
    ["transfer", sample(TransactionType.Transfer, { recipient: toAlias("carol") }), ["alice", "carol"]],
    [
      "transfer to an alias without owner",
      sample(TransactionType.Transfer, { recipient: toAlias("nobody") }),
      ["alice"],
    ],
    ["lease", sample(TransactionType.Lease), ["alice", "bob"]],
    ["lease cancel", sample(TransactionType.LeaseCancel), ["alice", "bob"]],
    ["cancel of an unknown lease", sample(TransactionType.LeaseCancel, { leaseId: leaseId(8) as LeaseId }), ["alice"]],
    ["mass transfer", sample(TransactionType.MassTransfer), ["alice", "bob", "carol"]],
    ["exchange", sample(TransactionType.Exchange), ["matcher", "alice", "bob"]],
    ["Ethereum transfer", sample(TransactionType.Ethereum), ["alice", "bob"]],
    ["Ethereum call", sample(TransactionType.Ethereum, { data: Uint8Array.of(1) }), ["alice", "bob"]],
    ["call", sample(TransactionType.InvokeScript), ["alice", "bob"]],
    ["data", sample(TransactionType.Data), ["alice"]],
  ] as [string, Transaction, string[]][])("of an elided %s are those that it names", (_, transaction, expected) => {
    expect(namesOf(affectedAddresses(transaction, {}, state, "elided"))).toEqual(expected);
  });
});
