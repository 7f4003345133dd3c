/** Code to mutate, with the tests that must catch the mutations. */
export interface Area {
  readonly folder: string;
  /** Folders and files below `test`. By default the one that mirrors the code. */
  readonly tests: readonly string[];
  /** Slow tests among these, run only for mutations that the others did not catch. */
  readonly last?: readonly string[];
  /**
   * Tests among these that are left out: they take longer than the rest of the area together, and catch mutations only
   * by chance.
   */
  readonly slow?: readonly string[];
}

const inChain = (...names: readonly string[]) => names.map((name) => `test/scenarios/chain/${name}.test.ts`);

const areas: readonly Area[] = [
  {
    folder: "src/rules/consensus",
    tests: ["test/rules/consensus", "test/rules/blocks/verify-header.test.ts"],
    last: [
      "test/scenarios/consensus/mainnet-headers.test.ts",
      "test/scenarios/consensus/recorded-private-a.test.ts",
      "test/scenarios/consensus/recorded-finality-a.test.ts",
    ],
  },
  {
    folder: "src/rules/blocks",
    tests: [
      "test/rules/blocks",
      "test/scenarios/chain/block-start.test.ts",
      "test/scenarios/chain/state-hash-fields.test.ts",
    ],
  },
  {
    folder: "src/rules/transactions/checks",
    tests: ["test/rules/transactions"],
  },
  {
    folder: "src/protocol/transactions/checks.ts",
    tests: ["test/protocol/transactions/checks.test.ts", "test/protocol/transactions/order-checks.test.ts"],
  },
  {
    folder: "src/protocol/transactions/order-checks.ts",
    tests: ["test/protocol/transactions/checks.test.ts", "test/protocol/transactions/order-checks.test.ts"],
  },
  {
    folder: "durable/chain-state/chain/rows",
    tests: [
      "test/durable/chain-state/chain/rows",
      ...inChain("call-records", "feature-votes", "list-rows", "own-micro-block"),
      ...inChain("repeated-ids", "tip-rows", "whole-block"),
    ],
  },
  { folder: "durable/chain-state/chain/branch-blocks.ts", tests: inChain("branch-blocks") },
  {
    folder: "durable/chain-state/chain/committer.ts",
    tests: inChain("chain-change", "closed-block", "expire", "finalized", "own-micro-block", "tip-rows"),
  },
  {
    folder: "durable/chain-state/chain/fork-choice.ts",
    tests: inChain("block-place", "chain-change", "finalized", "fork-choice", "left-behind"),
    last: inChain("fork-choice"),
  },
  { folder: "durable/chain-state/chain/import-blocks.ts", tests: inChain("import-blocks") },
  {
    folder: "durable/chain-state/chain/liquid-chain.ts",
    tests: [
      ...inChain("closed-block", "finalized", "not-built-yet", "own-micro-block", "received-micro-block", "tip-rows"),
      ...inChain("whole-block"),
    ],
  },
  { folder: "durable/chain-state/chain/prefetch.ts", tests: inChain("prefetch") },
  {
    folder: "durable/chain-state/chain/stored-chain.ts",
    tests: inChain("chain-change", "closed-block", "finalized", "own-micro-block", "stored-chain", "whole-block"),
  },
  {
    folder: "durable/chain-state/chain",
    tests: ["test/scenarios/chain"],
    slow: ["test/durable/chain-state/**/*.property.test.ts"],
  },
  {
    folder: "durable/chain-state/publish",
    tests: ["test/durable/chain-state/publish"],
    last: ["test/scenarios/publication/heal-in-batches.test.ts"],
    slow: [
      "test/durable/chain-state/**/*.property.test.ts",
      "test/scenarios/publication/during-block-production.test.ts",
    ],
  },
];

/** The tests for a file or folder of the project. */
export function areaOf(path: string): Area {
  const known = areas.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
  if (known !== undefined) return known;
  const folder = path.endsWith(".ts") ? path.slice(0, path.lastIndexOf("/")) : path;
  return {
    folder,
    tests: [folder.startsWith("src/") ? `test/${folder.slice("src/".length)}` : `test/${folder}`],
  };
}
