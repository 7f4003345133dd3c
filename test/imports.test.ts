/**
 * Which folder may import which. The compiler and the linter know files; the direction between folders is checked here.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const projectRoot = path.resolve(import.meta.dirname, "..");

const pure = ["src/crypto", "src/network", "src/protocol", "src/ride"] as const;

/** Area to the areas it may import besides itself. An area is a folder, or a file named in full. */
const directions: Readonly<Record<string, readonly string[]>> = {
  "src/crypto": [],
  "src/network": ["src/crypto"],
  "src/protocol": ["src/network", "src/crypto"],
  "src/ride": ["src/protocol", "src/network", "src/crypto"],
  "src/env.ts": pure,
  "src/read-model": [...pure, "src/env.ts"],
  "src/http": [...pure, "src/env.ts", "src/read-model"],
  "src/routes": [...pure, "src/env.ts", "src/http", "src/read-model"],
  "src/index.ts": [...pure, "src/env.ts", "src/http", "src/read-model", "src/routes", "durable", "durable/evaluation"],
  "durable/state": pure,
  // Scripts ask how long a generator would wait.
  "durable/transactions": [...pure, "durable/consensus", "durable/state"],
  "durable/consensus": [...pure, "durable/state"],
  "durable/finality": [...pure, "durable/state"],
  "durable/blocks": [...pure, "durable/transactions", "durable/consensus", "durable/finality", "durable/state"],
  // The pool tries transactions on the way a block would.
  "durable/pool": [
    ...pure,
    "durable/blocks",
    "durable/transactions",
    "durable/consensus",
    "durable/finality",
    "durable/state",
  ],
  "durable/publish": [...pure, "src/read-model", "durable/state"],
  "durable/evaluation": [...pure, "durable/transactions", "durable/consensus", "durable/state"],
  "durable/import": [...pure, "durable/blocks", "durable/transactions"],
  "durable/miner": [...pure, "durable/blocks", "durable/pool", "durable/consensus", "durable/state"],
  "durable/peers": [...pure, "src/env.ts"],
  // The objects themselves: files that stand in the folder.
  durable: [
    ...pure,
    "src/env.ts",
    "durable/blocks",
    "durable/consensus",
    "durable/finality",
    "durable/import",
    "durable/miner",
    "durable/peers",
    "durable/pool",
    "durable/publish",
    "durable/state",
    "durable/transactions",
  ],
};

/** What the pure libraries may import from outside the project. */
const pureExternals: Readonly<Record<string, RegExp>> = {
  "src/crypto": /^(@noble\/|@scure\/|node:crypto$)/,
  "src/network": /^zod$/,
  "src/protocol": /^$/,
  "src/ride": /^@waves\/ride-lang$/,
};

function areaOf(file: string): string | undefined {
  if (path.posix.dirname(file) === "durable") return "durable";
  const areas = Object.keys(directions).filter(
    (area) => file === area || (area.includes("/") && file.startsWith(`${area}/`)),
  );
  return areas.sort((left, right) => right.length - left.length)[0];
}

/** @returns what is wrong with an import, undefined when it is allowed */
function findFault(file: string, specifier: string): string | undefined {
  const from = areaOf(file);
  if (from === undefined) return `${file} stands in a folder that test/imports.test.ts does not know`;
  if (!specifier.startsWith(".")) {
    const allowed = pureExternals[from];
    return allowed === undefined || allowed.test(specifier) ? undefined : `${file} imports ${specifier}`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const to = areaOf(target);
  const isAllowed = to !== undefined && (to === from || directions[from]?.includes(to) === true);
  return isAllowed ? undefined : `${file} imports ${target}`;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")));
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(projectRoot, file), "utf8");
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\n]+)"/g)].map((match) => String(match[1]));
}

describe("import directions", () => {
  const files = [...sourceFiles("src"), ...sourceFiles("durable")];

  it("reads the sources", () => {
    expect(files.length).toBeGreaterThan(10);
  });

  it("holds for every import line of src and durable", () => {
    const faults = files.flatMap((file) => importsOf(file).map((specifier) => findFault(file, specifier)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it.each([
    ["src/crypto/hash.ts", "../protocol/faults.ts"],
    ["src/crypto/hash.ts", "node:fs"],
    ["src/protocol/codec/i64.ts", "../../../durable/state/table.ts"],
    ["src/protocol/codec/i64.ts", "cloudflare:workers"],
    ["src/network/features.ts", "../protocol/faults.ts"],
    ["src/routes/blocks.ts", "../../durable/chain-state.ts"],
    ["src/http/route.ts", "../routes/blocks.ts"],
    ["durable/state/table.ts", "../blocks/append-block.ts"],
    ["durable/transactions/transfer.ts", "../pool/pool.ts"],
    ["durable/consensus/hit.ts", "../transactions/transfer.ts"],
    ["durable/blocks/append-block.ts", "../chain-state.ts"],
    ["durable/blocks/append-block.ts", "../pool/utx-pool.ts"],
    ["durable/peers/session.ts", "../state/table.ts"],
    ["src/somewhere-new/file.ts", "./other.ts"],
    ["durable/somewhere-new/file.ts", "./other.ts"],
  ])("refuses that %s imports %s", (file, specifier) => {
    expect(findFault(file, specifier)).toBeDefined();
  });

  it.each([
    ["src/protocol/blocks/block.ts", "../../crypto/bytes.ts"],
    ["src/index.ts", "../durable/chain-state.ts"],
    ["durable/blocks/append-block.ts", "../consensus/hit.ts"],
    ["durable/publish/publisher.ts", "../../src/read-model/blocks.ts"],
    ["durable/chain-state.ts", "./node-options.ts"],
    ["durable/chain-state.ts", "cloudflare:workers"],
  ])("allows that %s imports %s", (file, specifier) => {
    expect(findFault(file, specifier)).toBeUndefined();
  });
});
