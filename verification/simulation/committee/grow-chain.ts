/** Forges the next block or micro-block, validated and applied by the rules of finality. */

import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { BlockId, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { accumulateVoting } from "../../../src/protocol/blocks/finalization-voting.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { blockScore } from "../../../src/rules/consensus/block-score.ts";
import { minimumBalance } from "../../../src/rules/consensus/generating-balance.ts";
import type { Commitment } from "../../../src/rules/finality/commitment.ts";
import { commitmentDeposit, depositOf } from "../../../src/rules/finality/deposit.ts";
import { isParentFinalized } from "../../../src/rules/finality/finalization.ts";
import { finalizedAfter } from "../../../src/rules/finality/finalized-height.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../../src/rules/finality/generation-period.ts";
import {
  allowedGenerators,
  findGenerator,
  type GeneratorSet,
  generatorsAfter,
} from "../../../src/rules/finality/generator-set.ts";
import { punishedAfter } from "../../../src/rules/finality/penalty.ts";
import { verifyVoting } from "../../../src/rules/finality/verify-voting.ts";
import { type BlockForm, type FormState, noPeriod, type Operation, type PeriodState } from "./block-form.ts";
import { baseTargetOn } from "./block-timing.ts";
import { cheapSignatures } from "./cheap-signatures.ts";
import type { CommitteeWorld } from "./committee-world.ts";
import { numberOf, viewOf, viewOfForm } from "./form-view.ts";

/** Fee of a commitment, for the block's generator. */
const COMMITMENT_FEE = 10_000_000n;

/** Ids for new forms. */
export type NextId = () => BlockId;

export function firstBlock(world: CommitteeWorld, nextId: NextId): BlockForm {
  const balances = [...world.members, world.outsider].map(({ balance }) => balance);
  const line: BlockForm[] = [];
  const form: Omit<BlockForm, "keyBlock"> & { keyBlock?: BlockForm } = {
    ...{ id: nextId(), height: 1, parent: undefined, extended: undefined, line },
    baseTarget: world.settings.genesis.initialBaseTarget,
    score: 0n,
    header: {
      reference: new Uint8Array(64) as BlockId,
      timestamp: 0n,
      generator: world.outsider.publicKey,
      challengedHeader: undefined,
      finalizationVoting: undefined,
    },
    generator: world.outsider.number,
    generators: { committed: [], weights: [], conflicts: new Map() },
    finalizedHeight: 1,
    state: { balances, lowest: balances, periods: new Map(), burnt: 0n },
  };
  form.keyBlock = form as BlockForm;
  line.push(form as BlockForm);
  return form as BlockForm;
}

/** Generator set of the block on a form, cached for all nodes. */
const generatorsOnForms = new WeakMap<BlockForm, GeneratorSet>();

export function generatorsOn(form: BlockForm, world: CommitteeWorld): GeneratorSet {
  let set = generatorsOnForms.get(form);
  if (set === undefined) {
    set = generatorsAfter(form.height, viewOfForm(world, form));
    generatorsOnForms.set(form, set);
  }
  return set;
}

/** @throws RuleError generatorNotAllowed, generatingBalanceTooLow, votingInvalid */
export function keyBlockOn(
  parent: BlockForm,
  options: {
    readonly generator: number;
    readonly timestampMs: bigint;
    readonly voting: FinalizationVoting | undefined;
  },
  world: CommitteeWorld,
  nextId: NextId,
): BlockForm {
  const { generator, timestampMs, voting: finalizationVoting } = options;
  const height = parent.height + 1;
  const view = viewOfForm(world, parent);
  const generators = generatorsOn(parent, world);
  const { address, publicKey } = accountOf(world, generator);
  checkGenerator(address, generators, parent, world);
  const header = {
    reference: parent.id,
    generator: publicKey,
    timestamp: timestampMs,
    challengedHeader: undefined,
    finalizationVoting,
  };
  verifyVoting({ header, height, generators }, view, cheapSignatures);
  const balances = [...parent.state.balances];
  let { burnt } = parent.state;
  for (const punished of punishedAfter(view)) {
    const number = numberOf(world, punished);
    balances[number] = (balances[number] as bigint) - commitmentDeposit;
    burnt += commitmentDeposit;
  }
  const periods = withConflicts(parent.state.periods, finalizationVoting, height, world);
  const baseTarget = baseTargetOn(parent, header.timestamp, world);
  const line: BlockForm[] = [...parent.line];
  const form: Omit<BlockForm, "keyBlock"> & { keyBlock?: BlockForm } = {
    ...{ id: nextId(), height, header, generator, parent, extended: undefined, line, generators },
    baseTarget,
    score: parent.score + blockScore(baseTarget),
    finalizedHeight: finalizedAfter(
      height,
      parent.finalizedHeight,
      isParentFinalized(generators, address, finalizationVoting),
    ),
    state: stateAfter(world, height, parent.line, { balances, periods, burnt, lowest: parent.state.lowest }),
  };
  form.keyBlock = form as BlockForm;
  line.push(form as BlockForm);
  return form as BlockForm;
}

/**
 * The form extended by one micro-block.
 * @throws RuleError votingInvalid; microBlockRefused: an operation is invalid
 */
export function extendedBy(
  form: BlockForm,
  options: { readonly operations: readonly Operation[]; readonly voting: FinalizationVoting | undefined },
  world: CommitteeWorld,
  nextId: NextId,
): BlockForm {
  const { height, generators, parent } = form;
  if (parent === undefined) throw new Error("nothing extends the first block");
  const voting = accumulateVoting(form.header.finalizationVoting, options.voting);
  const header = { ...form.header, finalizationVoting: voting };
  const { address } = accountOf(world, form.generator);
  let { finalizedHeight } = form;
  if (options.voting !== undefined) {
    verifyVoting({ header, height, generators }, viewOfForm(world, form), cheapSignatures);
    finalizedHeight = finalizedAfter(height, parent.finalizedHeight, isParentFinalized(generators, address, voting));
  }
  let state: FormState = { ...form.state, periods: withConflicts(form.state.periods, options.voting, height, world) };
  for (const operation of options.operations) {
    const after = applied(operation, state, form, world);
    if (after === undefined) throw new RuleError({ code: "microBlockRefused", reason: `no ${operation.kind} here` });
    state = after;
  }
  const line: BlockForm[] = form.line.slice(0, -1);
  const made: BlockForm = {
    ...form,
    ...{ id: nextId(), header, extended: form, line, finalizedHeight },
    state: stateAfter(world, height, parent.line, { ...state, lowest: parent.state.lowest }),
  };
  line.push(made);
  return made;
}

/** The operations that are valid one after the other on a form. */
export function holding(
  operations: readonly Operation[],
  form: BlockForm,
  world: CommitteeWorld,
): readonly Operation[] {
  let { state } = form;
  return operations.filter((operation) => {
    const after = applied(operation, state, form, world);
    if (after !== undefined) state = after;
    return after !== undefined;
  });
}

function checkGenerator(address: Address, generators: GeneratorSet, parent: BlockForm, world: CommitteeWorld): void {
  if (findGenerator(generators, address) !== undefined) return;
  if (allowedGenerators(generators).length > 0)
    throw new RuleError({ code: "generatorNotAllowed", generator: "", allowed: [] });
  const got = parent.state.lowest[numberOf(world, address)] as bigint;
  if (got < minimumBalance)
    throw new RuleError({ code: "generatingBalanceTooLow", generator: "", required: minimumBalance, got });
}

function accountOf({ members, outsider }: CommitteeWorld, number: number) {
  return members[number] ?? outsider;
}

function withConflicts(
  periods: FormState["periods"],
  voting: FinalizationVoting | undefined,
  height: number,
  world: CommitteeWorld,
): FormState["periods"] {
  const start = generationPeriodAt(height, { ...world.features, settings: world.settings })?.start;
  if (start === undefined || voting === undefined || voting.conflictEndorsements.length === 0) return periods;
  const period = periods.get(start) ?? noPeriod;
  const conflicts = new Map(period.conflicts);
  for (const { endorserIndex } of voting.conflictEndorsements) conflicts.set(endorserIndex, height);
  return new Map(periods).set(start, { ...period, conflicts });
}

/** The state after an operation; undefined: invalid. */
function applied(
  operation: Operation,
  state: FormState,
  { height, line, generator }: BlockForm,
  world: CommitteeWorld,
): FormState | undefined {
  const view = viewOf(world, height, line, state);
  const lockedOf = (number: number) => depositOf(accountOf(world, number).address, view);
  if (operation.kind === "transfer") {
    const { from, to, amount } = operation;
    if ((state.balances[from] as bigint) - lockedOf(from) < amount) return undefined;
    return { ...state, balances: moved(state.balances, { from, to, amount }) };
  }
  const { member } = operation;
  const next = nextGenerationPeriod(height, view);
  const { address, publicKey, endorserKey } = accountOf(world, member);
  if (next === undefined || view.findCommitment(next.start, address) !== undefined) return undefined;
  const left = (state.balances[member] as bigint) - lockedOf(member) - COMMITMENT_FEE - commitmentDeposit;
  const before = line.at(-2)?.state.lowest[member] ?? left;
  if (left < minimumBalance || before < minimumBalance) return undefined;
  const period = state.periods.get(next.start) ?? noPeriod;
  const commitment: Commitment = {
    ...{
      index: period.commitments.length,
      address,
      publicKey,
      endorserPublicKey: endorserKey as Commitment["endorserPublicKey"],
      height,
    },
    transactionId: endorserKey as Uint8Array as TransactionId,
  };
  const periods = new Map(state.periods).set(next.start, withCommitment(period, commitment));
  return {
    ...state,
    periods,
    balances: moved(state.balances, { from: member, to: generator, amount: COMMITMENT_FEE }),
  };
}

function withCommitment(period: PeriodState, commitment: Commitment): PeriodState {
  return {
    ...period,
    commitments: [...period.commitments, commitment],
    byAddress: new Map(period.byAddress).set(bytesKey(commitment.address), commitment),
  };
}

function moved(
  balances: readonly bigint[],
  { from, to, amount }: { readonly from: number; readonly to: number; readonly amount: bigint },
): readonly bigint[] {
  const after = [...balances];
  after[from] = (after[from] as bigint) - amount;
  after[to] = (after[to] as bigint) + amount;
  return after;
}

/** @param state with the lowest balances up to the parent */
function stateAfter(world: CommitteeWorld, height: number, line: readonly BlockForm[], state: FormState): FormState {
  const view = viewOf(world, height, line, state);
  const lowest = state.lowest.map((before, number) => {
    const effective = (state.balances[number] as bigint) - depositOf(accountOf(world, number).address, view);
    return effective < before ? effective : before;
  });
  return { ...state, lowest };
}
