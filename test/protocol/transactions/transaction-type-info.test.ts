import { expect, it } from "vitest";
import { carriesSignature } from "../../../src/protocol/transactions/legacy-form.ts";
import { allFormats } from "../../../src/protocol/transactions/table.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";

const typesWhere = (holds: (format: (typeof allFormats)[number]) => boolean): readonly TransactionType[] =>
  allFormats.filter(holds).map(({ type }) => type);

it("only version 1 of payments to aliases carries a signature in place of proofs", () => {
  const { Payment, CreateAlias } = TransactionType;
  for (const format of allFormats) {
    for (let version = 1; version <= format.maxVersion; version++) {
      const expected = version === 1 && format.type >= Payment && format.type <= CreateAlias;
      expect(carriesSignature(format, version), `${format.name} ${version}`).toBe(expected);
    }
  }
});

it("a type that may fail late or calls dApps is one of exchange, invoke and Ethereum", () => {
  const { Exchange, InvokeScript, Ethereum } = TransactionType;
  expect(typesWhere(({ failsLate, callsDApps }) => failsLate || callsDApps || false)).toEqual([
    Exchange,
    InvokeScript,
    Ethereum,
  ]);
});

it("every type has a form of bytes for each of its versions", () => {
  for (const { name, maxVersion, protobufSince = maxVersion + 1, legacy } of allFormats) {
    const legacyVersions = Object.keys(legacy).map(Number);
    expect(legacyVersions, name).toEqual(Array.from({ length: protobufSince - 1 }, (_, index) => index + 1));
  }
});
