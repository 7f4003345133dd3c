import fc from "fast-check";
import { expect, test } from "vitest";
import { openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { generatedTypes } from "../../../verification/chain-generator/coverage.ts";
import { chainVariants } from "../../../verification/chain-generator/generated-network.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { chainQueryResults, type Subjects } from "../../../verification/simulation/chain-query-results.ts";
import { countMoney } from "../../../verification/simulation/conserved-money.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { appendEvent, type ChainEvent, type Move, RandomChain } from "../../support/builders/random-chain.ts";

/** All tables of the state, and the undo journal. The outbox only grows: it notifies its readers of rollbacks too. */
const tables = [...stateTables.map(({ name }) => name), "undo"];

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("transactions"), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("microBlock") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("keyBlock"),
      generator: fc.nat({ max: 3 }),
      dropped: fc.oneof(fc.constant(0), fc.nat({ max: 3 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("competitor") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("challenge") }) },
);

const scenario = fc.record(
  {
    variant: fc.constantFrom(...chainVariants),
    seed: fc.nat(),
    moves: fc.array(move, { minLength: 4, maxLength: 36, size: "max" }),
    /** Heights of the rollbacks. */
    back: fc.tuple(fc.nat(), fc.nat()),
  },
  { noNullPrototype: true },
);

/** Chain after one of its commits. */
interface ChainContent {
  readonly height: number;
  readonly step: number;
  /** Event of the commit; undefined for the genesis block. */
  readonly event: ChainEvent | undefined;
  readonly tables: string;
}

function contentOf({ chain, database }: SimulatedNode, event: ChainEvent | undefined): ChainContent {
  return { height: chain.view.height, step: chain.stored.microBlockCount(), event, tables: database.dump(tables) };
}

function expectTablesOf(content: ChainContent, node: SimulatedNode, when: string): void {
  const lines = node.database.dump(tables).split("\n");
  const expected = content.tables.split("\n");
  const differing = lines.findIndex((line, index) => line !== expected[index]);
  if (differing < 0 && lines.length === expected.length) return;
  throw new Error(`${when}, line ${differing} of the tables is\n${lines[differing]}\nand was\n${expected[differing]}`);
}

/** The node's memory must equal the reads of a node that was just started on its tables. */
function expectSameResults({ chain, database }: SimulatedNode, subjects: Subjects): void {
  const started = openChain({
    store: new StateStore(database),
    settings: chain.view.settings,
    transaction: database.transaction,
    maxRollbackDepth: 100,
  });
  expect(chainQueryResults(chain, subjects)).toBe(chainQueryResults(started, subjects));
}

function expectMoneyConserved({ chain, database }: SimulatedNode): void {
  const { found, expected } = countMoney(chain, database);
  expect(found).toEqual(expected);
}

/**
 * Makes the moves.
 * @param before commits of the chain so far
 * @returns commits of the chain afterwards, without those rolled back
 */
function grow(chain: RandomChain, moves: readonly Move[], before?: readonly ChainContent[]): readonly ChainContent[] {
  const { node } = chain;
  let path = before === undefined ? [contentOf(node, undefined)] : [...before];
  for (const next of moves) {
    const { height } = node.chain.view;
    const step = node.chain.stored.microBlockCount();
    const event = chain.run(next);
    expectMoneyConserved(node);
    if (event === undefined) continue;
    if (next.kind === "competitor" || next.kind === "challenge")
      path = path.filter((content) => content.height < height);
    if (next.kind === "keyBlock")
      path = path.filter((content) => content.height < height || content.step <= Math.max(0, step - next.dropped));
    path.push(contentOf(node, event));
  }
  return path;
}

function expectRollbackAndReplay(chain: RandomChain, path: readonly ChainContent[], height: number): void {
  const { node } = chain;
  const top = path.findLastIndex((content) => content.height <= height);
  node.chain.forks.revertTo(height);
  expectTablesOf(path[top] as ChainContent, node, `after the rollback to height ${height}`);
  expectSameResults(node, subjectsOf(chain));
  for (const content of path)
    if (content.height === height)
      node.chain.liquid.withLiquidForm(content.step, () => {
        expectTablesOf(content, node, `with ${content.step} micro-blocks of height ${height}`);
        expectMoneyConserved(node);
      });
  for (const content of path.slice(top + 1)) {
    appendEvent(node, content.event as ChainEvent);
    expectTablesOf(content, node, `applied again up to micro-block ${content.step} of height ${content.height}`);
  }
  expectSameResults(node, subjectsOf(chain));
}

function subjectsOf(chain: RandomChain): Subjects {
  const { generators, users, wallets } = chain.accounts;
  return {
    addresses: [...generators, ...users, ...wallets].map(({ address }) => address),
    transactions: chain.transactions(),
  };
}

function expectReversible(chain: RandomChain, path: readonly ChainContent[], back: readonly number[]): void {
  expectSameResults(chain.node, subjectsOf(chain));
  const { view, stored } = chain.node.chain;
  // Generators with two thirds make blocks final, and no rollback goes below the finalized height.
  const lowest = stored.finalizedHeight();
  for (const number of back) expectRollbackAndReplay(chain, path, lowest + (number % (view.height - lowest + 1)));
  const other = chain.emptyNode();
  for (const event of chain.events) appendEvent(other, event, true);
  expectTablesOf(path.at(-1) as ChainContent, other, "on a node that received it all");
}

test("a random chain that is rolled back to any height and replayed is the same", () => {
  fc.assert(
    fc.property(scenario, ({ variant, seed, moves, back }) => {
      const chain = new RandomChain(variant, seed);
      expectReversible(chain, grow(chain, moves), back);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 7_000, markInterruptAsFailure: false },
  );
});

test("a chain with every type of transaction can be rolled back and replayed", () => {
  const random = new SeededRandom("moves");
  const chain = new RandomChain("committed", 1);
  const missingTypes = (): readonly number[] => {
    const present = new Set<number>(chain.transactions().map(({ type }) => type));
    return generatedTypes.filter((type) => !present.has(type));
  };
  let path = grow(chain, []);
  for (let round = 0; round < 60 && (round < 12 || missingTypes().length > 0); round++) {
    const dropped = random.below(2);
    const last: Move = random.boolean(0.2)
      ? { kind: "competitor" }
      : { kind: "keyBlock", generator: random.below(4), dropped };
    path = grow(chain, [{ kind: "transactions", count: 9 }, { kind: "microBlock" }, last], path);
  }
  expect(missingTypes()).toEqual([]);
  expectReversible(chain, path, [5, 11]);
});

test("a chain with challenges can be rolled back and replayed", () => {
  const chain = new RandomChain("active", 2);
  const moves = Array.from({ length: 8 }, (_, round): readonly Move[] => [
    { kind: "keyBlock", generator: round % 4, dropped: 0 },
    { kind: "transactions", count: 4 },
    { kind: "microBlock" },
    { kind: "challenge" },
  ]);
  const path = grow(chain, moves.flat());
  const challenges = path.filter(({ event }) => event?.kind === "keyBlock" && event.block.header.challengedHeader);
  expect(challenges.length).toBeGreaterThan(0);
  expectReversible(chain, path, [3, 5]);
});
