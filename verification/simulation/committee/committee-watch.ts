/** Invariants of a simulated network of generators, checked at every change. */
import { encodeHex } from "../../../src/crypto/hex.ts";
import { commitmentDeposit, depositOf } from "../../../src/rules/finality/deposit.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../../src/rules/finality/generation-period.ts";
import { type BlockForm, noPeriod } from "./block-form.ts";
import type { CommitteeNode } from "./committee-node.ts";
import type { CommitteeWorld } from "./committee-world.ts";
import { viewOfForm } from "./form-view.ts";

export class CommitteeWatch {
  readonly #world: CommitteeWorld;
  readonly #supply: bigint;
  readonly #breach: (line: string) => void;
  /** The first finalized block at each height, and its node. */
  readonly #final: { readonly form: BlockForm; readonly node: string }[] = [];
  /** Finalized form of each node at the last check. */
  readonly #seen = new Map<CommitteeNode, BlockForm>();
  readonly #counted = new WeakSet<BlockForm>();
  /** Deepest rollback in blocks, without the tip. */
  deepest = 0;
  rollbacks = 0;

  constructor(world: CommitteeWorld, breach: (line: string) => void) {
    this.#world = world;
    this.#breach = breach;
    this.#supply = [...world.members, world.outsider].reduce((sum, { balance }) => sum + balance, 0n);
  }

  /** Checks a node after a change of its chain. */
  changed(node: CommitteeNode, before: BlockForm): void {
    this.#countMoney(node.tip);
    this.#countRollback(node.tip, before);
    // Hostile nodes may claim anything as final.
    if (node.hostility === undefined) this.#compareFinal(node);
  }

  #compareFinal(node: CommitteeNode): void {
    const { tip } = node;
    const finalized = node.finalizedHeight();
    const seen = this.#seen.get(node);
    if (seen !== undefined && tip.line[seen.height - 1] !== seen)
      this.#breach(`${node.name} has rolled back the final block at height ${seen.height}`);
    if (seen !== undefined && finalized < seen.height)
      this.#breach(`${node.name} had height ${seen.height} final, and now ${finalized}`);
    for (let height = (seen?.height ?? 0) + 1; height <= finalized; height++) {
      const form = tip.line[height - 1] as BlockForm;
      const known = this.#final[height - 1];
      if (known === undefined) this.#final[height - 1] = { form, node: node.name };
      else if (known.form !== form)
        this.#breach(
          `height ${height}: ${shortId(known.form)} was final at ${known.node}, and ${shortId(form)} is at ${node.name}`,
        );
    }
    this.#seen.set(node, tip.line[finalized - 1] as BlockForm);
  }

  #countRollback(tip: BlockForm, before: BlockForm): void {
    let common = Math.min(tip.height, before.height);
    while (tip.line[common - 1]?.keyBlock !== before.line[common - 1]?.keyBlock) common -= 1;
    const depth = before.height - 1 - common;
    if (depth <= 0) return;
    this.rollbacks += 1;
    this.deepest = Math.max(this.deepest, depth);
  }

  /** Checks that supply and deposits add up on every form that becomes a tip. */
  #countMoney(form: BlockForm): void {
    if (this.#counted.has(form)) return;
    this.#counted.add(form);
    const { state, height } = form;
    const held = state.balances.reduce((sum, balance) => sum + balance, 0n);
    if (held + state.burnt !== this.#supply)
      this.#breach(`height ${height}: ${held} are held and ${state.burnt} burnt, of ${this.#supply}`);
    const view = viewOfForm(this.#world, form);
    const period = generationPeriodAt(height, view);
    const next = nextGenerationPeriod(height, view);
    const current = (period && state.periods.get(period.start)) ?? noPeriod;
    // A conflict burns its deposit in the next block.
    const lost = [...current.conflicts.values()].filter((conflictHeight) => conflictHeight < height).length;
    const committed =
      current.commitments.length - lost + ((next && state.periods.get(next.start)) ?? noPeriod).commitments.length;
    const locked = this.#world.members.reduce((sum, { address }) => sum + depositOf(address, view), 0n);
    if (locked !== BigInt(committed) * commitmentDeposit)
      this.#breach(`height ${height}: ${locked} are deposits of ${committed} commitments`);
    const conflicts = [...state.periods.values()].flatMap(({ conflicts: heights }) => [...heights.values()]);
    const punished = conflicts.filter((conflictHeight) => conflictHeight < height).length;
    if (state.burnt !== BigInt(punished) * commitmentDeposit)
      this.#breach(`height ${height}: ${state.burnt} are burnt for ${punished} conflicts`);
  }
}

function shortId({ id }: BlockForm): string {
  return encodeHex(id.subarray(0, 4));
}
