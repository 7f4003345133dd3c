/** Waiting for nodes, on a clock of the test's own. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitUntil } from "../../../verification/conformance/network/agreement.ts";

const timeoutMs = 10_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

vi.mock("node:timers/promises", () => ({
  setTimeout: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
}));

test("an answer that takes long leaves time for the next one", async () => {
  let asked = 0;
  const waits = waitUntil("the second answer", timeoutMs, async () => {
    if (asked === 0) await new Promise((resolve) => setTimeout(resolve, 10 * timeoutMs));
    return ++asked === 2;
  });
  await vi.runAllTimersAsync();
  await waits;
  expect(asked).toBe(2);
});

test("what never holds ends with the last error", async () => {
  const cause = new Error("no answer");
  const waits = waitUntil("an answer", timeoutMs, () => Promise.reject(cause));
  const refused = expect(waits).rejects.toMatchObject({ message: "an answer: not within 10 s", cause });
  await vi.runAllTimersAsync();
  await refused;
});
