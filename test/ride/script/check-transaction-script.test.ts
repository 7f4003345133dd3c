/** Scripts of transactions, in any state. @see Waves: transaction/validation/impl/SetScriptTxValidator.scala */

import { expect, it } from "vitest";
import { FormatError, type FormatViolation } from "../../../src/protocol/transactions/format-error.ts";
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { checkTransactionScript } from "../../../src/ride/script/check-transaction-script.ts";
import type { DAppMeta } from "../../../src/ride/script/dapp-meta.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { sample } from "../../support/builders/sample-transactions.ts";

const dApp = (libraryVersion: number, meta: Partial<DAppMeta>): Script =>
  encodeScript({
    content: "dApp",
    libraryVersion,
    dApp: {
      meta: { version: 2, functions: [], compactNames: [], originalNames: [], ...meta },
      declarations: [],
      callables: [],
      verifier: undefined,
    },
  }) as Script;
const violationOf = (script: Script): FormatViolation | undefined => {
  try {
    checkTransactionScript(sample(TransactionType.SetScript, { script }));
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.violation;
    throw error;
  }
};

it("arguments of callables have one type from version 6 on", () => {
  const union = { functions: [{ types: Uint8Array.of(0b1001) }] };
  expect(violationOf(dApp(5, union))).toBeUndefined();
  expect(violationOf(dApp(6, union))).toEqual({
    code: "malformed",
    message: "Union type is not allowed in callable function arguments of script",
  });
  expect(violationOf(dApp(6, { functions: [{ types: Uint8Array.of(0b0001, 0b1000) }] }))).toBeUndefined();
});

it("a dApp's meta must be of a known version", () => {
  expect(violationOf(dApp(6, { version: 9 }))).toEqual({ code: "malformed", message: "Unsupported meta version 9" });
});

it("the code must be readable", () => {
  const broken = dApp(6, {}).slice(0, -5);
  const checked = encodeScript({
    content: "expression",
    libraryVersion: 6,
    expression: { kind: "constant", value: 1n },
  });
  expect(violationOf(broken as Script)).toMatchObject({ code: "scriptUnreadable" });
  expect(violationOf(checked as Script)).toBeUndefined();
});

it("transactions without a script have no such error", () => {
  expect(() => checkTransactionScript(sample(TransactionType.Transfer))).not.toThrow();
  expect(() => checkTransactionScript(sample(TransactionType.SetScript))).not.toThrow();
});
