import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDurationMs } from "../../src/network/durations.ts";

describe("a duration", () => {
  test.each([
    ["1500ms", 1_500],
    ["0s", 0],
    ["10s", 10_000],
    ["120m", 7_200_000],
    ["2 minutes", 120_000],
    ["1 minute", 60_000],
    ["1.5h", 5_400_000],
    ["0.5 days", 43_200_000],
    ["99999d", 8_639_913_600_000],
    ["1999us", 1],
    ["2 micros", 0],
    ["5000000 nanoseconds", 5],
    ["7", 7],
    [" 3 seconds ", 3_000],
    ["+4s", 4_000],
    [250, 250],
    [2.5, 2],
  ])("of %j is %d ms", (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  test.each([
    "",
    "s",
    "5 parsecs",
    "-1s",
    "1s2m",
    "1,5s",
    "0x10ms",
    "constructor",
    "1__proto__",
    "5M",
    "1e400s",
    "NaN",
  ])("cannot be %j", (text) => {
    expect(parseDurationMs(text)).toBeUndefined();
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e21])("cannot be the number %d", (value) => {
    expect(parseDurationMs(value)).toBeUndefined();
  });

  test("cannot be longer than 64 bits of nanoseconds", () => {
    expect(parseDurationMs("106751d")).toBe(106_751 * 86_400_000);
    expect(parseDurationMs("106752d")).toBeUndefined();
  });

  test("reads any text without failing", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const durationMs = parseDurationMs(text);
        expect(durationMs === undefined || durationMs >= 0).toBe(true);
      }),
    );
  });
});
