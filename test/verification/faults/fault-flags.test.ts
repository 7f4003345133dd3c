import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { parseFaultFlags } from "../../../verification/faults/fault-flags.ts";

describe("parseFaultFlags", () => {
  it("reads every flag", () => {
    const args = "--seed 7 --seconds 600 --faults 1000 --only started --run 3".split(" ");
    expect(parseFaultFlags(args)).toEqual({
      seed: 7,
      seconds: 600,
      faults: 1_000,
      only: "started",
      run: 3,
      isHelp: false,
    });
  });

  it("runs for a minute, however many faults happen, when nothing is said", () => {
    expect(parseFaultFlags([])).toMatchObject({ seconds: 60, faults: Number.POSITIVE_INFINITY, only: undefined });
  });

  it.each([["--sed", "7"], ["--seed", "x"], ["--seed", "-1"], ["--only", "both"], ["--seconds"], ["seven"]])(
    "refuses %s %s",
    (...args) => {
      expect(() => parseFaultFlags(args.filter((arg) => arg !== undefined))).toThrow(UsageError);
    },
  );
});

it("an unknown flag is one sentence, with exit code 2", () => {
  const script = path.join(import.meta.dirname, "../../../verification/faults/faults-command.ts");
  const { status, stderr } = spawnSync(process.execPath, [script, "--sed", "7"], { encoding: "utf8" });
  expect([status, stderr.trim().split("\n").length]).toEqual([2, 1]);
});
