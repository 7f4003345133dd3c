import path from "node:path";
import { expect, it } from "vitest";
import { configurationText, settingsText } from "../../support/builders/configuration-text.ts";

const file = path.resolve(import.meta.dirname, "../../../docs/configuration.md");

it("docs/configuration.md is what the tables of the settings make", async () => {
  await expect(configurationText()).toMatchFileSnapshot(file);
});

it("every setting has a default or says what it expects", () => {
  const lines = settingsText()
    .split("\n")
    .filter((line) => line.startsWith("  "));
  expect(lines.length).toBeGreaterThan(60);
  for (const line of lines) expect(line).toMatch(/^ {2}([\w-]+ = \S|# [\w-]+: \S)/);
});
