/**
 * Allowed import directions between folders, without cycles. Type imports count like any other: a file depends on all
 * that its reader must know.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const projectRoot = path.resolve(import.meta.dirname, "../../..");

const language = ["src/ride", "src/protocol", "src/network", "src/crypto"] as const;
const rules = ["src/rules", ...language] as const;
const tables = ["src/tables", "src/platform", ...rules] as const;
const state = ["durable/sql", "durable/chain-state/state", ...tables] as const;
const chain = ["durable/chain-state/chain", ...state] as const;
const node = [
  "durable/chain-state/finality",
  "durable/chain-state/miner",
  "durable/chain-state/pool",
  "durable/chain-state/publish",
  "durable/chain-state/wallet",
  "durable/chain-state/dev",
  "durable/chain-state/fork",
  "durable/chain-state/checkpoint",
  ...chain,
] as const;

/** Allowed imports of each area besides itself. An area is a folder, or a file named in full. */
const directions: Readonly<Record<string, readonly string[]>> = {
  "src/crypto": [],
  "src/network": ["src/crypto"],
  "src/protocol": ["src/network", "src/crypto"],
  "src/ride": ["src/protocol", "src/network", "src/crypto"],
  "src/rules": language,
  "src/platform": [],
  "src/tables": ["src/platform", ...rules],
  "src/env.ts": language,
  "src/read-model": [...tables, "src/env.ts"],
  "src/http": ["src/platform", ...language, "src/env.ts", "src/read-model"],
  "src/rpc": ["src/env.ts", ...rules],
  "src/java-regex": [],
  // Context of a request: what handlers need besides their request.
  "src/services": ["src/platform", ...rules, "src/env.ts", "src/http", "src/read-model"],
  "src/routes": [
    ...["src/platform", ...rules, "src/env.ts", "src/http", "src/read-model"],
    ...["src/java-regex", "src/services"],
  ],
  "src/worker": [
    ...["src/platform", ...language, "src/env.ts", "src/http", "src/read-model"],
    ...["src/services", "src/routes"],
  ],
  "src/index.ts": [
    ...["src/env.ts", "src/services", "src/routes", "src/worker"],
    ...["durable/chain-state", "durable/peer-hub/peer-hub.ts"],
  ],
  "durable/log.ts": ["src/platform"],
  "durable/object-work.ts": ["src/env.ts"],
  "durable/sql": ["src/tables"],
  "durable/chain-state/state": ["durable/sql", ...tables],
  "durable/chain-state/chain": state,
  // `src/env.ts` names the Worker's calls of the pool.
  "durable/chain-state/pool": ["src/env.ts", ...state],
  "durable/chain-state/publish": ["durable/object-work.ts", "src/env.ts", ...state],
  "durable/chain-state/wallet": ["src/env.ts", ...language],
  "durable/chain-state/miner": ["durable/chain-state/pool", ...chain],
  // Endorses with the wallet's keys, at the time of the miner.
  "durable/chain-state/finality": [
    ...["durable/log.ts", "durable/chain-state/miner", "durable/chain-state/wallet"],
    ...chain,
  ],
  "durable/chain-state/fork": ["src/env.ts", "durable/chain-state/pool", ...chain],
  // Components of a dev chain, which `dev-chain.ts` of that folder wires.
  "durable/chain-state/dev": [
    ...["src/env.ts", "durable/chain-state/fork", "durable/chain-state/pool", "durable/chain-state/miner"],
    ...chain,
  ],
  "durable/chain-state/checkpoint": ["src/env.ts", ...chain],
  // Wiring: files directly in the folder, and the entries of its components.
  "durable/chain-state": [
    ...["durable/log.ts", "durable/object-work.ts", "durable/chain-state/peers", "src/rpc", "src/env.ts"],
    ...["durable/chain-state/dev/dev-chain.ts", "durable/chain-state/checkpoint/checkpoints.ts"],
    ...node,
  ],
  "durable/chain-state/peers": ["durable/chain-state", "durable/log.ts", "src/rpc", "src/env.ts", ...node],
  "durable/chain-state/dev/dev-chain.ts": ["durable/chain-state", "durable/log.ts", "src/env.ts", ...node],
  "durable/chain-state/checkpoint/checkpoints.ts": ["durable/chain-state", "durable/log.ts", "src/env.ts", ...node],
  // It calls the chain through `src/rpc`: the other object may be far away.
  "durable/peer-hub": ["durable/log.ts", "src/rpc", "src/env.ts", "src/platform", ...rules],
  // Connections to peers, on Cloudflare and next to the local runner.
  "durable/peer-hub/sockets": ["durable/peer-hub", "src/env.ts", ...language],
  "durable/peer-hub/sql-peer-storage.ts": ["durable/peer-hub", "durable/sql"],
  "durable/peer-hub/peer-hub.ts": [
    ...["durable/peer-hub", "durable/peer-hub/sockets", "durable/peer-hub/sql-peer-storage.ts", "durable/sql"],
    ...["durable/log.ts", "durable/object-work.ts", "src/rpc", "src/env.ts", ...tables],
  ],
};

