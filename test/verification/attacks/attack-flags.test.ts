import { describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { attackHelp, parseAttackFlags } from "../../../verification/attacks/attack-flags.ts";

const known = ["first", "second"];

describe("parseAttackFlags", () => {
  it("reads names and every flag", () => {
    const args = "second --seed 7 --seconds 30 --connections 8".split(" ");
    expect(parseAttackFlags(args, known)).toEqual({
      names: ["second"],
      seed: 7,
      seconds: 30,
      connections: 8,
      isHelp: false,
    });
  });

  it("runs all attacks for ten seconds each, when nothing is said", () => {
    expect(parseAttackFlags([], known)).toMatchObject({ names: known, seed: 1, seconds: 10, connections: 40 });
  });

  it.each([["third"], ["--sed", "7"], ["--seconds", "x"], ["--connections"]])("refuses %s %s", (...args) => {
    expect(() =>
      parseAttackFlags(
        args.filter((arg) => arg !== undefined),
        known,
      ),
    ).toThrow(UsageError);
  });

  it("names the attacks in its help", () => {
    expect(attackHelp([{ name: "first", about: "does this" }])).toContain("  first  does this\n");
  });
});
