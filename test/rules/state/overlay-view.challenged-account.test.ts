/** Challenging block in progress: heights and views at which the challenged account's balance counts. */
import { expect, test } from "vitest";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { addresses } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const HEIGHT = 101;

const overlay = () => {
  const base = new InMemoryState({ height: HEIGHT - 1 }).withBalance(alice, 70n).withBalance(bob, 50n);
  return new OverlayView(base, { height: HEIGHT, challenged: alice });
};

test("the account is challenged at the block's height, and no other is", () => {
  const view = overlay();
  for (const [from, to] of [
    [HEIGHT, HEIGHT],
    [1, HEIGHT],
    [HEIGHT, HEIGHT + 5],
  ] as const)
    expect(view.isChallenged(alice, from, to)).toBe(true);
  expect(view.isChallenged(alice, 1, HEIGHT - 1)).toBe(false);
  expect(view.isChallenged(alice, HEIGHT + 1, HEIGHT + 9)).toBe(false);
  expect(view.isChallenged(bob, 1, HEIGHT)).toBe(false);
  expect(new OverlayView(view.base, { height: HEIGHT }).isChallenged(alice, 1, HEIGHT)).toBe(false);
});

test("its effective balance is 0 in all windows with the block's height, despite gains in the block", () => {
  const view = overlay();
  const lowest = (at: OverlayView) => [
    at.minimumEffectiveBalance(alice, HEIGHT - 1, HEIGHT),
    at.minimumEffectiveBalance(alice, HEIGHT, HEIGHT),
    at.minimumEffectiveBalance(alice, HEIGHT - 1, HEIGHT - 1),
  ];
  expect(lowest(view)).toEqual([0n, 0n, 70n]);
  view.apply({ balances: [{ address: alice, asset: null, balance: 90n }] });
  expect(lowest(view)).toEqual([0n, 0n, 70n]);
  expect(view.balance(alice, null)).toBe(90n);
  // The pool and scripts read through a view above.
  const above = new OverlayView(view, { height: HEIGHT });
  above.apply({ balances: [{ address: alice, asset: null, balance: 95n }] });
  expect(lowest(above)).toEqual([0n, 0n, 70n]);
  expect(above.minimumEffectiveBalance(bob, HEIGHT - 1, HEIGHT)).toBe(50n);
});

test("after the block its balance counts again", () => {
  const next = new OverlayView(overlay(), { height: HEIGHT + 1 });
  next.apply({ balances: [{ address: alice, asset: null, balance: 80n }] });
  expect(next.minimumEffectiveBalance(alice, HEIGHT + 1, HEIGHT + 1)).toBe(80n);
  expect(next.minimumEffectiveBalance(alice, HEIGHT, HEIGHT + 1)).toBe(0n);
});
