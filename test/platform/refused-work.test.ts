/** Budgets of refused work: who spends whose, and until when. */
import { expect, test } from "vitest";
import { MAX_REFUSED_COMPLEXITY, RefusedWork, WorkExceeded, type WorkSource } from "../../src/platform/refused-work.ts";

const intervalMs = 60_000;

function arrange() {
  const clock = { nowMs: 1_000 };
  const work = new RefusedWork({ intervalMs, nowMs: () => clock.nowMs });
  return {
    clock,
    spend: (source: WorkSource, complexity: number) => work.allowanceOf(source).count(complexity),
    /** The budget that is exceeded, and after what time there is another one. */
    exceeded: (source: WorkSource) => {
      try {
        work.allowanceOf(source).expectLeft();
        return undefined;
      } catch (error) {
        if (!(error instanceof WorkExceeded)) throw error;
        return [error.budget, error.retryAfterMs];
      }
    },
  };
}

const { sender, host, hosts } = MAX_REFUSED_COMPLEXITY;

test("a sender that has spent its budget waits for the end of the interval; others of its host do not", () => {
  const { clock, spend, exceeded } = arrange();
  spend({ host: "a", sender: "alice" }, sender - 1);
  expect(exceeded({ host: "a", sender: "alice" })).toBeUndefined();
  spend({ host: "a", sender: "alice" }, 1);
  clock.nowMs += 20_000;
  expect(exceeded({ host: "a", sender: "alice" })).toEqual(["sender", 40_000]);
  expect(exceeded({ host: "a", sender: "bob" })).toBeUndefined();
  expect(exceeded({ host: "a" })).toBeUndefined();
  clock.nowMs += 40_000;
  expect(exceeded({ host: "a", sender: "alice" })).toBeUndefined();
});

test("what one host spends in a sender's name leaves that sender's budget at other hosts", () => {
  const { spend, exceeded } = arrange();
  spend({ host: "stranger", sender: "alice" }, sender);
  expect(exceeded({ host: "home", sender: "alice" })).toBeUndefined();
});

test("a host's senders share its budget, with those who have not signed", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 4; number++) spend({ host: "a", sender: `sender ${number}` }, host / 5);
  spend({ host: "a" }, host / 5);
  expect(exceeded({ host: "a", sender: "another" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "a" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "b", sender: "another" })).toBeUndefined();
});

test("once all hosts together have spent theirs, those that have spent something wait, and no others", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < (2 * hosts) / host; number++) spend({ host: `host ${number}` }, host / 2);
  expect(exceeded({ host: "host 3" })).toEqual(["hosts", intervalMs]);
  expect(exceeded({ host: "new" })).toBeUndefined();
});

test("more hosts than are counted one by one share what is left", () => {
  const { spend, exceeded } = arrange();
  for (let number = 0; number < 10_000; number++) spend({ host: `host ${number}` }, 1);
  expect(exceeded({ host: "late" })).toBeUndefined();
  spend({ host: "late" }, host);
  expect(exceeded({ host: "later" })).toEqual(["host", intervalMs]);
  expect(exceeded({ host: "host 9" })).toBeUndefined();
});

test("a clock that goes back begins another interval", () => {
  const { clock, spend, exceeded } = arrange();
  spend({ host: "a" }, host);
  clock.nowMs = 0;
  expect(exceeded({ host: "a" })).toBeUndefined();
});