/** Allowed imports between folders of an area; folders that are not named are unrestricted. */
const innerDirections: Readonly<Record<string, readonly string[]>> = {
  "src/rules/state": [],
  "src/rules/consensus": ["src/rules/state"],
  // They need the features in force, and routes use them without a view.
  "src/rules/scripts": [],
  // Scripts need the delay of a generator.
  "src/rules/transactions": ["src/rules/scripts", "src/rules/consensus", "src/rules/state"],
  "src/rules/blocks": ["src/rules/transactions", "src/rules/consensus", "src/rules/state"],
  "src/rules/evaluation/eval": ["src/rules/transactions", "src/rules/consensus", "src/rules/state"],
  // Sessions know nothing of chains; files of the folder wire both.
  "durable/peer-hub/sessions": [],
  "durable/peer-hub/sync": ["durable/peer-hub/sessions"],
};

/** Allowed imports of the pure libraries from outside the project. */
const pureExternals: Readonly<Record<string, RegExp>> = {
  "src/crypto": /^(@noble\/|@scure\/|node:crypto$|lru-cache$)/,
  "src/network": /^zod$/,
  "src/protocol": /^lru-cache$/,
  "src/ride": /^(@waves\/ride-lang|lru-cache)$/,
  "src/rules": /^$/,
  "src/tables": /^$/,
  "src/platform": /^lru-cache$/,
};

const isIn = (file: string, area: string): boolean => file === area || file.startsWith(`${area}/`);

function areaOf(file: string): string | undefined {
  if (directions[file] !== undefined) return file;
  const areas = Object.keys(directions).filter((area) => area.includes("/") && isIn(file, area));
  return areas.sort((left, right) => right.length - left.length)[0];
}

const innerAreaOf = (file: string): string | undefined => Object.keys(innerDirections).find((area) => isIn(file, area));

/** @returns error of an import, undefined when it is allowed */
function findViolation(file: string, specifier: string): string | undefined {
  const from = areaOf(file);
  if (from === undefined) return `${file} stands in a folder that test/scenarios/project/imports.test.ts does not know`;
  if (!specifier.startsWith(".")) {
    const allowed = pureExternals[from];
    return allowed === undefined || allowed.test(specifier) ? undefined : `${file} imports ${specifier}`;
  }
  const target = path.posix.join(path.posix.dirname(file), specifier);
  const to = areaOf(target);
  const isAllowed = to !== undefined && (to === from || directions[from]?.includes(to) === true);
  const [fromInner, toInner] = [innerAreaOf(file), innerAreaOf(target)];
  const isInnerAllowed =
    to !== from ||
    fromInner === undefined ||
    toInner === undefined ||
    toInner === fromInner ||
    innerDirections[fromInner]?.includes(toInner) === true;
  return isAllowed && isInnerAllowed ? undefined : `${file} imports ${target}`;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")));
}

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(projectRoot, file), "utf8");
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"\n]+)"/g)].map((match) => String(match[1]));
}

/** Imported project files of every file. */
function importGraph(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => path.posix.join(path.posix.dirname(file), specifier)),
    ]),
  );
}

