/**
 * A run: generators on some nodes commit, generate, endorse and vote by the rules of finality, and nothing else of a node, while a
 * seed draws what lies between them; then a while without faults, at whose end all must agree, and blocks become final one after the
 * other. The same seed makes the same run.
 */

import { encodeHex } from "../../../src/crypto/hex.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { generationPeriodAt } from "../../../src/rules/finality/generation-period.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import { Journal } from "../faults/journal.ts";
import type { BlockForm, Operation } from "./block-form.ts";
import { CommitteeNode } from "./committee-node.ts";
import { CommitteeWatch } from "./committee-watch.ts";
import { type CommitteeWish, type CommitteeWorld, type Member, makeCommitteeWorld } from "./committee-world.ts";
import { viewOfForm } from "./form-view.ts";
import { firstBlock } from "./grow-chain.ts";
import { PlainClock } from "./plain-clock.ts";

export interface CommitteeRunWish extends CommitteeWish {
  /** Height from which on there are no more faults. */
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
/** Those that come at an instant. */
const faultsOfInstants = committeeFaults.filter((fault) => fault !== "late commitment");
export type CommitteeFault = (typeof committeeFaults)[number];

export interface CommitteeRunReport {
  readonly journal: Journal<CommitteeFault>;
  /** What does not hold, a line each. */
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
/** Blocks without faults, more than two periods: whoever was away commits, and gets its turn. */
const QUIET_PERIODS = 3;
const QUIET_BLOCKS = 12;
/** A micro-block may come too late to be referenced, and with it a voting. */
const MOST_BEHIND = 8;
/** Blocks that take so much longer than they should do not come any more. */
const PATIENCE = 60;

export function committeeRun(wish: CommitteeRunWish): CommitteeRunReport {
  return new CommitteeRun(wish).run();
}

class CommitteeRun {
  readonly #wish: CommitteeRunWish;
  readonly #world: CommitteeWorld;
  readonly #random: SeededRandom;
  readonly #clock = new PlainClock();
  readonly #nodes: readonly CommitteeNode[];
  readonly #watch: CommitteeWatch;
  readonly #journal: Journal<CommitteeFault>;
  readonly #differences: string[] = [];
  /** Which part of the network each node is in. */
  readonly #part: number[];
  /** How often each node was started: what was planned before comes to nothing. */
  readonly #life: number[];
  readonly #isUp: boolean[];
  /** Who can talk to whom: their numbers. */
  readonly #lines = new Set<string>();
  /** When members commit to a period, by the period's start and their number, ms. */
  readonly #commitsAt = new Map<string, number>();
  #transfers: { readonly operation: Operation; readonly untilMs: number }[] = [];
  #lossChance = 0;
  #lateMs = 0;
  #isQuiet = false;
  #forms = 0;

  constructor(wish: CommitteeRunWish) {
    this.#wish = wish;
    const { seed } = wish;
    const random = new SeededRandom(`${seed}/committee`);
    const world = makeCommitteeWorld(wish, random);
    this.#world = world;
    this.#random = random;
    this.#journal = new Journal(() => `${(this.#clock.nowMs() / 1_000).toFixed(3).padStart(10)} s`);
    this.#watch = new CommitteeWatch(world, (line) => this.#breach(line));
    const first = firstBlock(world, () => this.#nextId());
    const numbers = Array.from({ length: world.nodes }, (_, number) => number);
    this.#part = numbers.map(() => 0);
    this.#life = numbers.map(() => 0);
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
        const life = this.#life[number];
        this.#clock.after(delayMs, () => {
          if (this.#isUp[number] === true && this.#life[number] === life) run();
        });
      },
      nextId: () => this.#nextId(),
      connectedPeers: () => this.#connectedPeers(number),
      sendForm: (form, isFor = () => true) =>
        this.#toAll(number, 0, (node) => isFor(node.facts.number) && node.receive(form, number)),
      sendEndorsements: (endorsements) => this.#sendEndorsements(number, endorsements),
      askFor: (form, from) => this.#ask(number, form, from),
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

  /** What reaches a node after a while, unless it is lost. */
  #send(from: number, to: number, moreMs: number, arrive: (node: CommitteeNode) => void): void {
    if (!this.#isReachable(from, to)) return;
    const delayMs = 5 + this.#random.below(this.#world.latencyMs) + moreMs;
    this.#clock.after(delayMs, () => {
      if (this.#isReachable(from, to)) arrive(this.#nodes[to] as CommitteeNode);
    });
  }

