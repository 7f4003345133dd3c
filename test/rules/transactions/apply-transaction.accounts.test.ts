/**
 * Aliases, data, account scripts.
 * @see Waves: state/diffs/{CreateAliasTransactionDiff,DataTransactionDiff,…}.scala
 */

import { describe, expect, it } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { DataEntry } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { addresses, context, keys, sample, violationOf } from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const rich = (options: StateOptions = {}): InMemoryState => new InMemoryState(options).withBalance(alice, 100_000_000n);
const afterFee = (fee: bigint) => [{ address: alice, asset: null, balance: 100_000_000n - fee }];
const only = (...features: number[]): StateOptions => ({ features: new Map(features.map((id) => [id, 0])) });

describe("create alias", () => {
  const alias = { chainId: 82, name: "alice" };

  it("names the sender", () => {
    expect(applyTransaction(sample(TransactionType.CreateAlias), rich(), context).snapshot).toEqual({
      balances: afterFee(100_000n),
      aliases: [{ address: alice, alias }],
    });
  });

  it("refuses an alias that has an owner, from feature 5 on", () => {
    const taken = (options: StateOptions = {}): InMemoryState =>
      rich(options).with({ aliases: [{ address: bob, alias }] });
    expect(violationOf(() => applyTransaction(sample(TransactionType.CreateAlias), taken(), context))).toEqual({
      code: "aliasTaken",
      alias,
      owner: bob,
    });
    const early = taken(only(Feature.SmartAccounts));
    expect(applyTransaction(sample(TransactionType.CreateAlias), early, context).snapshot.aliases).toEqual([
      { address: alice, alias },
    ]);
  });

  it("refuses a second proof before feature 17 by a rule of its own", () => {
    const proofs = [new Uint8Array(64), new Uint8Array(64)];
    const scripted = rich(only(Feature.SmartAccounts));
    // The rule of one proof for accounts without a script precedes.
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.CreateAlias, { proofs }), scripted, context)),
    ).toMatchObject({
      code: "proofCountWrong",
      count: 2,
    });
  });
});

describe("data", () => {
  it("writes the entries to the sender's storage", () => {
    const data: DataEntry[] = [
      { key: "a", value: { type: "integer", value: 5n } },
      { key: "b", value: null },
    ];
    expect(applyTransaction(sample(TransactionType.Data, { version: 2, data }), rich(), context).snapshot).toEqual({
      balances: afterFee(100_000n),
      accountData: [{ address: alice, entries: data }],
    });
  });

  const text = (key: string, sizeBytes: number): DataEntry => ({
    key,
    value: { type: "string", value: "x".repeat(sizeBytes) },
  });

  it("holds up to 165,835 bytes of keys and values from feature 17 on", () => {
    // Six keys of one byte, 5 * 32,767 + 1,994 bytes of text.
    const full = [...["a", "b", "c", "d"].map((key) => text(key, 32_767)), text("e", 32_767), text("f", 1_994)];
    expect(
      applyTransaction(sample(TransactionType.Data, { version: 2, data: full, fee: 16_200_000n }), rich(), context)
        .status,
    ).toBe("succeeded");
    const more = [...full, text("g", 0)];
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Data, { version: 2, data: more, fee: 20_000_000n }), rich(), context),
      ),
    ).toEqual({ code: "tooBig", what: "data payload", sizeBytes: 165_836, limit: 165_835 });
  });

  it("in version 1 is limited by its own bytes before feature 17", () => {
    const state = (): InMemoryState => rich(only(Feature.DataTransaction));
    const size = (sizeBytes: number) => sample(TransactionType.Data, { bytes: new Uint8Array(sizeBytes) });
    expect(applyTransaction(size(153_600), state(), context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(size(153_601), state(), context))).toEqual({
      code: "tooBig",
      what: "data transaction",
      sizeBytes: 153_601,
      limit: 153_600,
    });
  });

  it("in version 1 has keys of up to 100 UTF-16 units before feature 17, of 400 bytes after", () => {
    const keyed = (key: string) => sample(TransactionType.Data, { data: [text(key, 1)] });
    const early = rich(only(Feature.DataTransaction));
    expect(applyTransaction(keyed("ä".repeat(100)), early, context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(keyed("k".repeat(101)), early, context))).toMatchObject({ limit: 100 });
    expect(applyTransaction(keyed("k".repeat(400)), rich(), context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(keyed("ä".repeat(201)), rich(), context))).toMatchObject({
      sizeBytes: 402,
      limit: 400,
    });
  });

  it("in version 2 is limited by its protobuf message between features 15 and 17", () => {
    const state = (): InMemoryState => rich(only(Feature.DataTransaction, Feature.BlockV5));
    // Entry: tag and length (4), key with tag and length (3), value with tag and length (4 or 3); the last one: tag and
    // length (3), key (3), value tag and length (3).
    const entries = (last: number) => [..."abcde"].map((key) => text(key, 32_767)).concat(text("f", last));
    const overhead = 5 * (4 + 3 + 4) + (3 + 3 + 3);
    const exact = 165_890 - overhead - 5 * 32_767;
    expect(
      applyTransaction(sample(TransactionType.Data, { version: 2, data: entries(exact) }), state(), context).status,
    ).toBe("succeeded");
    expect(
      violationOf(() =>
        applyTransaction(sample(TransactionType.Data, { version: 2, data: entries(exact + 1) }), state(), context),
      ),
    ).toEqual({
      code: "tooBig",
      what: "data message",
      sizeBytes: 165_891,
      limit: 165_890,
    });
  });
});

describe("account script", () => {
  it("is removed", () => {
    expect(applyTransaction(sample(TransactionType.SetScript), rich(), context).snapshot).toEqual({
      balances: afterFee(100_000n),
      accountScripts: [{ publicKey: keys.alice, script: null, verifierComplexity: 0n }],
    });
  });
});
