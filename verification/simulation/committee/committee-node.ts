/**
 * A node of a simulated network of generators: its chain, its endorsements, those received, and the blocks of its
 * accounts.
 */

import { QUORUM_PAUSE_MS } from "../../../durable/chain-state/miner/miner.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId, ConflictEndorsement, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { minedTimestampMs } from "../../../src/rules/consensus/block-timestamp.ts";
import { minimumBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { chooseVoting } from "../../../src/rules/finality/choose-voting.ts";
import { EndorsementPool } from "../../../src/rules/finality/endorsement-pool.ts";
import { finalizedHeight } from "../../../src/rules/finality/finalized-height.ts";
import { allowedGenerators, findGenerator } from "../../../src/rules/finality/generator-set.ts";
import { type VotingRound, votingRoundOf } from "../../../src/rules/finality/voting-round.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { type BlockForm, isSameBlock, type Operation } from "./block-form.ts";
import { delayOf } from "./block-timing.ts";
import { cheapSignature, cheapSignatures, cheapSum } from "./cheap-signatures.ts";
import type { CommitteeWorld, Member } from "./committee-world.ts";
import { viewOfForm } from "./form-view.ts";
import { extendedBy, generatorsOn, holding, keyBlockOn, type NextId } from "./grow-chain.ts";
import type { Hostility } from "./hostility.ts";

/** Dependencies of a node. */
export interface CommitteeNodeOptions {
  readonly number: number;
  readonly world: CommitteeWorld;
  readonly first: BlockForm;
  readonly random: SeededRandom;
  readonly nowMs: () => number;
  /** Runs a callback later, unless the node has ended by then. */
  readonly after: (delayMs: number, run: () => void) => void;
  readonly nextId: NextId;
  /** Number of reachable nodes. */
  readonly connectedPeers: () => number;
  /** Sends a form to all others, or to some of them. */
  readonly sendForm: (form: BlockForm, isFor?: (node: number) => boolean) => void;
  readonly sendEndorsements: (endorsements: readonly ConflictEndorsement[]) => void;
  /** Requests the missing forms up to this one from a node. */
  readonly requestForm: (form: BlockForm, node: number) => void;
  /** Operations sent by clients and not yet in a block up to the form. */
  readonly operations: (form: BlockForm) => readonly Operation[];
  /** Called after each change of the chain. */
  readonly changed: (node: CommitteeNode, before: BlockForm) => void;
  readonly journal: (line: string) => void;
}

/** Least number of peers for forging. */
const QUORUM = 1;

export class CommitteeNode {
  readonly options: CommitteeNodeOptions;
  readonly hostility: Hostility | undefined;
  tip: BlockForm;
  /** Finalized height before the last rollback. */
  #finalizedBefore = 1;
  readonly #pool = new EndorsementPool();
  readonly #known = new Set<BlockForm>();
  readonly #members: readonly Member[];
  /** Number of the current plan; plans on an earlier tip are void. */
  #plan = 0;
  #peers = 0;
  /** Last time with too few peers to forge. */
  #withoutQuorumMs = Number.NEGATIVE_INFINITY;
  /** Forms with invalid votings. */
  refusedForms = 0;

  constructor(options: CommitteeNodeOptions) {
    this.options = options;
    this.hostility = options.world.hostile.get(options.number);
    this.tip = options.first;
    this.#known.add(options.first);
    this.#members = options.world.members.filter(({ node }) => node === options.number);
  }

  get name(): string {
    return `node ${this.options.number + 1}${this.hostility === undefined ? "" : ` (${this.hostility})`}`;
  }

  /** Height below which no rollback is possible. */
  finalizedHeight(): number {
    return Math.max(this.#votedHeight(), this.#finalizedBefore);
  }

  /** Finalized height by the chain alone, the same on all nodes with it: only endorsements with this height add up. */
  #votedHeight(): number {
    return finalizedHeight(this.tip.height, this.tip.parent?.finalizedHeight ?? 1);
  }

  /** Restarts the node; its memory is lost. */
  start(): void {
    this.#pool.begin(undefined);
    this.#beginRound();
    this.#mine();
  }

  /** Call it when the set of reachable nodes changes. */
  peersChanged(): void {
    const before = this.#peers;
    this.#peers = this.options.connectedPeers();
    if (Math.min(before, this.#peers) < QUORUM) this.#withoutQuorumMs = this.options.nowMs();
  }

  get #isWithoutQuorum(): boolean {
    return this.#peers < QUORUM;
  }

  /** Receives a form from a node. */
  receive(form: BlockForm, from: number): void {
    if (this.#known.has(form)) return;
    const base = form.extended ?? form.parent;
    if (base !== undefined && !this.#known.has(base)) {
      this.options.requestForm(form, from);
      return;
    }
    this.#learn(form);
  }

  /** Receives a form with those it builds on, lowest first. */
  receiveLine(forms: readonly BlockForm[]): void {
    for (const form of forms) this.#known.add(form);
    const last = forms.at(-1);
    if (last !== undefined) this.#consider(last);
  }

  knows(form: BlockForm): boolean {
    return this.#known.has(form);
  }

  /** The forms up to this one that the node lacks, lowest first. */
  missingOf(form: BlockForm): readonly BlockForm[] {
    const missing: BlockForm[] = [];
    for (let at: BlockForm | undefined = form; at !== undefined && !this.#known.has(at); at = at.extended ?? at.parent)
      missing.unshift(at);
    return missing;
  }

  receiveEndorsements(endorsements: readonly ConflictEndorsement[]): void {
    for (const endorsement of endorsements)
      this.#pool.add(endorsement, {
        isOurBlock: (id, height) => equalBytes(this.tip.line[height - 1]?.id ?? new Uint8Array(), id),
        isSigned: (endorsement, key) =>
          cheapSignatures.isSigned(key, endorsementSignedBytes(endorsement), endorsement.signature),
      });
  }

  #learn(form: BlockForm): void {
    this.#known.add(form);
    if (this.hostility === "endorsements of both sides" && form.extended === undefined) this.#endorseSideBlock(form);
    this.#consider(form);
  }

  /** Appends or switches to the form by the rules of `ForkChoice`. */
  #consider(form: BlockForm): void {
    const { tip } = this;
    if (form.height > tip.height && form.line[tip.height - 1] === tip) this.#adopt(form);
    else if (isSameBlock(form, tip)) {
      if (isExtensionOf(form, tip)) this.#adopt(form);
    } else if (this.#mayReplace(form)) this.#adopt(form);
  }

  #mayReplace(form: BlockForm): boolean {
    const { tip } = this;
    const finalized = this.finalizedHeight();
    let common = Math.min(form.height, tip.height);
    while (form.line[common - 1] !== tip.line[common - 1]) common -= 1;
    // The form builds on an earlier form of the tip: micro-blocks are dropped, the block stays.
    const onTip = form.line[tip.height - 1];
    if (onTip !== undefined && form.height > tip.height && isSameBlock(onTip, tip)) return tip.height > finalized;
    if (common < finalized) return false;
    if (form.height === tip.height && form.parent === tip.parent) return form.header.timestamp < tip.header.timestamp;
    return form.score > tip.score;
  }

  #adopt(form: BlockForm): void {
    const before = this.tip;
    this.#finalizedBefore = this.finalizedHeight();
    this.tip = form;
    this.#plan += 1;
    this.options.changed(this, before);
    if (!isSameBlock(form, before)) this.#beginRound();
    this.#mine();
  }

  #beginRound(): void {
    const { tip } = this;
    const { world } = this.options;
    const round = votingRoundOf(viewOfForm(world, tip), tip.generators, this.#votedHeight());
    this.#pool.begin(round);
    if (round === undefined || this.hostility === "silence" || this.hostility === "absence") return;
    const own = this.#endorsements(round);
    this.receiveEndorsements(own);
    if (own.length > 0) this.options.sendEndorsements(own);
    if (this.hostility === "conflicting endorsements" && this.options.random.boolean(0.2)) this.#contradict(round);
  }

  /** Endorsements by its accounts that have a vote. */
  #endorsements(round: Omit<VotingRound, "endorserKeys">, tip = this.tip): readonly ConflictEndorsement[] {
    const { finalizedHeight, finalizedBlockId, endorsedBlockId, generator } = round;
    const endorsed = { finalizedHeight, finalizedBlockId, endorsedBlockId };
    const message = endorsementSignedBytes(endorsed);
    const { committed, weights } = tip.generators;
    return committed
      .filter(({ index, address }) => {
        const isOwn = this.#members.some((member) => equalBytes(member.address, address));
        return isOwn && index !== generator && (weights[index] as bigint) > 0n;
      })
      .map(({ index, endorserPublicKey }) => ({
        ...endorsed,
        endorserIndex: index,
        signature: cheapSignature(endorserPublicKey, message),
      }));
  }

  /** Endorses the parent of a block that is not its tip, as if on its chain. */
  #endorseSideBlock(form: BlockForm): void {
    const { world } = this.options;
    const finalized = Math.min(this.#votedHeight(), form.height - 2);
    const round = finalized < 1 ? undefined : votingRoundOf(viewOfForm(world, form), form.generators, finalized);
    if (round !== undefined) this.options.sendEndorsements(this.#endorsements(round, form));
  }

  #contradict({ finalizedHeight, endorsedBlockId, generator }: VotingRound): void {
    const finalizedBlockId = this.options.random.bytes(32) as BlockId;
    const lower = Math.max(1, finalizedHeight - this.options.random.below(3));
    const [first] = this.#endorsements({ finalizedHeight: lower, finalizedBlockId, endorsedBlockId, generator });
    if (first !== undefined) this.options.sendEndorsements([first]);
  }

  /** Plans the earliest block of its accounts on the tip. */
  #mine(): void {
    const { tip, hostility } = this;
    const { world, nowMs, after } = this.options;
    if (hostility === "absence") return;
    const generators = generatorsOn(tip, world);
    const isOpen = allowedGenerators(generators).length === 0;
    const lowestOf = ({ number }: Member) => tip.state.lowest[number] as bigint;
    const slots = this.#members.flatMap((member) => {
      const generatingBalance = lowestOf(member);
      const mayGenerate = isOpen
        ? generatingBalance >= minimumBalance
        : findGenerator(generators, member.address) !== undefined;
      if (!mayGenerate) return [];
      return [{ member, delayMs: delayOf(tip, { number: member.number, generatingBalance }, world) }];
    });
    const first = slots.toSorted((one, other) => Number(one.delayMs - other.delayMs))[0];
    if (first === undefined) return;
    const plan = this.#plan;
    const attempt = () => {
      if (plan !== this.#plan) return;
      const waitMs = this.#isWithoutQuorum ? QUORUM_PAUSE_MS : this.#withoutQuorumMs + QUORUM_PAUSE_MS - nowMs();
      if (waitMs > 0) after(waitMs, attempt);
      else this.#forge(first);
    };
    after(Number(tip.header.timestamp + first.delayMs) - nowMs(), attempt);
  }

  #forge({ member: { number }, delayMs }: { readonly member: Member; readonly delayMs: bigint }): void {
    const { tip } = this;
    const slot = { parentTimestampMs: tip.header.timestamp, delayMs, nowMs: BigInt(this.options.nowMs()) };
    const timestampMs = minedTimestampMs(slot) as bigint;
    const block = this.#keyBlock(tip, number, timestampMs);
    const { random, world, after, sendForm } = this.options;
    if (this.hostility === "two blocks" && random.boolean(0.7)) {
      // One of the blocks builds on an earlier form of the tip, if there is one.
      const other = this.#keyBlock(tip.extended ?? tip, number, timestampMs + BigInt(random.below(3)));
      const isLeft = (node: number) => (node + tip.height) % 2 === 0;
      for (const one of [block, other]) this.#known.add(one);
      sendForm(block, isLeft);
      sendForm(other, (node) => !isLeft(node));
      this.#adopt(random.boolean(0.5) ? block : other);
    } else if (this.hostility === "late blocks" && random.boolean(0.7)) {
      this.#known.add(block);
      this.#adopt(block);
      after(random.below(2 * world.blockMs), () =>
        sendForm(this.tip.line[block.height - 1] === undefined ? block : this.tip),
      );
    } else {
      this.#known.add(block);
      sendForm(block);
      this.#adopt(block);
    }
    this.#planMicroBlock();
  }

  #keyBlock(parent: BlockForm, generator: number, timestampMs: bigint): BlockForm {
    const { world, nextId } = this.options;
    return keyBlockOn(parent, { generator, timestampMs, voting: undefined }, world, nextId);
  }

  #planMicroBlock(): void {
    const { keyBlock } = this.tip;
    this.options.after(this.options.world.microBlockMs, () => {
      if (this.tip.keyBlock !== keyBlock) return;
      this.#extend();
      this.#planMicroBlock();
    });
  }

  #extend(): void {
    const { tip } = this;
    const { world, nextId, operations, sendForm } = this.options;
    // A micro-block has one transaction at least.
    const own = holding(operations(tip), tip, world);
    if (own.length === 0) return;
    if (this.hostility === "false votings") this.#extendFalsely(own);
    const form = extendedBy(tip, { operations: own, voting: this.#voting() }, world, nextId);
    this.#known.add(form);
    sendForm(form);
    this.#adopt(form);
  }

  #voting(): FinalizationVoting | undefined {
    const { world } = this.options;
    return chooseVoting({
      pool: this.#pool,
      generators: this.tip.generators,
      voting: this.tip.header.finalizationVoting,
      maxEndorsers: world.settings.functionality.maxValidEndorsements,
      aggregate: cheapSum,
    });
  }

  /** Sends an invalid voting with one endorser too many; every node must refuse it. */
  #extendFalsely(operations: readonly Operation[]): void {
    const { world, nextId, journal } = this.options;
    const { round } = this.#pool;
    const voting = this.#voting();
    if (round === undefined || voting === undefined) return;
    const listed = new Set([...voting.endorserIndexes, round.generator]);
    const more = this.tip.generators.committed.find(({ index }) => !listed.has(index));
    if (more === undefined || voting.endorserIndexes.length === 0) return;
    const endorserIndexes = [...voting.endorserIndexes, more.index];
    try {
      extendedBy(this.tip, { operations, voting: { ...voting, endorserIndexes } }, world, nextId);
      journal(`${this.name} lists endorser ${more.index}, who has not signed, and that holds`);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      this.refusedForms += 1;
    }
  }
}

/** True if the first form extends the other by micro-blocks. */
function isExtensionOf(form: BlockForm, earlier: BlockForm): boolean {
  for (let at = form.extended; at !== undefined; at = at.extended) if (at === earlier) return true;
  return false;
}