  #toAll(from: number, moreMs: number, arrive: (node: CommitteeNode) => void): void {
    for (const { facts } of this.#nodes) if (facts.number !== from) this.#send(from, facts.number, moreMs, arrive);
  }

  #sendEndorsements(from: number, endorsements: readonly ConflictEndorsement[]): void {
    const lateMs = this.#lateMs === 0 ? 0 : this.#random.below(this.#lateMs);
    this.#toAll(from, lateMs, (node) => {
      if (!this.#random.chance(this.#lossChance)) node.hear(endorsements);
    });
  }

  #connectedPeers(number: number): number {
    return this.#nodes.filter(({ facts }) => facts.number !== number && this.#isReachable(number, facts.number)).length;
  }

  /** To be called when somebody can be reached, or not any more: those who meet tell each other what chain they have. */
  #connect(): void {
    for (const node of this.#nodes) {
      const { number } = node.facts;
      node.peersChanged();
      for (const { facts } of this.#nodes) {
        const line = `${number} ${facts.number}`;
        if (number === facts.number || !this.#isReachable(number, facts.number)) this.#lines.delete(line);
        else if (!this.#lines.has(line)) {
          this.#lines.add(line);
          this.#tellChain(node, facts.number);
        }
      }
    }
  }

  #tellChain(node: CommitteeNode, to: number): void {
    const { number } = node.facts;
    this.#send(number, to, 0, (other) => {
      if (node.tip.score > other.tip.score) other.receive(node.tip, number);
    });
  }

  /** There and back. */
  #ask(number: number, form: BlockForm, from: number): void {
    this.#send(number, from, 0, () => this.#send(from, number, 0, (node) => node.receiveLine(node.missingOf(form))));
  }

  /** Everybody says now and then what chain it has. */
  #announce(node: CommitteeNode): void {
    const { number } = node.facts;
    this.#clock.after(ANNOUNCE_MS + this.#random.below(1_000), () => {
      if (node.hostility !== "late blocks")
        for (const { facts } of this.#nodes) if (facts.number !== number) this.#tellChain(node, facts.number);
      this.#announce(node);
    });
  }

  /** Commitments whose time has come, transfers, and always something that changes nothing. */
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
    const hasIdle = this.#isQuiet || this.#random.chance(0.8);
    return [...commits, ...transfers, ...(hasIdle ? [idle] : [])];
  }

  /** When the member commits to the period behind the one that begins there. */
  #commitMs({ number }: Member, periodStart: number): number {
    const key = `${periodStart} ${number}`;
    const known = this.#commitsAt.get(key);
    if (known !== undefined) return known;
    const { settings, blockMs } = this.#world;
    const periodMs = settings.functionality.generationPeriodLength * blockMs;
    // Whoever is missing makes the share of those greater that mean no good.
    const isLate = !this.#isQuiet && this.#world.hostile.size === 0 && this.#random.chance(0.05);
    if (isLate) this.#journal.fault("late commitment", `member ${number} to the period behind ${periodStart}`);
    const timeMs = this.#clock.nowMs() + this.#random.below(isLate ? 2 * periodMs : Math.ceil(periodMs / 3));
    this.#commitsAt.set(key, timeMs);
    return timeMs;
  }

  #drawFault(): void {
    this.#clock.after(this.#random.below(12 * this.#world.blockMs), () => {
      if (this.#isQuiet) return;
      const lastsMs = this.#random.below(10 * this.#world.blockMs);
      const fault = this.#random.pick(faultsOfInstants);
      this.#faults[fault](lastsMs);
      this.#drawFault();
    });
  }

  readonly #faults: Readonly<Record<(typeof faultsOfInstants)[number], (lastsMs: number) => void>> = {
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
      this.#lossChance = 0.3;
      this.#clock.after(lastsMs, () => {
        this.#lossChance = 0;
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
   * Cuts somebody off once nothing is left of an earlier cut, or in a slow network at once.
   * @param mayCut whether the cut may come on top of those that there are
   */
  #cut(mayCut: () => boolean, cut: () => void): void {
    if (this.#isQuiet) return;
    if (this.#wish.isSlow === true) cut();
    else if (!this.#isOneChain()) this.#clock.after(this.#world.latencyMs, () => this.#cut(mayCut, cut));
    else if (mayCut()) cut();
  }

  /** Whether all who are up have one chain below the lowest of their tips. */
  #isOneChain(): boolean {
    const tips = this.#nodes.flatMap(({ facts, tip }) => (this.#isUp[facts.number] === true ? [tip] : []));
    const height = Math.min(...tips.map((tip) => tip.height));
    const [first, ...others] = tips;
    return others.every(
      (tip) =>
        tip.line[height - 1]?.keyBlock === first?.line[height - 1]?.keyBlock &&
        tip.line[height - 2] === first?.line[height - 2],
    );
  }

  get #isParted(): boolean {
    return this.#part.some((part) => part !== this.#part[0]);
  }

  /** Whether less than a third of the weight is away, or means no good, without the node; one alone may have any. */
  #isFewWith(number: number): boolean {
    const down = this.#nodes.flatMap(({ facts }) => (this.#isUp[facts.number] === true ? [] : [facts.number]));
    const { members, hostile } = this.#world;
    if (down.length === 0 && hostile.size === 0) return true;
    const away = new Set([number, ...down, ...hostile.keys()]);
    const weightOf = (counted: readonly Member[]) => counted.reduce((sum, member) => sum + this.#lowestOf(member), 0n);
    return 3n * weightOf(members.filter(({ node }) => away.has(node))) < weightOf(members);
  }

  #divide(lastsMs: number): void {
    for (const { facts } of this.#nodes) this.#part[facts.number] = this.#random.below(2);
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
    this.#life[number] = (this.#life[number] ?? 0) + 1;
    this.#connect();
    this.#clock.after(lastsMs, () => this.#bringBack(number));
  }

  #bringBack(number: number): void {
    if (this.#isUp[number] === true) return;
    this.#isUp[number] = true;
    this.#connect();
    this.#nodes[number]?.start();
  }

  /** It gives three quarters away, at once: what it may generate with is that much lower from then on. */
  #impoverish({ number, node, balance }: Member, outsider: Member): void {
    const { members, hostile, blockMs } = this.#world;
    const amount = (balance * 3n) / 4n;
    const weightOf = (isCounted: (member: Member) => boolean): bigint =>
      members
        .filter(isCounted)
        .reduce((sum, member) => sum + (member.number === number ? 0n : this.#lowestOf(member)), 0n);
    // Those that mean no good are to have less than a third still.
    if (!hostile.has(node) && 10n * weightOf((member) => hostile.has(member.node)) >= 3n * weightOf(() => true)) return;
    this.#journal.fault("poor member", `${number} has ${amount} less`);
    const giving: Operation = { kind: "transfer", from: number, to: outsider.number, amount };
    this.#transfers.push({ operation: giving, untilMs: this.#clock.nowMs() + 2 * blockMs });
  }

  /** Where the chain is longest. */
  #lowestOf({ number }: Member): bigint {
    const height = this.#highest();
    return this.#nodes.find(({ tip }) => tip.height === height)?.tip.state.lowest[number] ?? 0n;
  }

  #calm(): void {
    this.#journal.note("quiet from here on");
    this.#isQuiet = true;
    this.#lossChance = 0;
    this.#lateMs = 0;
    this.#part.fill(0);
    this.#connect();
    for (const { facts } of this.#nodes) this.#bringBack(facts.number);
  }

  /** The same chain everywhere, and finality right behind its tip. */
  #settle(): void {
    if (this.#differences.length > 0) return;
    const { settings, blockMs } = this.#world;
    const quietBlocks = QUIET_PERIODS * settings.functionality.generationPeriodLength + QUIET_BLOCKS;
    const wanted = this.#highest() + quietBlocks;
    const endMs = this.#clock.nowMs() + PATIENCE * quietBlocks * blockMs;
    const lowest = () => Math.min(...this.#honest().map(({ tip }) => tip.height));
    while (lowest() < wanted && this.#differences.length === 0) {
      this.#step();
      if (this.#clock.nowMs() > endMs) {
        this.#breach(`the heights are ${this.#nodes.map(({ tip }) => tip.height).join(", ")}, and ${wanted} is wanted`);
        return;
      }
    }
    for (const node of this.#honest()) {
      const finalized = node.finalizedHeight();
      if (finalized < node.tip.height - MOST_BEHIND)
        this.#breach(`${node.name}: ${finalized} is final at height ${node.tip.height}`);
    }
    const [first, ...others] = this.#honest();
    for (const other of others) {
      const height = Math.min(first?.tip.height ?? 0, other.tip.height) - MOST_BEHIND;
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
  const endorsers = header.finalizationVoting?.endorserIndexes.join(", ") ?? "nobody";
  return `height ${height}, ${extended === undefined ? "block" : "micro-block"} ${name(id)} on ${name(parent?.id)}, endorsed by ${endorsers}`;
}
