/**
 * A run: generators on several nodes commit, forge, endorse and vote by the rules of finality, without the rest of a
 * node, while a seed draws faults between them. Then a period without faults, after which all must agree and blocks
 * become final one by one. The same seed gives the same run.
 */

import { encodeHex } from "../../../src/crypto/hex.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { generationPeriodAt } from "../../../src/rules/finality/generation-period.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { Journal } from "../../faults/journal.ts";
import type { BlockForm, Operation } from "./block-form.ts";
import { CommitteeNode } from "./committee-node.ts";
import { CommitteeWatch } from "./committee-watch.ts";
import { type CommitteeOptions, type CommitteeWorld, type Member, makeCommitteeWorld } from "./committee-world.ts";
import { viewOfForm } from "./form-view.ts";
import { firstBlock } from "./grow-chain.ts";
import { PlainClock } from "./plain-clock.ts";

export interface CommitteeRunOptions extends CommitteeOptions {
  /** Height at which faults end. */
  readonly blocks: number;
}

export const committeeFaults = [
  "partition",
  "node down",
  "endorsements lost",
  "late endorsements",
  "poor member",
  "late commitment",
] as const;
/** Faults that happen at one instant. */
const instantFaults = committeeFaults.filter((fault) => fault !== "late commitment");
export type CommitteeFault = (typeof committeeFaults)[number];

export interface CommitteeRunReport {
  readonly journal: Journal<CommitteeFault>;
  /** Differences, a line each. */
  readonly differences: readonly string[];
  readonly members: number;
  readonly nodes: number;
  readonly hostile: number;
  readonly height: number;
  readonly finalizedHeight: number;
  readonly deepestRollback: number;
  readonly rollbacks: number;
  /** Members that were excluded and have lost a deposit. */
  readonly conflicts: number;
}

const ANNOUNCE_MS = 5_000;
const MAX_DIFFERENCES = 10;
/** Blocks without faults, more than two periods, so that absent members commit and get to forge. */
const QUIET_PERIODS = 3;
const QUIET_BLOCKS = 12;
/** A micro-block may be too late to be referenced, and its voting is lost. */
const MAX_FINALITY_LAG = 8;
/** Factor on the expected time, after which missing blocks count as an error. */
const MAX_WAIT_BLOCKS = 60;

export function committeeRun(options: CommitteeRunOptions): CommitteeRunReport {
  return new CommitteeRun(options).run();
}

class CommitteeRun {
  readonly #wish: CommitteeRunOptions;
  readonly #world: CommitteeWorld;
  readonly #random: SeededRandom;
  readonly #clock = new PlainClock();
  readonly #nodes: readonly CommitteeNode[];
  readonly #watch: CommitteeWatch;
  readonly #journal: Journal<CommitteeFault>;
  readonly #differences: string[] = [];
  /** Partition of each node. */
  readonly #part: number[];
  /** Number of starts of each node; plans of earlier processes are void. */
  readonly #startCounts: number[];
  readonly #isUp: boolean[];
  /** Pairs of nodes that can reach each other, by their numbers. */
  readonly #lines = new Set<string>();
  /** Times at which members commit to a period, by the period's start and their number, ms. */
  readonly #commitsAt = new Map<string, number>();
  #transfers: { readonly operation: Operation; readonly untilMs: number }[] = [];
  #lossProbability = 0;
  #lateMs = 0;
  #isQuiet = false;
  #forms = 0;

