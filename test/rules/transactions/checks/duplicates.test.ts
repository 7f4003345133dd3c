/** @see Waves: state/diffs/CommonValidation.scala (disallowDuplicateIds) */
import { expect, test } from "vitest";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { aliasesUniqueFrom, checkDuplicate } from "../../../../src/rules/transactions/checks/duplicates.ts";
import { InMemoryState } from "../../in-memory-state.ts";
import { faultOf, sample } from "../samples.ts";

test("only aliases come twice on mainnet, and only below the height at which they got one owner for good", () => {
  const view = new InMemoryState({ schemeCharacter: "W", height: 1_059_999 });
  const transfer = sample(TransactionType.Transfer);
  const alias = sample(TransactionType.CreateAlias);
  for (const placed of [transfer, alias]) view.place(placed, "succeeded");
  expect(faultOf(() => checkDuplicate(transfer, view)).code).toBe("alreadyInState");
  expect(() => checkDuplicate(alias, view)).not.toThrow();
  expect(faultOf(() => checkDuplicate(alias, view.moveTo(1_060_000))).code).toBe("alreadyInState");
});

test("other networks gave each alias one owner from the start", () => {
  expect(["W", "T", "S", "R"].map(aliasesUniqueFrom)).toEqual([1_060_000, 0, 0, 0]);
  const view = new InMemoryState({ schemeCharacter: "T", height: 1 });
  view.place(sample(TransactionType.CreateAlias), "succeeded");
  expect(faultOf(() => checkDuplicate(sample(TransactionType.CreateAlias), view)).code).toBe("alreadyInState");
});
