/** Transactions and orders as objects of scripts. @see Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala */

import { describe, expect, it } from "vitest";
import { addressOfEthereumKey } from "../../../src/crypto/ethereum-key.ts";
import { libraryVersions } from "../../../src/protocol/transactions/library-versions.ts";
import { allFormats } from "../../../src/protocol/transactions/table.ts";
import type { DataEntry, Script } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { NativeFailure } from "../../../src/ride/execution-error.ts";
import { objectTypesOf } from "../../../src/ride/functions/types.ts";
import type { EntityShape } from "../../../src/ride/objects/entity-fields.ts";
import { findPaymentsError } from "../../../src/ride/objects/invoke-object.ts";
import { orderObject } from "../../../src/ride/objects/order-object.ts";
import { type ScriptTransaction, transactionObject } from "../../../src/ride/objects/transaction-object.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, type Structure, unit, type Value } from "../../../src/ride/values/value.ts";
import {
  addresses,
  assetId,
  chainId,
  keys,
  sample,
  sampleOrder,
  toAlias,
} from "../../support/builders/sample-transactions.ts";

const shape = (libraryVersion: number, hasProofs = true): EntityShape => ({
  libraryVersion,
  hasProofs,
  hasFixedScriptField: true,
});
/** First version of the library that knows a type; by default the first version. */
const knownSince: ReadonlyMap<TransactionType, number> = new Map([
  [TransactionType.InvokeScript, 3],
  [TransactionType.UpdateAssetInfo, 4],
  [TransactionType.CommitToGeneration, 9],
]);
/** Ethereum transactions are shown as transfers and calls. */
const objectTypes = allFormats
  .filter(({ type }) => type !== TransactionType.Ethereum)
  .map(({ type }) => [type, knownSince.get(type) ?? 1] as const);
const field = (object: Structure, ...path: string[]): Value => {
  let value: Value = object;
  for (const name of path) value = (value as Structure).fields.get(name) as Value;
  return value;
};

