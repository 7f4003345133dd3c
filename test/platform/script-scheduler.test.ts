/** Precedence of requests while scripts hold the thread. */
import { expect, test } from "vitest";
import { ScriptScheduler } from "../../src/platform/script-scheduler.ts";

const DEAR = 50_000;

function arrange() {
  let nowMs = 0;
  const waiting: (() => void)[] = [];
  const turns = new ScriptScheduler(
    () => nowMs,
    () => new Promise((resolve) => waiting.push(resolve)),
  );
  return {
    turns,
    later: (ms: number) => {
      nowMs += ms;
    },
    /** All that pause go on, one after the other. */
    rounds: async (count: number) => {
      for (let round = 0; round < count; round++) {
        await settled();
        for (const wake of waiting.splice(0)) wake();
      }
      await settled();
    },
    /** A request with a script, which runs as soon as it may. */
    script: (complexity: number) => {
      const turn = turns.enter();
      const ran = { count: 0 };
      void turn.begin().then(() => {
        ran.count = 1;
        turn.spent(complexity);
      });
      return ran;
    },
  };
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await undefined;
};

test("scripts that cost little run without a pause", async () => {
  const { script, rounds } = arrange();
  const all = Array.from({ length: 10 }, () => script(900));
  await rounds(0);
  expect(all.map(({ count }) => count)).toEqual(all.map(() => 1));
});

test("after a dear script the next one waits for two rounds, and then runs alone", async () => {
  const { script, rounds } = arrange();
  script(DEAR);
  await rounds(0);
  const [second, third] = [script(DEAR), script(DEAR)];
  await rounds(1);
  expect([second.count, third.count]).toEqual([0, 0]);
  await rounds(1);
  expect([second.count, third.count]).toEqual([1, 0]);
  await rounds(2);
  expect(third.count).toBe(0);
  await rounds(1);
  expect(third.count).toBe(1);
});

test("requests in flight go first, until they have their response", async () => {
  const { turns, script, rounds } = arrange();
  script(DEAR);
  await rounds(0);
  const read = turns.enter();
  const second = script(DEAR);
  await rounds(10);
  expect(second.count).toBe(0);
  read.end();
  await rounds(1);
  expect(second.count).toBe(1);
});

test("but not for ever: under constant reads scripts go on, too", async () => {
  const { turns, script, rounds } = arrange();
  script(DEAR);
  await rounds(0);
  const second = script(DEAR);
  for (let round = 0; round < 20; round++) {
    turns.enter();
    await rounds(1);
  }
  expect(second.count).toBe(1);
});

test("a request that was never ended is forgotten", async () => {
  const { turns, script, rounds, later } = arrange();
  turns.enter();
  script(DEAR);
  await rounds(0);
  later(2_000);
  const second = script(DEAR);
  await rounds(2);
  expect(second.count).toBe(1);
});
