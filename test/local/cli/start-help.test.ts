import { expect, it } from "vitest";
import { flagNames } from "../../../local/cli/start-flags.ts";
import { startHelp } from "../../../local/cli/start-help.ts";

it("the help names every flag and secret, what holds without them, and the order of precedence", () => {
  const help = startHelp();
  for (const name of flagNames) expect(help).toMatch(new RegExp(`^  --${name}\\b`, "m"));
  expect(help).toMatch(/^ {2}--port N .*\(default 6869\)$/m);
  expect(help).toMatch(/^ {2}--memory +keep no state$/m);
  expect(help).toMatch(/^ {2}API_KEY_HASH +base58/m);
  expect(help).toContain("Precedence: flag > environment");
  for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
});