describe("transactions", () => {
  for (const [type, since] of objectTypes) {
    it(`of type ${type} have the fields that the library declares`, () => {
      const transaction = sample(type) as ScriptTransaction;
      for (const libraryVersion of libraryVersions.filter((version) => version >= since)) {
        for (const guards of ["account", "asset"] as const) {
          const object = transactionObject(transaction, shape(libraryVersion, guards === "account"));
          const declared = objectTypesOf({ libraryVersion, content: "expression", guards }).get(object.type);
          // Declared, but never set.
          const fields = declared?.fields.filter(
            (name) => type !== TransactionType.MassTransfer || name !== "feeAssetId",
          );
          expect({ libraryVersion, guards, fields: [...object.fields.keys()].sort() }).toEqual({
            libraryVersion,
            guards,
            fields: fields?.toSorted(),
          });
        }
      }
    });
  }

  it("show eight proofs, with empty ones at the end", () => {
    const proofs = transactionObject(sample(TransactionType.Transfer), shape(6)).fields.get("proofs") as List;
    expect(proofs.items).toEqual([new Uint8Array(64), ...new Array(7).fill(new Uint8Array(0))]);
    expect(transactionObject(sample(TransactionType.Transfer), shape(6, false)).fields.has("proofs")).toBe(false);
  });

  it("show sender, body and header", () => {
    const transfer = sample(TransactionType.Transfer);
    const object = transactionObject(transfer, shape(6));
    expect(field(object, "sender", "bytes")).toEqual(addresses.alice);
    expect(field(object, "senderPublicKey")).toEqual(keys.alice);
    expect(field(object, "bodyBytes")).toEqual(transfer.bodyBytes);
    expect([field(object, "fee"), field(object, "timestamp"), field(object, "version")]).toEqual([
      transfer.fee,
      transfer.timestamp,
      2n,
    ]);
  });

  it("of types without versions have version 1", () => {
    expect(field(transactionObject(sample(TransactionType.Genesis), shape(1)), "version")).toBe(1n);
    expect(field(transactionObject(sample(TransactionType.Payment), shape(1)), "version")).toBe(1n);
  });

  it("show a body that is too long for versions up to 3 from version 4 on", () => {
    const long = sample(TransactionType.Data, { bodyBytes: new Uint8Array(153_601) });
    expect(() => transactionObject(long, shape(3))).toThrow("ByteStr size=153601 exceeds 153600 bytes");
    expect(transactionObject(long, shape(4)).type).toBe("DataTransaction");
  });

  it("have the weight limit of objects that scripts construct", () => {
    const data = (payloadBytes: number) => {
      const valueBytes = payloadBytes - 300;
      return Array.from({ length: 100 }, (_, index) => ({
        key: `k${String(index).padStart(2, "0")}`,
        value: { type: "binary", value: new Uint8Array(Math.floor((valueBytes + 99 - index) / 100)) },
      })) satisfies DataEntry[];
    };
    const heavy = (payloadBytes: number) =>
      sample(TransactionType.Data, { data: data(payloadBytes), bodyBytes: new Uint8Array(payloadBytes + 857) });
    expect(transactionObject(heavy(165_574), shape(6)).weight).toBe(344_763);
    expect(() => transactionObject(heavy(165_575), shape(6))).toThrow(
      new NativeFailure(
        "java.lang.Exception",
        "the object DataTransaction is too heavy. Actual weight: 344765, limit: 344764",
      ),
    );
    // Without proofs it is lighter.
    expect(transactionObject(heavy(165_575), shape(6, false)).weight).toBe(344_765 - 30 - 20 - 8 * 20 - 64);
  });

  it("name recipients as they were written", () => {
    const object = transactionObject(sample(TransactionType.Transfer, { recipient: toAlias("alice") }), shape(6));
    const recipient = field(object, "recipient") as Structure;
    expect([recipient.type, (field(recipient, "alias") as Text).text]).toEqual(["Alias", "alice"]);
  });

  it("show texts of assets as bytes up to version 3", () => {
    expect(field(transactionObject(sample(TransactionType.Issue), shape(3)), "name")).toEqual(
      new TextEncoder().encode("Token"),
    );
    expect(field(transactionObject(sample(TransactionType.Issue), shape(4)), "name")).toEqual(new Text("Token"));
  });

  it("show long scripts from feature 18 on only", () => {
    const script = new Uint8Array(32_768) as Script;
    const early = { ...shape(6), hasFixedScriptField: false };
    expect(field(transactionObject(sample(TransactionType.SetScript, { script }), early), "script")).toBe(unit);
    expect(field(transactionObject(sample(TransactionType.SetScript, { script }), shape(6)), "script")).toBe(script);
    const short = new Uint8Array(32_767) as Script;
    expect(field(transactionObject(sample(TransactionType.SetScript, { script: short }), early), "script")).toBe(short);
  });

  it("show data entries of one type up to version 3, and of a type for each kind of value later", () => {
    const data = [
      { key: "i", value: { type: "integer", value: 1n } },
      { key: "s", value: { type: "string", value: "x" } },
      { key: "gone", value: null },
    ] as const;
    const typesIn = (version: number) =>
      (field(transactionObject(sample(TransactionType.Data, { data }), shape(version)), "data") as List).items.map(
        (item) => (item as Structure).type,
      );
    expect(typesIn(3)).toEqual(["DataEntry", "DataEntry", "DeleteEntry"]);
    expect(typesIn(4)).toEqual(["IntegerEntry", "StringEntry", "DeleteEntry"]);
  });

  it("show the buy order of an exchange first, in either order", () => {
    const { order1, order2, ...rest } = sample(TransactionType.Exchange);
    const object = transactionObject({ ...rest, order1: order2, order2: order1 }, shape(6));
    expect((field(object, "buyOrder", "orderType") as Structure).type).toBe("Buy");
    expect((field(object, "sellOrder", "orderType") as Structure).type).toBe("Sell");
  });

  it("show the sum of a mass transfer", () => {
    const object = transactionObject(sample(TransactionType.MassTransfer), shape(6));
    expect([field(object, "transferCount"), field(object, "totalAmount")]).toEqual([2n, 30n]);
  });
});

