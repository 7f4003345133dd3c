import { expect, test } from "vitest";
import { logJson, TraceTooLong } from "../../../src/ride/values/log-json.ts";
import { List } from "../../../src/ride/values/value.ts";

const heavy = new List(Array.from({ length: 10 }, () => new Uint8Array(30_000)));

test("a log that would take hundreds of megabytes is not printed", () => {
  expect(logJson([{ name: "a", result: heavy }])).toHaveLength(1);
  const log = Array.from({ length: 1_000 }, () => ({ name: "a", result: heavy }));
  expect(() => logJson(log)).toThrow(TraceTooLong);
});