  constructor(options: CommitteeRunOptions) {
    this.#wish = options;
    const { seed } = options;
    const random = new SeededRandom(`${seed}/committee`);
    const world = makeCommitteeWorld(options, random);
    this.#world = world;
    this.#random = random;
    this.#journal = new Journal(() => `${(this.#clock.nowMs() / 1_000).toFixed(3).padStart(10)} s`);
    this.#watch = new CommitteeWatch(world, (line) => this.#breach(line));
    const first = firstBlock(world, () => this.#nextId());
    const numbers = Array.from({ length: world.nodes }, (_, number) => number);
    this.#part = numbers.map(() => 0);
    this.#startCounts = numbers.map(() => 0);
    this.#isUp = numbers.map(() => true);
    this.#nodes = numbers.map((number) => this.#openNode(number, first));
  }

  run(): CommitteeRunReport {
    this.#connect();
    for (const node of this.#nodes) node.start();
    for (const node of this.#nodes) this.#announce(node);
    this.#drawFault();
    while (this.#highest() < this.#wish.blocks && this.#differences.length === 0) this.#step();
    this.#calm();
    this.#settle();
    const best = this.#honest()[0] as CommitteeNode;
    return {
      journal: this.#journal,
      differences: this.#differences,
      members: this.#world.members.length,
      nodes: this.#nodes.length,
      hostile: this.#world.hostile.size,
      height: best.tip.height,
      finalizedHeight: best.finalizedHeight(),
      deepestRollback: this.#watch.deepest,
      rollbacks: this.#watch.rollbacks,
      conflicts: [...best.tip.state.periods.values()].reduce((sum, { conflicts }) => sum + conflicts.size, 0),
    };
  }

  #openNode(number: number, first: BlockForm): CommitteeNode {
    const { seed } = this.#wish;
    return new CommitteeNode({
      ...{ number, first, world: this.#world },
      random: new SeededRandom(`${seed}/node ${number}`),
      nowMs: () => this.#clock.nowMs(),
      after: (delayMs, run) => {
        const life = this.#startCounts[number];
        this.#clock.after(delayMs, () => {
          if (this.#isUp[number] === true && this.#startCounts[number] === life) run();
        });
      },
      nextId: () => this.#nextId(),
      connectedPeers: () => this.#connectedPeers(number),
      sendForm: (form, isFor = () => true) =>
        this.#toAll(number, 0, (node) => isFor(node.options.number) && node.receive(form, number)),
      sendEndorsements: (endorsements) => this.#sendEndorsements(number, endorsements),
      requestForm: (form, from) => this.#requestForm(number, form, from),
      operations: (form) => this.#operations(form),
      changed: (node, before) => {
        this.#watch.changed(node, before);
        this.#note(() => `${node.name}: ${describeTip(node.tip)}, ${node.finalizedHeight()} is final`);
      },
      journal: (line) => this.#breach(line),
    });
  }

  #nextId(): BlockId {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, ++this.#forms);
    return id as BlockId;
  }

  #step(): void {
    try {
      if (!this.#clock.step()) throw new Error("nothing happens any more");
    } catch (error) {
      this.#breach(`${(error as Error).stack}`);
    }
  }

  #note(line: () => string): void {
    this.#journal.note(line());
  }

  #breach(line: string): void {
    if (this.#differences.length < MAX_DIFFERENCES) this.#differences.push(line);
    this.#journal.note(`--- ${line}`);
  }

  #highest(): number {
    return Math.max(...this.#nodes.map(({ tip }) => tip.height));
  }

  #honest(): readonly CommitteeNode[] {
    return this.#nodes.filter(({ hostility }) => hostility === undefined);
  }

