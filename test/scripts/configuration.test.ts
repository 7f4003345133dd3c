import path from "node:path";
import { expect, it } from "vitest";
import { configurationText } from "./configuration-text.ts";

const file = path.resolve(import.meta.dirname, "../../docs/configuration.md");

it("docs/configuration.md is what the tables of the settings make", async () => {
  await expect(configurationText()).toMatchFileSnapshot(file);
});

it("every setting says what it wants and what it means", () => {
  const rows = configurationText()
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(" | "));
  expect(rows.length).toBeGreaterThan(60);
  for (const [name, ...cells] of rows) {
    expect(cells.length, name).toBeGreaterThan(0);
    expect(cells, name).not.toContain("");
  }
});
