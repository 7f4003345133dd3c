import { expect, test } from "vitest";
import { MessageBudget } from "../../../../durable/peer-hub/sessions/message-budget.ts";
import { allDone } from "../../../support/fakes/fake-timers.ts";

const kB = 1_000;

/** Messages in progress until the test ends them. */
function pendingMessages(inHand: MessageBudget) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const results: Record<string, string | undefined> = {};
  return {
    started,
    results,
    run: (by: object, name: string, sizeBytes: number): void => {
      const handle = async (): Promise<string> => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return "judged";
      };
      void inHand.run(by, sizeBytes, handle).then((result) => {
        results[name] = result;
      });
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await allDone();
    },
  };
}

test("they start in the order of arrival, as there is room", async () => {
  const inHand = new MessageBudget(100 * kB);
  const { started, run, end } = pendingMessages(inHand);
  run({}, "one", 60 * kB);
  run({}, "two", 60 * kB);
  // It would fit, and does not overtake the second one; a small one need not wait.
  run({}, "three", 30 * kB);
  run({}, "small", 10 * kB);
  expect([started, inHand.sizeBytes]).toEqual([["one", "small"], 60 * kB]);
  await end("one");
  expect([started.slice(2), inHand.sizeBytes]).toEqual([["two", "three"], 90 * kB]);
  await end("two");
  await end("three");
  expect(inHand.sizeBytes).toBe(0);
});

test("a message larger than the limit for all is handled alone", async () => {
  const inHand = new MessageBudget(100 * kB);
  const { started, run, end } = pendingMessages(inHand);
  run({}, "one", 60 * kB);
  run({}, "huge", 500 * kB);
  run({}, "three", 20 * kB);
  await end("one");
  expect(started).toEqual(["one", "huge"]);
  await end("huge");
  expect(started).toEqual(["one", "huge", "three"]);
});

test("waiting messages of a peer that disconnects are dropped at once, and others start", async () => {
  const inHand = new MessageBudget(100 * kB);
  const { started, results, run, end } = pendingMessages(inHand);
  const leaving = {};
  run({}, "one", 60 * kB);
  run(leaving, "two", 60 * kB);
  run({}, "three", 30 * kB);
  inHand.cancel(leaving);
  await allDone();
  expect([started, results]).toEqual([["one", "three"], { two: undefined }]);
  expect(Object.keys(results)).toEqual(["two"]);
  await end("one");
  await end("three");
  expect(inHand.sizeBytes).toBe(0);
});

test("a message whose handler throws makes room, too", async () => {
  const inHand = new MessageBudget(100 * kB);
  const handle = async (): Promise<void> => {
    throw new Error("no");
  };
  await expect(inHand.run({}, 60 * kB, handle)).rejects.toThrow("no");
  expect(inHand.sizeBytes).toBe(0);
});
