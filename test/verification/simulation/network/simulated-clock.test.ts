import { expect, test } from "vitest";
import { SimulatedClock } from "../../../../verification/simulation/network/simulated-clock.ts";

test("events come by their time, those of the same time in the order in which they were asked for", async () => {
  const clock = new SimulatedClock(1_000);
  const seen: string[] = [];
  const at = (delayMs: number, name: string) =>
    clock.after(delayMs, () => {
      seen.push(`${name} ${clock.nowMs()}`);
    });
  for (const [delayMs, name] of [
    [30, "c"],
    [10, "a"],
    [20, "b"],
    [10, "a2"],
    [500, "late"],
    [-5, "past"],
  ] as const)
    at(delayMs, name);
  await clock.runUntil(1_100);
  expect(seen).toEqual(["past 1000", "a 1010", "a2 1010", "b 1020", "c 1030"]);
  expect(clock.nowMs()).toBe(1_100);
});

test("whatever an event sets off is over before the next one comes", async () => {
  const clock = new SimulatedClock(0);
  const seen: string[] = [];
  const slowly = async (name: string): Promise<void> => {
    for (let count = 0; count < 100; count++) await Promise.resolve();
    seen.push(name);
  };
  clock.after(
    1,
    () => void slowly("first"),
    () => seen.push("settled"),
  );
  clock.after(1, () => void slowly("second"));
  await clock.runUntil(1);
  expect(seen).toEqual(["first", "settled", "second"]);
});

test("an event that was taken back does not come", async () => {
  const clock = new SimulatedClock(0);
  const seen: string[] = [];
  const cancel = clock.after(1, () => seen.push("cancelled"));
  clock.after(2, () => seen.push("kept"));
  cancel();
  await clock.runUntil(10);
  expect(seen).toEqual(["kept"]);
});

test("many events in any order come in order", async () => {
  const clock = new SimulatedClock(0);
  const times = Array.from({ length: 500 }, (_, index) => (index * 7_919) % 1_009);
  const seen: number[] = [];
  for (const timeMs of times) clock.after(timeMs, () => seen.push(timeMs));
  await clock.runUntil(2_000);
  expect(seen).toEqual([...times].sort((left, right) => left - right));
});
