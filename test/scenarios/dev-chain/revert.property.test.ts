import fc from "fast-check";
import { expect, test } from "vitest";
import { generatedTypes } from "../../../verification/chain-generator/coverage.ts";
import { type ChainVariant, chainVariants } from "../../../verification/chain-generator/generated-network.ts";
import { type ChainContent, DevChainRun } from "../../support/builders/dev-chain-run.ts";
import type { Move } from "../../support/builders/random-chain.ts";

/** Calls of the owner besides the chain's own growth. */
type Act =
  | Move
  | { readonly kind: "snapshot" }
  /** @param which index in the list of snapshots */
  | { readonly kind: "revert"; readonly which: number }
  | { readonly kind: "reset" }
  | { readonly kind: "restart" }
  | { readonly kind: "rollback"; readonly blocks: number; readonly dropsTransactions: boolean }
  | { readonly kind: "publish" }
  | { readonly kind: "jump"; readonly ms: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("transactions"), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("microBlock") }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("keyBlock"), generator: fc.nat({ max: 3 }), dropped: fc.nat({ max: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("competitor") }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("snapshot") }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("revert"), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("restart") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("rollback"),
      blocks: fc.integer({ min: 1, max: 3 }),
      dropsTransactions: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("publish") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("jump"), ms: fc.nat({ max: 3_600_000 }) }) },
) as fc.Arbitrary<Act>;

const scenario = fc.record(
  {
    variant: fc.constantFrom(...chainVariants),
    seed: fc.nat(),
    maxRollbackDepth: fc.constantFrom(2, 5, 100),
    acts: fc.array(act, { minLength: 6, maxLength: 50, size: "max" }),
  },
  { noNullPrototype: true },
);

/** Carries out the acts; after each revert the chain must have its former content. */
async function live(run: DevChainRun, acts: readonly Act[]): Promise<void> {
  const start = run.content();
  let kept: { readonly name: string; readonly content: ChainContent }[] = [];
  const expectBack = async (content: ChainContent, when: string): Promise<void> => {
    run.expectContent(content, when);
    run.expectSound();
    await run.expectPublished();
    expect(run.state.snapshots().map(({ name }) => name)).toEqual(kept.map(({ name }) => name));
  };
  for (const next of acts) {
    const { chain } = run;
    switch (next.kind) {
      case "snapshot": {
        const taken = run.state.snapshot(undefined);
        if (taken.kind !== "done") throw new Error(taken.reason);
        kept.push({ name: taken.name, content: run.content() });
        break;
      }
      case "revert": {
        const found = kept[next.which % Math.max(1, kept.length)];
        if (found === undefined) break;
        await run.revert(found.name);
        kept = kept.slice(0, kept.indexOf(found) + 1);
        await expectBack(found.content, `after the revert to ${found.name}`);
        break;
      }
      case "reset":
        await run.revert("start");
        kept = [];
        await expectBack(start, "after the reset");
        break;
      case "restart":
        run.restart();
        break;
      case "rollback": {
        const lowest = chain.node.node.store.lowestRollbackHeight();
        const height = Math.max(lowest, chain.node.height - next.blocks);
        await chain.node.node.revert(height, { isForced: true, dropsTransactions: next.dropsTransactions });
        break;
      }
      case "publish":
        await run.expectPublished();
        break;
      case "jump":
        chain.node.nowMs += next.ms;
        break;
      default:
        chain.run(next);
    }
  }
  for (const { name, content } of kept.reverse()) {
    await run.revert(name);
    run.expectContent(content, `at last, after the revert to ${name}`);
  }
  run.expectSound();
  await run.expectPublished();
  run.extend();
  await run.expectPublished();
}

/** Another node of the network, with a chain of its own, becomes the same by a dump. */
async function expectCopied(run: DevChainRun, variant: ChainVariant, seed: number): Promise<void> {
  const content = run.content();
  const lines = await run.dump();
  run.expectContent(content, "after the dump");
  const other = new DevChainRun(variant, seed);
  other.chain.run({ kind: "transactions", count: 3 });
  other.extend();
  await other.expectPublished();
  expect(await other.load(lines)).toMatchObject({ kind: "done", load: undefined });
  other.expectContent(content, "on a node that has loaded it");
  other.expectSound();
  await other.expectPublished();
  other.chain.node.nowMs = Math.max(other.chain.node.nowMs, run.chain.node.nowMs);
  other.extend();
  await other.expectPublished();
}

test("a revert restores the very tables of the snapshot, and the read model follows, regardless of the acts between", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ variant, seed, maxRollbackDepth, acts }) => {
      const run = new DevChainRun(variant, seed, { maxRollbackDepth });
      await live(run, acts);
      await expectCopied(run, variant, seed);
    }),
    { numRuns: 10, seed: 13 },
  );
});

test("a chain with every type of transaction is reverted, dumped and loaded", async () => {
  const run = new DevChainRun("committed", 1, { maxRollbackDepth: 3 });
  const missingTypes = (): readonly number[] => {
    const present = new Set<number>(run.chain.transactions().map(({ type }) => type));
    return generatedTypes.filter((type) => !present.has(type));
  };
  const kept: { readonly name: string; readonly content: ChainContent }[] = [];
  for (let round = 0; round < 60 && missingTypes().length > 0; round++) {
    if (round % 5 === 0) {
      const taken = run.state.snapshot(`round ${round}`);
      if (taken.kind !== "done") throw new Error(taken.reason);
      kept.push({ name: taken.name, content: run.content() });
    }
    run.chain.run({ kind: "transactions", count: 9 });
    run.chain.run({ kind: "microBlock" });
    run.extend();
    if (round % 3 === 0) await run.expectPublished();
  }
  expect(missingTypes()).toEqual([]);
  await expectCopied(run, "committed", 1);
  for (const { name, content } of kept.reverse()) {
    await run.revert(name);
    run.expectContent(content, `after the revert to ${name}`);
    run.expectSound();
    await run.expectPublished();
  }
  run.extend();
  await run.expectPublished();
});
