/**
 * On a fork a result means something only if the remote state that it depends on was fetched. A new query declares its
 * keys, or here the reason why it has none.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.resolve(import.meta.dirname, "../../../src/read-model");

/** Queries of data that a fork has in full, or only of its own. */
const independentQueries: Readonly<Record<string, string>> = {
  chainQuery: "which state there is",
  activationHeightsQuery: "features are part of a fork's beginning",
  newestFeatureVotesQuery: "blocks of the other network have voted for its features, not for the fork's",
  rewardVotesQuery: "as with features",
  tipTimestampQuery: "the tip is there",
  tipIdQuery: "the tip is there",
  stateHashQuery: "a fork keeps none",
};

const declared = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    return text
      .split(/^export (?:function|const) /m)
      .slice(1)
      .flatMap((declaration) => {
        const name = /^(\w+Query)\b/.exec(declaration)?.[1];
        const end = declaration.search(/^(?:}|\);)$/m);
        return name === undefined ? [] : [{ name, body: declaration.slice(0, end) }];
      });
  });

test("every query says what it stands on", () => {
  expect(declared.length).toBeGreaterThan(40);
  const silent = declared.filter(
    ({ name, body }) => !body.includes("withRemoteKeys(") && !(name in independentQueries),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("no reason is left of a query that is gone, or says what it stands on", () => {
  const silent = new Set(declared.filter(({ body }) => !body.includes("withRemoteKeys(")).map(({ name }) => name));
  expect(Object.keys(independentQueries).filter((name) => !silent.has(name))).toEqual([]);
});