describe("calls", () => {
  it("without a function call the default one", () => {
    const object = transactionObject(sample(TransactionType.InvokeScript), shape(6));
    expect(field(object, "function")).toEqual(new Text("default"));
    expect((field(object, "args") as List).items).toEqual([]);
  });

  it("show their arguments", () => {
    const args = [
      { type: "integer", value: 5n },
      { type: "list", value: [{ type: "string", value: "x" }] },
    ] as const;
    const object = transactionObject(sample(TransactionType.InvokeScript, { call: { function: "f", args } }), shape(6));
    expect((field(object, "args") as List).items).toEqual([5n, new List([new Text("x")])]);
  });

  it("show one payment or none up to version 3, and a list later", () => {
    const payments = [{ amount: 5n, asset: assetId(1) }];
    expect(field(transactionObject(sample(TransactionType.InvokeScript), shape(3)), "payment")).toBe(unit);
    expect(
      field(transactionObject(sample(TransactionType.InvokeScript, { payments }), shape(3)), "payment", "amount"),
    ).toBe(5n);
    expect(
      (field(transactionObject(sample(TransactionType.InvokeScript, { payments }), shape(4)), "payments") as List)
        .items,
    ).toHaveLength(1);
  });

  it("may carry as many payments as the script's version lets it see", () => {
    const options = { allowsSeveral: true, script: "DApp" };
    expect(findPaymentsError(1, { ...options, libraryVersion: 3 })).toBeUndefined();
    expect(findPaymentsError(2, { ...options, libraryVersion: 3 })).toBe(
      "DApp version 3 < 4 doesn't support multiple payment attachment",
    );
    expect(findPaymentsError(2, { ...options, allowsSeveral: false, libraryVersion: 4 })).toBe(
      "Multiple payments isn't allowed now",
    );
    expect(findPaymentsError(3, { ...options, libraryVersion: 4 })).toBe("Script payment amount=3 should not exceed 2");
    expect(findPaymentsError(10, { ...options, libraryVersion: 5 })).toBeUndefined();
    expect(findPaymentsError(11, { ...options, libraryVersion: 5 })).toBe(
      "Script payment amount=11 should not exceed 10",
    );
  });
});

describe("orders", () => {
  it("have the fields that the library declares", () => {
    for (const libraryVersion of libraryVersions) {
      const object = orderObject(sampleOrder(), shape(libraryVersion));
      const declared = objectTypesOf({ libraryVersion, content: "expression", guards: "account" }).get("Order");
      expect([...object.fields.keys()].sort()).toEqual(declared?.fields.toSorted());
    }
  });

  it("show their proofs to asset scripts of every version but 3", () => {
    const shows = (version: number) => orderObject(sampleOrder(), shape(version, false)).fields.has("proofs");
    expect(libraryVersions.filter(shows)).toEqual([1, 2, 4, 5, 6, 7, 8, 9]);
  });

  it("show their attachment from version 8 on", () => {
    const attachment = Uint8Array.of(1);
    expect(field(orderObject(sampleOrder({ attachment }), shape(8)), "attachment")).toBe(attachment);
    expect(field(orderObject(sampleOrder(), shape(8)), "attachment")).toBe(unit);
  });

  it("of Ethereum wallets have the wallet's address and its key of 64 bytes", () => {
    const sender = new Uint8Array(64).fill(9);
    const object = orderObject(sampleOrder({ sender }), shape(6));
    expect(field(object, "sender", "bytes")).toEqual(addressOfEthereumKey(sender, chainId));
    expect(field(object, "senderPublicKey")).toBe(sender);
  });
});
