import { expect, test, vi } from "vitest";
import { testSessions } from "../../../support/builders/test-sessions.ts";

test("of many blacklisted hosts the log names thirty in a minute, and the number of others", async () => {
  const { dialedBy, timers, reasons } = testSessions();
  vi.mocked(console.info).mockClear();
  const wrong = { applicationName: "wavesX" };
  for (let host = 1; host <= 50; host++) {
    dialedBy(`10.0.1.${host}`).greet(wrong);
    await timers.pass(0);
  }
  expect(Object.keys(await reasons()).length).toBe(50);
  expect(vi.mocked(console.info).mock.calls.length).toBe(30);
  await timers.pass(60_000);
  for (const host of ["10.0.2.1", "10.0.2.2"]) {
    dialedBy(host).greet(wrong);
    await timers.pass(0);
  }
  const lines = vi.mocked(console.info).mock.calls.map(([line]) => String(line));
  expect(lines.slice(30)).toEqual([
    expect.stringMatching(/^peer 10\.0\.2\.1:.*\(and 20 others before\)$/),
    expect.stringMatching(/^peer 10\.0\.2\.2:(?!.*others before)/),
  ]);
});