/** Files of one cycle, in order, or undefined without one. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const onTheWay: string[] = [];
  const visit = (file: string): readonly string[] | undefined => {
    if (done.has(file)) return undefined;
    if (onTheWay.includes(file)) return [...onTheWay.slice(onTheWay.indexOf(file)), file];
    onTheWay.push(file);
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    onTheWay.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const product = [...sourceFiles("src"), ...sourceFiles("durable")];
const webFiles = sourceFiles("web");
const everything = [
  ...[...product, ...webFiles],
  ...["scripts", "local", "verification", "test"].flatMap((folder) => sourceFiles(folder)),
];

describe("import directions", () => {
  it("reads the sources", () => {
    expect(product.length).toBeGreaterThan(300);
  });

  it("holds for every import line of src and durable", () => {
    const violations = product.flatMap((file) => importsOf(file).map((specifier) => findViolation(file, specifier)));
    expect(violations.filter((violation) => violation !== undefined)).toEqual([]);
  });

  it("allows only the entry of the Worker to import the objects", () => {
    const isObject = (file: string) => /^durable\/(chain-state\/chain-state|peer-hub\/peer-hub)\.ts$/.test(file);
    const importers = [...importGraph(product)].filter(([, targets]) => targets.some(isObject)).map(([file]) => file);
    expect(importers).toEqual(["src/index.ts"]);
  });

  it("allows no script to import a test", () => {
    const scripts = everything.filter((file) => isIn(file, "scripts") || isIn(file, "local"));
    const violations = [...importGraph(scripts)].flatMap(([file, targets]) =>
      targets.filter((target) => isIn(target, "test")).map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });

  it("allows pages to import formats, signatures and one another's components, and nothing that a node runs", () => {
    const allowed = ["web", "src/protocol", "src/crypto"];
    const violations = webFiles.flatMap((file) =>
      importsOf(file)
        .map((specifier) =>
          specifier.startsWith(".") ? path.posix.join(path.posix.dirname(file), specifier) : `a package: ${specifier}`,
        )
        .filter((target) => !allowed.some((area) => isIn(target, area)))
        .filter((target) => !/^a package: (preact|preact\/hooks|@noble\/hashes\/sha2\.js)$/.test(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });

  it("has no cycle, type imports counted", () => {
    expect(findCycle(importGraph(everything))).toBeUndefined();
  });

  it("finds a cycle of any length", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "d"]],
      ["c", []],
      ["d", ["b"]],
    ]);
    expect(findCycle(graph)).toEqual(["b", "d", "b"]);
  });

  it.each([
    ["src/crypto/hash.ts", "../protocol/faults.ts"],
    ["src/crypto/hash.ts", "node:fs"],
    ["src/protocol/codec/i64.ts", "../../tables/schema/table.ts"],
    ["src/protocol/codec/i64.ts", "cloudflare:workers"],
    ["src/network/features.ts", "../protocol/faults.ts"],
    ["src/ride/evaluator/machine.ts", "../../rules/state/state-view.ts"],
    ["src/rules/transactions/transfer.ts", "../../tables/accounts.ts"],
    ["src/rules/transactions/transfer.ts", "../../env.ts"],
    ["src/rules/transactions/transfer.ts", "cloudflare:workers"],
    ["src/rules/consensus/hit.ts", "../transactions/transfer.ts"],
    ["src/rules/transactions/transfer.ts", "../blocks/block-run.ts"],
    ["src/tables/blocks.ts", "../read-model/block.ts"],
    ["src/routes/blocks/blocks.ts", "../../durable/chain-state.ts"],
    ["src/http/route.ts", "../routes/blocks.ts"],
    ["durable/chain-state/state/state-store.ts", "../chain/fork-choice.ts"],
    ["durable/chain-state/chain/fork-choice.ts", "../chain-state.ts"],
    ["durable/chain-state/chain/fork-choice.ts", "../pool/utx-pool.ts"],
    ["durable/peer-hub/peering.ts", "../chain-state/state/state-store.ts"],
    ["durable/peer-hub/peering.ts", "../chain-state/node.ts"],
    ["durable/peer-hub/sessions/session.ts", "../sync/scores.ts"],
    ["durable/chain-state/chain/fork-choice.ts", "../../peer-hub/peer.ts"],
    ["src/somewhere-new/file.ts", "./other.ts"],
    ["durable/somewhere-new/file.ts", "./other.ts"],
  ])("refuses that %s imports %s", (file, specifier) => {
    expect(findViolation(file, specifier)).toBeDefined();
  });

  it.each([
    ["src/protocol/blocks/block.ts", "../../crypto/bytes.ts"],
    ["src/index.ts", "../durable/chain-state/chain-state.ts"],
    ["src/routes/utils/evaluate.ts", "../rules/evaluation/ask-dapp.ts"],
    ["durable/chain-state/chain/fork-choice.ts", "../../../src/rules/consensus/hit.ts"],
    ["durable/chain-state/publish/publisher.ts", "../state/state-store.ts"],
    ["durable/chain-state/chain-state.ts", "./node.ts"],
    ["durable/peer-hub/sync/scores.ts", "../sessions/session.ts"],
    ["durable/peer-hub/sessions/session.ts", "../../log.ts"],
    ["durable/peer-hub/peer-hub.ts", "./peering.ts"],
    ["durable/chain-state/chain-state.ts", "cloudflare:workers"],
  ])("allows that %s imports %s", (file, specifier) => {
    expect(findViolation(file, specifier)).toBeUndefined();
  });
});
