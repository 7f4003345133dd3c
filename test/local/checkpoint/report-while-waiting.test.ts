import { expect, test } from "vitest";
import { reportWhileWaiting } from "../../../local/checkpoint/report-while-waiting.ts";

/** A waiting caller and its reported lines; `next` lets the chain be polled once more. */
function waiting(publishing: readonly (string | undefined)[]) {
  const lines: string[] = [];
  const reporter = { report: (line: () => string) => void lines.push(line()), end: () => {} };
  const statuses = [...publishing];
  const polls: (() => void)[] = [];
  const status = async () => ({ height: 7, publishing: statuses.shift() });
  const pause = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      polls.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const next = async (): Promise<void> => {
    polls.at(-1)?.();
    await new Promise(setImmediate);
  };
  return { lines, next, tell: <Value>(work: Promise<Value>) => reportWhileWaiting({ status }, reporter, work, pause) };
}

test("progress of the read model is reported during a wait, and no further once it is over", async () => {
  const { lines, next, tell } = waiting(["0 of 20 tables", "3 of 20 tables"]);
  const work = Promise.withResolvers<string>();
  const waited = tell(work.promise);
  await next();
  await next();
  await next();
  expect(lines).toEqual([
    "the read model is written first",
    "the read model is written first: 0 of 20 tables",
    "the read model is written first: 3 of 20 tables",
  ]);
  work.resolve("begun");
  expect(await waited).toBe("begun");
});

test("what was waited for may fail, and says so itself", async () => {
  const { lines, tell } = waiting([]);
  await expect(tell(Promise.reject(new Error("there is no chain")))).rejects.toThrow("there is no chain");
  expect(lines).toEqual([]);
});
