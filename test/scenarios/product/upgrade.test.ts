/** Data directories of older releases in the real runtime: they are opened, upgraded and continued. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FIRST_LAYOUT } from "../../../src/tables/migrations/0001-before-versions.ts";
import { SCHEMA_VERSION } from "../../../src/tables/migrations/all-migrations.ts";
import { readyNode, startNode } from "../../../verification/local-node.ts";
import { databaseFiles } from "../../../verification/sqlite/database-files.ts";
import { getJson, temporaryFolder } from "../../support/builders/started-node.ts";
import { DatabaseCopies, storedNetworkFile, storedVersions } from "../../support/fixtures/stored-databases.ts";
import { brokenInvariants, readModelDifferences } from "../../support/fixtures/stored-state.ts";

const folder = temporaryFolder();
const copies = new DatabaseCopies();
afterAll(() => {
  folder.remove();
  copies.remove();
});

const heightOf = async (url: string) => (await getJson<{ height: number }>(`${url}/blocks/height`)).height;

/** Data directory as a release of the version left it. */
async function storedDirectory(version: number): Promise<{ readonly data: string; readonly flags: string[] }> {
  const data = path.join(folder.path, `v${version}`);
  const flags = ["--network", storedNetworkFile(version), "--data", data];
  // The runtime chooses the names of the files.
  await (await readyNode([...flags, "--no-mining"])).stop();
  const files = databaseFiles(path.join(data, "storage"));
  for (const [file, name] of [
    [files.chainState, "chain-state"],
    [files.readModel, "read-model"],
  ] as const) {
    for (const log of ["-wal", "-shm"]) rmSync(`${file}${log}`, { force: true });
    copyFileSync(copies.copy(version, name), file);
  }
  const held = path.join(data, "network.json");
  const { network, chain } = JSON.parse(readFileSync(held, "utf8"));
  writeFileSync(
    held,
    JSON.stringify({ network, chain, ...(version === 1 ? { layout: FIRST_LAYOUT } : { schema: version }) }),
  );
  return { data, flags };
}

describe.each(storedVersions)("a data directory of schema version %i", (version) => {
  test("is upgraded, shown and continued", async () => {
    const { data, flags } = await storedDirectory(version);
    const idle = await readyNode([...flags, "--no-mining"]);
    const height = await heightOf(idle.url);
    expect(height).toBeGreaterThan(18);
    await idle.stop();
    expect(brokenInvariants(data)).toEqual([]);
    expect(readModelDifferences(data)).toEqual([]);
    expect(JSON.parse(readFileSync(path.join(data, "network.json"), "utf8")).schema).toBe(SCHEMA_VERSION);

    const node = await readyNode(flags);
    await expect.poll(() => heightOf(node.url)).toBeGreaterThan(height);
    await node.stop();
    // The last forged block may still be unpublished.
    await (await readyNode([...flags, "--no-mining"])).stop();
    expect(brokenInvariants(data)).toEqual([]);
    expect(readModelDifferences(data)).toEqual([]);
  });
});

test("a data directory of a newer release is refused with one message and exit code 2", async () => {
  const data = path.join(folder.path, "newer");
  await (await readyNode(["--data", data, "--no-mining"])).stop();
  const held = path.join(data, "network.json");
  const info = JSON.parse(readFileSync(held, "utf8"));
  writeFileSync(held, JSON.stringify({ ...info, schema: SCHEMA_VERSION + 1, release: "9.0.0" }));
  const refused = await startNode(["--data", data]);
  expect(await refused.exited).toBe(2);
  expect(refused.output().trim().split("\n")).toHaveLength(1);
  expect(refused.output()).toContain(`reads versions up to ${SCHEMA_VERSION}`);
});
