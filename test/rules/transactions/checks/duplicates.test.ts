/** @see Waves: state/diffs/CommonValidation.scala (disallowDuplicateIds) */
import { describe, expect, test } from "vitest";
import { functionalityDefaults } from "../../../../src/network/defaults.ts";
import type { SignedHeader } from "../../../../src/protocol/blocks/block.ts";
import type { RuleError } from "../../../../src/protocol/errors.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { OverlayView } from "../../../../src/rules/state/overlay-view.ts";
import { aliasesUniqueFrom, checkDuplicate } from "../../../../src/rules/transactions/checks/duplicates.ts";
import { sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const first = { previousBlockTimestamp: undefined };
const headerAt = (timestamp: bigint) => ({ header: { timestamp } }) as SignedHeader;

test("only aliases are repeated on mainnet, and only below the height at which they became unique", () => {
  const view = new InMemoryState({ schemeCharacter: "W", height: 1_059_999 });
  const transfer = sample(TransactionType.Transfer);
  const alias = sample(TransactionType.CreateAlias);
  for (const included of [transfer, alias]) view.include(included, "succeeded");
  expect(violationOf(() => checkDuplicate(transfer, view, first)).code).toBe("alreadyInState");
  expect(() => checkDuplicate(alias, view, first)).not.toThrow();
  expect(violationOf(() => checkDuplicate(alias, view.moveTo(1_060_000), first)).code).toBe("alreadyInState");
});

describe("an id that is in the chain", () => {
  const transfer = sample(TransactionType.Transfer);
  const rememberedMs = 2n * functionalityDefaults.maxTransactionTimeBackOffsetMs;
  const placedAtMs = 1_700_000_000_000n;

  /** Verdict after the block of height 104 with the timestamp; the transfer is in that of height 100. */
  function verdict(previousBlockTimestamp: bigint, options: { readonly own?: boolean; readonly at?: number } = {}) {
    const base = new InMemoryState({ height: 104 });
    const included = new OverlayView(base, { height: options.at ?? 100, header: headerAt(placedAtMs) });
    included.include(transfer, "succeeded");
    const view = new OverlayView(included, { height: 105, mayRefuseWork: options.own === true });
    try {
      checkDuplicate(transfer, view, { previousBlockTimestamp });
      return "taken";
    } catch (error) {
      return (error as RuleError).violation.code;
    }
  }

  test("is refused to others while its block is two back offsets old at most, and accepted then", () => {
    expect(verdict(placedAtMs + rememberedMs)).toBe("alreadyInState");
    expect(verdict(placedAtMs + rememberedMs + 1n)).toBe("taken");
  });

  test("is refused to the pool and to own blocks at any age", () => {
    expect(verdict(placedAtMs + 100n * rememberedMs, { own: true })).toBe("alreadyInState");
  });

  test("is refused if it is in the block itself", () => {
    expect(verdict(placedAtMs + 100n * rememberedMs, { at: 105 })).toBe("alreadyInState");
  });
});

test("other networks gave each alias one owner from the start", () => {
  expect(["W", "T", "S", "R"].map(aliasesUniqueFrom)).toEqual([1_060_000, 0, 0, 0]);
  const view = new InMemoryState({ schemeCharacter: "T", height: 1 });
  view.include(sample(TransactionType.CreateAlias), "succeeded");
  expect(violationOf(() => checkDuplicate(sample(TransactionType.CreateAlias), view, first)).code).toBe(
    "alreadyInState",
  );
});
