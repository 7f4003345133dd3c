/** Rollback and replay of committee chains: commitments, conflicts, penalties and finalized heights are restored. */
import { expect, test } from "vitest";
import { openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import { mayGenerateNext } from "../../../src/rules/finality/generator-set.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { countMoney } from "../../../verification/simulation/conserved-money.ts";
import { addressOf, Committee } from "../../support/builders/committee.ts";

const tables = [...stateTables.map(({ name }) => name), "undo"];
const MEMBERS = [0, 1, 2, 3];
const BLOCKS = 18;

/** Compares the node's memory with a node that was just started on its tables. */
function expectSameAsStarted({ chain, node: { database } }: Committee): void {
  const started = openChain({
    store: new StateStore(database),
    settings: chain.view.settings,
    transaction: database.transaction,
    maxRollbackDepth: 100,
  });
  expect(started.liquid.generators()).toEqual(chain.liquid.generators());
  expect(started.stored.finalizedHeight()).toBe(chain.stored.finalizedHeight());
  for (let start = 1; start <= chain.view.height + 4; start++) {
    expect(started.view.commitments(start)).toEqual(chain.view.commitments(start));
    expect(started.view.conflicts(start)).toEqual(chain.view.conflicts(start));
  }
}

/** Random voting of some members, sometimes with a conflict. */
function votingOf(committee: Committee, random: SeededRandom, generator: number, parentHeight: number) {
  const { committed, weights } = committee.chain.liquid.generators();
  const keyOf = (index: number) =>
    MEMBERS.find((key) => String(addressOf(committee.key(key))) === String(committed[index]?.address)) as number;
  const conflictsNow = committee.view.conflicts(periodStartOf(parentHeight + 1));
  const others = weights.flatMap((weight, index) =>
    weight > 0n && keyOf(index) !== generator && !conflictsNow.has(index) ? [index] : [],
  );
  const endorsers = others.filter(() => random.boolean(0.7));
  const [conflicting] = random.boolean(0.25) ? others.filter((index) => !endorsers.includes(index)) : [];
  if (endorsers.length === 0 && conflicting === undefined) return undefined;
  const endorsedBlockId = committee.idAt(parentHeight);
  const conflicts =
    conflicting === undefined
      ? []
      : [{ ...committee.conflict(keyOf(conflicting), { endorsedBlockId }), endorserIndex: conflicting }];
  return committee.voting({
    endorsers,
    conflicts,
    endorsedBlockId,
    signers: endorsers.map((index) => committee.key(keyOf(index))),
  });
}

/** Periods of two blocks: [0, 2], [3, 4], … */
const periodStartOf = (height: number) => (height <= 2 ? 0 : height - ((height - 3) % 2));

test.each([1, 2])("a chain of a committee is the same after each rollback and replay (seed %i)", (seed) => {
  const random = new SeededRandom(`committee ${seed}`);
  const committee = new Committee({ balances: MEMBERS.map(() => 1_000_000n) });
  const { chain, node } = committee;
  const dumps: string[] = ["", node.database.dump(tables)];
  const finalized: number[] = [1, 1];
  while (node.height < BLOCKS) {
    const next = node.height + 1;
    const generators = MEMBERS.filter((key) => mayGenerateNext(chain.view, addressOf(committee.key(key))));
    const generator = random.pick(generators);
    committee.append(generator);
    const start = periodStartOf(next) === 0 ? 3 : periodStartOf(next) + 2;
    for (let micros = random.between(1, 2); micros > 0; micros--) {
      const free = MEMBERS.filter(
        (key) => chain.view.findCommitment(start, addressOf(committee.key(key))) === undefined,
      );
      const committing = free.filter(() => random.boolean(0.5));
      const transactions = [
        committee.transfer(random.pick(MEMBERS), 5n),
        ...committing.map((key) => committee.commitment(committee.key(key), start)),
      ];
      const voting = next > 3 && random.boolean(0.8) ? votingOf(committee, random, generator, next - 1) : undefined;
      committee.appendMicroBlock(generator, voting, transactions);
      const { found, expected } = countMoney(chain, node.database);
      expect(found).toEqual(expected);
    }
    expectSameAsStarted(committee);
    dumps.push(node.database.dump(tables));
    finalized.push(chain.stored.finalizedHeight());
  }
  expect(finalized.at(-1)).toBeGreaterThan(8);
  const conflicts = dumps.flatMap((_, height) => [...chain.view.conflicts(height).keys()]);
  expect(conflicts.length).toBeGreaterThan(0);
  const blocks = dumps.map((_, height) => (height > 1 ? chain.stored.findBlock(height) : undefined));
  const whole = new Committee({ balances: MEMBERS.map(() => 1_000_000n) });
  for (const block of blocks) if (block !== undefined) whole.node.append(block);
  // The same as in micro-blocks: the same state and the same finalized height.
  expect(whole.chain.stored.finalizedHeight()).toBe(chain.stored.finalizedHeight());
  expect(whole.chain.stored.tip()).toEqual(chain.stored.tip());
  for (let height = BLOCKS - 1; height >= 1; height -= random.between(1, 3)) {
    chain.forks.revertTo(height, { isForced: true });
    expect(node.database.dump(tables)).toBe(dumps[height]);
    expectSameAsStarted(committee);
  }
  const from = node.height + 1;
  for (const block of blocks.slice(from)) if (block !== undefined) node.append(block);
  expect(chain.stored.tip()).toEqual(whole.chain.stored.tip());
  expect(chain.stored.finalizedHeight()).toBe(finalized.at(-1));
  expectSameAsStarted(committee);
});
