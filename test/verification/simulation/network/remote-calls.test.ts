import { expect, test } from "vitest";
import { Lifetime, timersOf } from "../../../../verification/simulation/network/lifetime.ts";
import { type Callee, remoteCalls } from "../../../../verification/simulation/network/remote-calls.ts";
import { SimulatedClock } from "../../../../verification/simulation/network/simulated-clock.ts";

interface Counted {
  add(numbers: number[]): Promise<number>;
  never(): Promise<void>;
}

function called() {
  const clock = new SimulatedClock(0);
  const [caller, life] = [new Lifetime(), new Lifetime()];
  const seen: number[][] = [];
  const target: Counted = {
    add: async (numbers) => {
      seen.push(numbers);
      if (numbers.length === 0) throw new Error("nothing to add");
      return numbers.reduce((sum, number) => sum + number, 0);
    },
    never: () => new Promise(() => {}),
  };
  const callee: Callee<Counted> = {
    enter: (run, failed) => {
      clock.after(1, () => (life.isOver ? failed(new Error("it is gone")) : run(target, life)));
    },
    respond: (run) => void clock.after(1, run),
  };
  const outcomes: unknown[] = [];
  const note = (result: Promise<unknown>): void => {
    result.then(
      (value) => outcomes.push(value),
      (error: Error) => outcomes.push(error.message),
    );
  };
  return { clock, caller, life, seen, outcomes, note, calls: remoteCalls(caller, callee, ["add", "never"]) };
}

test("arguments are copied when the call is made, and answers come later", async () => {
  const { clock, seen, outcomes, note, calls } = called();
  const numbers = [1, 2];
  note(calls.add(numbers));
  numbers.push(3);
  await clock.runUntil(1);
  expect(seen).toEqual([[1, 2]]);
  expect(outcomes).toEqual([]);
  await clock.runUntil(2);
  expect(outcomes).toEqual([3]);
});

test("of what is thrown the text travels, and a call into an object that ends fails", async () => {
  const { clock, life, outcomes, note, calls } = called();
  note(calls.add([]));
  note(calls.never());
  await clock.runUntil(5);
  expect(outcomes).toEqual(["nothing to add"]);
  life.end();
  note(calls.add([1]));
  await clock.runUntil(10);
  expect(outcomes.slice(1)).toEqual(["the object ended during never", "it is gone"]);
});

test("a caller that has ended gets no result, and its timers never fire", async () => {
  const { clock, caller, seen, outcomes, note, calls } = called();
  const rung: number[] = [];
  const timers = timersOf(caller, clock, 100);
  timers.after(1, () => rung.push(timers.nowMs()));
  timers.after(5, () => rung.push(timers.nowMs()));
  timers.after(3, () => rung.push(timers.nowMs()))();
  note(calls.add([1]));
  await clock.runUntil(1);
  caller.end();
  timers.after(1, () => rung.push(timers.nowMs()));
  await clock.runUntil(10);
  expect(seen).toEqual([[1]]);
  expect(outcomes).toEqual([]);
  expect(rung).toEqual([101]);
});