  #isReachable(from: number, to: number): boolean {
    return this.#isUp[from] === true && this.#isUp[to] === true && this.#part[from] === this.#part[to];
  }

  /** Delivers a message to a node after a delay, unless it is lost. */
  #send(from: number, to: number, moreMs: number, arrive: (node: CommitteeNode) => void): void {
    if (!this.#isReachable(from, to)) return;
    const delayMs = 5 + this.#random.below(this.#world.latencyMs) + moreMs;
    this.#clock.after(delayMs, () => {
      if (this.#isReachable(from, to)) arrive(this.#nodes[to] as CommitteeNode);
    });
  }

  #toAll(from: number, moreMs: number, arrive: (node: CommitteeNode) => void): void {
    for (const { options } of this.#nodes)
      if (options.number !== from) this.#send(from, options.number, moreMs, arrive);
  }

  #sendEndorsements(from: number, endorsements: readonly ConflictEndorsement[]): void {
    const lateMs = this.#lateMs === 0 ? 0 : this.#random.below(this.#lateMs);
    this.#toAll(from, lateMs, (node) => {
      if (!this.#random.boolean(this.#lossProbability)) node.receiveEndorsements(endorsements);
    });
  }

  #connectedPeers(number: number): number {
    return this.#nodes.filter(({ options }) => options.number !== number && this.#isReachable(number, options.number))
      .length;
  }

  /** Call it when reachability changes: nodes that can reach each other exchange their tips. */
  #connect(): void {
    for (const node of this.#nodes) {
      const { number } = node.options;
      node.peersChanged();
      for (const { options } of this.#nodes) {
        const line = `${number} ${options.number}`;
        if (number === options.number || !this.#isReachable(number, options.number)) this.#lines.delete(line);
        else if (!this.#lines.has(line)) {
          this.#lines.add(line);
          this.#sendChain(node, options.number);
        }
      }
    }
  }

  #sendChain(node: CommitteeNode, to: number): void {
    const { number } = node.options;
    this.#send(number, to, 0, (other) => {
      if (node.tip.score > other.tip.score) other.receive(node.tip, number);
    });
  }

  /** A request and its response. */
  #requestForm(number: number, form: BlockForm, from: number): void {
    this.#send(number, from, 0, () => this.#send(from, number, 0, (node) => node.receiveLine(node.missingOf(form))));
  }

  /** Makes the node announce its tip at intervals. */
  #announce(node: CommitteeNode): void {
    const { number } = node.options;
    this.#clock.after(ANNOUNCE_MS + this.#random.below(1_000), () => {
      if (node.hostility !== "late blocks")
        for (const { options } of this.#nodes) if (options.number !== number) this.#sendChain(node, options.number);
      this.#announce(node);
    });
  }

  /** Operations for a form: due commitments, transfers, and always one without effect. */
  #operations(form: BlockForm): readonly Operation[] {
    const nowMs = this.#clock.nowMs();
    this.#transfers = this.#transfers.filter(({ untilMs }) => untilMs > nowMs);
    const { outsider, members } = this.#world;
    const idle: Operation = { kind: "transfer", from: outsider.number, to: outsider.number, amount: 1n };
    const transfers = this.#transfers.map(({ operation }) => operation);
    const period = generationPeriodAt(form.height, viewOfForm(this.#world, form));
    const commits =
      period === undefined
        ? []
        : members.filter((member) => this.#commitMs(member, period.start) <= nowMs).map(commitOf);
    const hasIdle = this.#isQuiet || this.#random.boolean(0.8);
    return [...commits, ...transfers, ...(hasIdle ? [idle] : [])];
  }

  /** Time at which the member commits to the period after the one that begins there. */
  #commitMs({ number }: Member, periodStart: number): number {
    const key = `${periodStart} ${number}`;
    const known = this.#commitsAt.get(key);
    if (known !== undefined) return known;
    const { settings, blockMs } = this.#world;
    const periodMs = settings.functionality.generationPeriodLength * blockMs;
    // Absent members would raise the hostile share.
    const isLate = !this.#isQuiet && this.#world.hostile.size === 0 && this.#random.boolean(0.05);
    if (isLate) this.#journal.fault("late commitment", `member ${number} to the period after ${periodStart}`);
    const timeMs = this.#clock.nowMs() + this.#random.below(isLate ? 2 * periodMs : Math.ceil(periodMs / 3));
    this.#commitsAt.set(key, timeMs);
    return timeMs;
  }

  #drawFault(): void {
    this.#clock.after(this.#random.below(12 * this.#world.blockMs), () => {
      if (this.#isQuiet) return;
      const lastsMs = this.#random.below(10 * this.#world.blockMs);
      const fault = this.#random.pick(instantFaults);
      this.#faults[fault](lastsMs);
      this.#drawFault();
    });
  }

  readonly #faults: Readonly<Record<(typeof instantFaults)[number], (lastsMs: number) => void>> = {
    partition: (lastsMs) =>
      this.#cut(
        () => !this.#isParted && !this.#isUp.includes(false),
        () => this.#divide(lastsMs),
      ),
    "node down": (lastsMs) => {
      const number = this.#random.below(this.#nodes.length);
      this.#cut(
        () => !this.#isParted && this.#isFewWith(number),
        () => this.#endFor(number, lastsMs),
      );
    },
    "endorsements lost": (lastsMs) => {
      this.#lossProbability = 0.3;
      this.#clock.after(lastsMs, () => {
        this.#lossProbability = 0;
      });
      this.#journal.fault("endorsements lost", `for ${lastsMs} ms`);
    },
    "late endorsements": (lastsMs) => {
      this.#lateMs = 2 * this.#world.blockMs;
      this.#clock.after(lastsMs, () => {
        this.#lateMs = 0;
      });
      this.#journal.fault("late endorsements", `for ${lastsMs} ms`);
    },
    "poor member": () => this.#impoverish(this.#random.pick(this.#world.members), this.#world.outsider),
  };

  /**
   * Cuts nodes off after an earlier cut has healed, or at once in a slow network.
   * @param mayCut true if the cut may come on top of the current ones
   */
  #cut(mayCut: () => boolean, cut: () => void): void {
    if (this.#isQuiet) return;
    if (this.#wish.isSlow === true) cut();
    else if (!this.#isOneChain()) this.#clock.after(this.#world.latencyMs, () => this.#cut(mayCut, cut));
    else if (mayCut()) cut();
  }

  /** True if all running nodes share one chain below the lowest of their tips. */
  #isOneChain(): boolean {
    const tips = this.#nodes.flatMap(({ options, tip }) => (this.#isUp[options.number] === true ? [tip] : []));
    const height = Math.min(...tips.map((tip) => tip.height));
    const [first, ...others] = tips;
    return others.every(
      (tip) =>
        tip.line[height - 1]?.keyBlock === first?.line[height - 1]?.keyBlock &&
        tip.line[height - 2] === first?.line[height - 2],
    );
  }

  get #isParted(): boolean {
    return this.#part.some((partition) => partition !== this.#part[0]);
  }

  /** True if, with this node, less than a third of the weight is down or hostile; a single node may have any weight. */
  #isFewWith(number: number): boolean {
    const down = this.#nodes.flatMap(({ options }) => (this.#isUp[options.number] === true ? [] : [options.number]));
    const { members, hostile } = this.#world;
    if (down.length === 0 && hostile.size === 0) return true;
    const away = new Set([number, ...down, ...hostile.keys()]);
    const weightOf = (counted: readonly Member[]) => counted.reduce((sum, member) => sum + this.#lowestOf(member), 0n);
    return 3n * weightOf(members.filter(({ node }) => away.has(node))) < weightOf(members);
  }

  #divide(lastsMs: number): void {
    for (const { options } of this.#nodes) this.#part[options.number] = this.#random.below(2);
    this.#journal.fault("partition", `${this.#part.join("")} for ${lastsMs} ms`);
    this.#connect();
    this.#clock.after(lastsMs, () => {
      this.#part.fill(0);
      this.#connect();
    });
  }

  #endFor(number: number, lastsMs: number): void {
    if (this.#isUp[number] !== true) return;
    this.#journal.fault("node down", `${number + 1} for ${lastsMs} ms`);
    this.#isUp[number] = false;
    this.#startCounts[number] = (this.#startCounts[number] ?? 0) + 1;
    this.#connect();
    this.#clock.after(lastsMs, () => this.#restart(number));
  }

  #restart(number: number): void {
    if (this.#isUp[number] === true) return;
    this.#isUp[number] = true;
    this.#connect();
    this.#nodes[number]?.start();
  }

  /**
   * The member sends three quarters of its balance away in one transfer, which lowers its generating balance from then
   * on.
   */
  #impoverish({ number, node, balance }: Member, outsider: Member): void {
    const { members, hostile, blockMs } = this.#world;
    const amount = (balance * 3n) / 4n;
    const weightOf = (isCounted: (member: Member) => boolean): bigint =>
      members
        .filter(isCounted)
        .reduce((sum, member) => sum + (member.number === number ? 0n : this.#lowestOf(member)), 0n);
    // Keeps the hostile share below a third.
    if (!hostile.has(node) && 10n * weightOf((member) => hostile.has(member.node)) >= 3n * weightOf(() => true)) return;
    this.#journal.fault("poor member", `${number} has ${amount} less`);
    const giving: Operation = { kind: "transfer", from: number, to: outsider.number, amount };
    this.#transfers.push({ operation: giving, untilMs: this.#clock.nowMs() + 2 * blockMs });
  }

  /** Lowest balance on the longest chain. */
  #lowestOf({ number }: Member): bigint {
    const height = this.#highest();
    return this.#nodes.find(({ tip }) => tip.height === height)?.tip.state.lowest[number] ?? 0n;
  }

  #calm(): void {
    this.#journal.note("quiet from here on");
    this.#isQuiet = true;
    this.#lossProbability = 0;
    this.#lateMs = 0;
    this.#part.fill(0);
    this.#connect();
    for (const { options } of this.#nodes) this.#restart(options.number);
  }

  /** Checks that all nodes have the same chain, with finality close to its tip. */
  #settle(): void {
    if (this.#differences.length > 0) return;
    const { settings, blockMs } = this.#world;
    const quietBlocks = QUIET_PERIODS * settings.functionality.generationPeriodLength + QUIET_BLOCKS;
    const targetHeight = this.#highest() + quietBlocks;
    const endMs = this.#clock.nowMs() + MAX_WAIT_BLOCKS * quietBlocks * blockMs;
    const lowest = () => Math.min(...this.#honest().map(({ tip }) => tip.height));
    while (lowest() < targetHeight && this.#differences.length === 0) {
      this.#step();
      if (this.#clock.nowMs() > endMs) {
        this.#breach(
          `the heights are ${this.#nodes.map(({ tip }) => tip.height).join(", ")}, and ${targetHeight} is wanted`,
        );
        return;
      }
    }
    for (const node of this.#honest()) {
      const finalized = node.finalizedHeight();
      if (finalized < node.tip.height - MAX_FINALITY_LAG)
        this.#breach(`${node.name}: ${finalized} is final at height ${node.tip.height}`);
    }
    const [first, ...others] = this.#honest();
    for (const other of others) {
      const height = Math.min(first?.tip.height ?? 0, other.tip.height) - MAX_FINALITY_LAG;
      if (first?.tip.line[height - 1] !== other.tip.line[height - 1])
        this.#breach(`${first?.name} and ${other.name} have other blocks at height ${height}`);
    }
  }
}

function commitOf({ number }: Member): Operation {
  return { kind: "commit", member: number };
}

function describeTip({ height, id, extended, parent, header }: BlockForm): string {
  const name = (of: BlockId | undefined) => (of === undefined ? "nothing" : encodeHex(of.subarray(0, 4)));
  const endorsers = header.finalizationVoting?.endorserIndexes.join(", ") ?? "none";
  return `height ${height}, ${extended === undefined ? "block" : "micro-block"} ${name(id)} on ${name(parent?.id)}, endorsed by ${endorsers}`;
}
