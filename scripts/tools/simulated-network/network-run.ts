/**
 * A run: nodes that speak with each other while faults befall them and what lies between them, then a while without, at whose
 * end all must agree. The same seed makes the same run.
 */
import { HANDSHAKE_TIMEOUT } from "../../../durable/peers/sessions/reasons.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import { Journal } from "../faults/journal.ts";
import { ChainWatch } from "./chain-watch.ts";
import { FinalBlocksWatch } from "./final-blocks-watch.ts";
import { HostileNode, type Hostility, hostilities } from "./hostile-node.ts";
import { agreementDifferences, transactionDifferences } from "./network-agreement.ts";
import { NetworkDraw, type NetworkFault } from "./network-draw.ts";
import { NetworkLoad } from "./network-load.ts";
import { type Era, makeNetworkWorld } from "./network-world.ts";
import { SimulatedClock } from "./simulated-clock.ts";
import { type SimulatedHost, SimulatedInternet } from "./simulated-internet.ts";
import { READ_MODEL_AWAY, SimulatedMachine } from "./simulated-machine.ts";

export interface NetworkRunWish {
  /** Names the run's luck. */
  readonly seed: string;
  readonly nodes: number;
  /** Height from which on there are no more faults. */
  readonly blocks: number;
  /** Whether some mean no good. */
  readonly isHostile?: boolean;
  /** What these do; by default all that there is. */
  readonly hostilities?: readonly Hostility[];
  /** By default drawn. */
  readonly era?: Era | undefined;
  /** How likely each node but the first is a light one; by default drawn. */
  readonly lightChance?: number | undefined;
}

export interface NetworkRunReport {
  readonly journal: Journal<NetworkFault>;
  /** What does not hold, a line each. */
  readonly differences: readonly string[];
  readonly era: Era;
  readonly height: number;
  /** Ids of the tips, one for each node. */
  readonly tips: readonly string[];
  /** Accepted ones. */
  readonly transactions: number;
  /** How many blocks a node has taken back at most at once. */
  readonly deepestRollback: number;
  /** How often a node has taken back blocks. */
  readonly rollbacks: number;
  readonly refused: ReadonlyMap<string, number>;
  /** What hostile nodes did for which somebody wants no more of them. */
  readonly shutOut: readonly Hostility[];
  /** Blocks that challenge others in the end. */
  readonly challenges: readonly NetworkChallenge[];
  /** How many nodes are light. */
  readonly lightNodes: number;
  /** Of the clock. */
  readonly events: number;
}

/** A block of the chain that challenges another one. */
export interface NetworkChallenge {
  readonly height: number;
  /** What the challenged account may generate with at the tip, wavelets. */
  readonly generatingBalance: bigint;
  /** Of its transactions. */
  readonly elided: number;
}

/** PERF: under the older rules nobody draws by VRF, which takes about as long as half of the rest. */
const eraWeights: readonly { readonly era: Era; readonly weight: number }[] = [
  { era: "current", weight: 1 },
  { era: "committees", weight: 1 },
  { era: "growing", weight: 3 },
  { era: "old", weight: 5 },
];
/** The first node never is a light one: somebody has to run the transactions. */
const lightChances = [0, 0, 0.3, 0.7] as const;
const STEP_MS = 1_000;
/** In a step somebody does no good. */
const ATTACK_CHANCE = 0.05;
/** Two of the largest messages: one that a wire is full with, and one that is written all the same. */
const MOST_BUFFERED_BYTES = 4 * 2 ** 20;
/** In a step somebody sends a transaction. */
const LOAD_CHANCE = 0.08;
/** In a step of a network of committees: votes travel with transactions, and periods are short. */
const COMMITTEE_LOAD_CHANCE = 0.25;
const COMMITMENT_CHANCE = 0.25;
/** Without faults a block is final two blocks later, and some blocks lose the micro-block with their voting. */
const MOST_BEHIND = 4;
/** A block takes some ten seconds; a network that makes none for so much longer does not work. */
const MOST_BLOCK_MS = 60_000;
/** A node may join a network that is old already: by two thirds of the run. */
const LATE_CHANCE = 0.15;
const LATEST_BLOCK_MS = 7_000;
const QUIET_BLOCKS = 5;
/** A client whose transaction is not confirmed sends it again. */
const SEND_AGAIN_MS = 60_000;
/** In the quiet everything is confirmed within this time: each generator has its turn many times. */
const PATIENCE_MS = 1_800_000;
/** What is under way when no more blocks are made has come by then. */
const LAST_WORDS_MS = 120_000;
const MOST_TIES = 5;
const PORT = 6868;
/** On some networks a node that is alone makes no blocks. */
const quorums = [0, 0, 1] as const;
/** By how much the clocks of a network are apart. */
const skewsMs = [0, 40, 400] as const;
const MAX_DIFFERENCES = 20;
/** As `SynchronizationSettings.maxRollback`. */
const DEEPEST_ROLLBACK = 100;

export async function networkRun(wish: NetworkRunWish): Promise<NetworkRunReport> {
  const run = new NetworkRun(wish);
  const release = listen((line) => run.said(line));
  const unhandled = (error: unknown): void => run.said(`nobody has heard of ${(error as Error).stack}`);
  process.on("unhandledRejection", unhandled);
  try {
    return await run.run();
  } finally {
    run.close();
    process.off("unhandledRejection", unhandled);
    release();
  }
}

class NetworkRun {
  readonly #wish: NetworkRunWish;
  readonly #era: Era;
  readonly #clock: SimulatedClock;
  readonly #internet: SimulatedInternet;
  readonly #machines: readonly SimulatedMachine[];
  readonly #watches: readonly ChainWatch[];
  readonly #finalBlocks = new FinalBlocksWatch();
  readonly #hostile: readonly HostileNode[];
  readonly #hostileRandom: SeededRandom;
  readonly #draw: NetworkDraw;
  readonly #loadRandom: SeededRandom;
  readonly #load: NetworkLoad;
  readonly #journal: Journal<NetworkFault>;
  readonly #differences: string[] = [];
  #partitions = 0;
  #attacks = 0;

  constructor(wish: NetworkRunWish) {
    this.#wish = wish;
    const { seed, nodes, blocks } = wish;
    const random = new SeededRandom(`${seed}/network`);
    this.#era = wish.era ?? random.pickByWeight(eraWeights).era;
    // What hostile nodes do needs a generator, too.
    const generators = nodes + (wish.isHostile ? 1 : 0);
    const quorum = random.pick(quorums);
    const world = makeNetworkWorld(random, { era: this.#era, generators, quorum, blocks });
    const clock = new SimulatedClock(world.genesisMs);
    this.#clock = clock;
    this.#journal = new Journal(() => `${((clock.nowMs() - world.genesisMs) / 1000).toFixed(3).padStart(10)} s`);
    this.#internet = new SimulatedInternet(clock, new SeededRandom(`${seed}/internet`));
    this.#draw = new NetworkDraw(new SeededRandom(`${seed}/faults`));
    this.#loadRandom = new SeededRandom(`${seed}/load`);
    this.#load = new NetworkLoad(this.#loadRandom);
    const hosts = Array.from({ length: nodes }, (_, index) =>
      this.#internet.addHost(Uint8Array.of(203, 0, 113, index + 1), PORT),
    );
    const mostSkewMs = random.pick(skewsMs);
    const lightRandom = new SeededRandom(`${seed}/light`);
    const lightChance = wish.lightChance ?? lightRandom.pick(lightChances);
    this.#machines = hosts.map((host, index) => {
      const machine: SimulatedMachine = new SimulatedMachine({
        ...{ index, world, clock, internet: this.#internet, host },
        isLight: index > 0 && lightRandom.chance(lightChance),
        knownPeers: knownPeersOf(hosts, index, random),
        skewMs: random.below(mostSkewMs + 1),
        random: new SeededRandom(`${seed}/node ${index}`),
        turnEnd: () => this.#draw.turnEnd(),
        died: () => this.#died(machine),
        failed: (error) => this.#breach(`a client of ${machine.name} was answered ${(error as Error).stack}`),
      });
      return machine;
    });
    this.#hostile = (wish.isHostile ? (wish.hostilities ?? hostilities) : []).map((hostility, index) => {
      const host = this.#internet.addHost(Uint8Array.of(203, 0, 113, 100 + index), PORT);
      const luck = new SeededRandom(`${seed}/${hostility}`);
      return new HostileNode({ hostility, world, index: nodes, host, clock, random: luck });
    });
    this.#hostileRandom = new SeededRandom(`${seed}/hostile`);
    this.#watches = this.#machines.map((machine) => new ChainWatch(machine));
  }

  close(): void {
    for (const machine of this.#machines) {
      machine.kill();
      machine.close();
    }
  }

  /** A line that a node has logged. */
  said(line: string): void {
    this.#journal.note(`  log: ${line.split("\n", 1)[0]}`);
    if (!isExpected(line)) this.#differences.push(`logged: ${line}`);
  }

  async run(): Promise<NetworkRunReport> {
    for (const machine of this.#machines) {
      const isLate = this.#loadRandom.chance(LATE_CHANCE);
      if (isLate) this.#clock.after(this.#loadRandom.below(this.#wish.blocks * LATEST_BLOCK_MS), () => machine.start());
      else machine.start();
    }
    await this.#trouble();
    if (this.#differences.length === 0) await this.#settle();
    if (this.#differences.length === 0) this.#compare();
    return {
      journal: this.#journal,
      differences: this.#differences.slice(0, MAX_DIFFERENCES),
      era: this.#era,
      height: this.#height(),
      tips: this.#machines.map(({ chain }) => (chain ? encodeBase58(chain.node.chain.stored.tip().id) : "")),
      transactions: this.#load.accepted.length,
      deepestRollback: Math.max(...this.#watches.map(({ deepest }) => deepest)),
      rollbacks: this.#watches.reduce((sum, { rollbacks }) => sum + rollbacks, 0),
      refused: this.#load.refused,
      shutOut: this.#hostile.filter(({ isShutOut }) => isShutOut).map(({ hostility }) => hostility),
      challenges: this.#challenges(),
      lightNodes: this.#machines.filter(({ facts }) => facts.isLight).length,
      events: this.#clock.events,
    };
  }

  async #trouble(): Promise<void> {
    const { blocks } = this.#wish;
    const endMs = this.#clock.nowMs() + blocks * MOST_BLOCK_MS;
    while (this.#height() < blocks && this.#differences.length === 0) {
      if (this.#clock.nowMs() > endMs) return this.#breach(`the height is ${this.#height()} after ${blocks} minutes`);
      const fault = this.#draw.next(STEP_MS);
      if (fault !== undefined) this.#befall(fault);
      this.#send();
      if (this.#hostile.length > 0 && this.#hostileRandom.chance(ATTACK_CHANCE)) this.#attack();
      await this.#step();
    }
  }

  /** What clients do in a step. */
  #send(): void {
    const random = this.#loadRandom;
    const isOfCommittees = this.#era === "committees";
    if (random.chance(isOfCommittees ? COMMITTEE_LOAD_CHANCE : LOAD_CHANCE))
      this.#load.send(random.pick(this.#machines));
    if (!isOfCommittees || !random.chance(COMMITMENT_CHANCE)) return;
    const generators = this.#machines.length + (this.#hostile.length > 0 ? 1 : 0);
    this.#load.sendCommitment(random.pick(this.#machines), random.below(generators));
  }

  #attack(): void {
    // One after the other, so that all have their turn in a short run, too.
    const attacker = this.#hostile[this.#attacks++ % this.#hostile.length] as HostileNode;
    const victim = this.#hostileRandom.pick(this.#machines);
    this.#journal.note(`attack on ${victim.name}: ${attacker.hostility}`);
    attacker.attack(victim);
  }

  async #step(): Promise<void> {
    await this.#clock.runUntil(this.#clock.nowMs() + STEP_MS);
    for (const watch of this.#watches) {
      const depth = watch.look();
      if (depth > DEEPEST_ROLLBACK) this.#breach(`${watch.machine.name} has taken back ${depth} blocks`);
      else if (depth > 1) this.#journal.note(`${watch.machine.name} has taken back ${depth} blocks`);
      for (const line of this.#finalBlocks.look(watch.machine)) this.#breach(line);
    }
    await this.#checkShutOut();
  }

  /**
   * Nobody honest is blacklisted by anybody honest. One thing alone nobody can tell from a hostile silence, and the reference takes
   * it for that, too: a line that goes silent between a connection and its handshake.
   */
  async #checkShutOut(): Promise<void> {
    for (const { peers, name } of this.#machines) {
      for (const { host, reason } of (await peers?.peering.blacklisted()) ?? [])
        if (!this.#isShutOut(host) && reason !== HANDSHAKE_TIMEOUT)
          this.#breach(`${name} has blacklisted ${host}: ${reason}`);
      if (this.#hostile.length > 0)
        for (const { host } of (await peers?.peering.suspended()) ?? []) this.#isShutOut(host);
    }
  }

  /** @returns whether it is a hostile node's host */
  #isShutOut(host: string): boolean {
    const hostile = this.#hostile.find((each) => each.host.name === host);
    if (hostile !== undefined) hostile.isShutOut = true;
    return hostile !== undefined;
  }

  /** In the chain of the first node. */
  #challenges(): readonly NetworkChallenge[] {
    const view = this.#machines[0]?.chain?.node.chain.view;
    if (view === undefined) return [];
    const { chainId } = view.settings;
    return Array.from({ length: view.height }, (_, index) => index + 1).flatMap((height) => {
      const challenged = view.findHeader(height)?.header.challengedHeader;
      if (challenged === undefined) return [];
      const generatingBalance = generatingBalanceAt(view, addressOfPublicKey(challenged.generator, chainId));
      const statuses = Array.from(view.transactionsAt(height), ({ id }) => view.findTransaction(id)?.status);
      const elided = statuses.filter((status) => status === "elided").length;
      return [{ height, generatingBalance, elided }];
    });
  }

  #height(): number {
    return Math.max(1, ...this.#machines.map(({ chain }) => chain?.node.chain.view.height ?? 0));
  }

  #breach(sentence: string): void {
    this.#journal.note(`DIFFERENCE ${sentence}`);
    this.#differences.push(sentence);
  }

  // Faults.

  #befall(fault: Exclude<NetworkFault, "node ends in a turn">): void {
    const draw = this.#draw;
    const internet = this.#internet;
    const machine = draw.pick(this.#machines);
    const befalls: Readonly<Record<typeof fault, () => string>> = {
      "connection cut": () => {
        const meant = draw.below(Math.max(1, internet.connections));
        return `${internet.cut((_, index) => index === meant)} of ${internet.connections + 1}`;
      },
      "connections of a node cut": () => {
        const count = internet.cut((hosts) => hosts.includes(machine.facts.host));
        return `${machine.name}, ${count}`;
      },
      "slow line": () => {
        const other = draw.pick(this.#machines);
        const [byMs, forMs] = [draw.slowerMs(), draw.shortMs()];
        internet.slow(machine.facts.host, other.facts.host, byMs);
        this.#clock.after(forMs, () => internet.slow(machine.facts.host, other.facts.host, 0));
        return `${machine.name} and ${other.name}, by ${byMs} ms for ${forMs} ms`;
      },
      partition: () => this.#divide(),
      "node ends": () => {
        machine.kill();
        return `${machine.name}, ${this.#startLater(machine)}`;
      },
      "chain object ends": () => {
        machine.endChain();
        return machine.name;
      },
      "peers object ends": () => {
        machine.endPeers();
        const forMs = draw.shortMs();
        this.#clock.after(forMs, () => machine.startPeers());
        return `${machine.name}, for ${forMs} ms`;
      },
      "read model away": () => {
        const forMs = draw.shortMs();
        machine.readModelBackMs = this.#clock.nowMs() + forMs;
        return `${machine.name}, for ${forMs} ms`;
      },
    };
    this.#journal.fault(fault, befalls[fault]());
  }

  #startLater(machine: SimulatedMachine): string {
    const forMs = this.#draw.downMs();
    this.#clock.after(forMs, () => machine.start());
    return `for ${forMs} ms`;
  }

  #died(machine: SimulatedMachine): void {
    this.#journal.fault("node ends in a turn", `${machine.name}, ${this.#startLater(machine)}`);
  }

  #divide(): string {
    const draw = this.#draw;
    const apart = new Set<SimulatedHost>(this.#machines.filter(() => draw.chance(0.5)).map(({ facts }) => facts.host));
    const isApart = (one: SimulatedHost, other: SimulatedHost): boolean => apart.has(one) !== apart.has(other);
    const forMs = draw.partitionMs();
    const number = ++this.#partitions;
    // Connections break at once, or are silent.
    const isSilent = draw.chance(0.5);
    this.#internet.divide(isApart);
    if (!isSilent) this.#internet.cut(([one, other]) => isApart(one, other));
    this.#clock.after(forMs, () => {
      if (number === this.#partitions) this.#internet.heal();
    });
    const names = this.#machines.filter(({ facts }) => apart.has(facts.host)).map(({ name }) => name);
    return `${names.join(", ") || "nobody"} alone for ${forMs} ms, connections ${isSilent ? "silent" : "cut"}`;
  }

  // What must hold.

  /** No more faults: everything comes to rest. */
  async #settle(): Promise<void> {
    this.#journal.note("quiet from here on");
    this.#draw.isQuiet = true;
    this.#partitions += 1;
    this.#internet.heal();
    for (const machine of this.#machines) {
      machine.start();
      machine.startPeers();
      for (const other of this.#machines) this.#internet.slow(machine.facts.host, other.facts.host, 0);
    }
    if (this.#era === "committees") await this.#finalize();
    if (this.#differences.length > 0) return;
    const wanted = this.#height() + QUIET_BLOCKS;
    const isOver = (): boolean => this.#lowest() >= wanted && this.#waiting().length === 0;
    const untilMs = this.#clock.nowMs() + PATIENCE_MS;
    let sentAgainMs = this.#clock.nowMs();
    while (!isOver() && this.#clock.nowMs() < untilMs && this.#differences.length === 0) {
      await this.#step();
      if (this.#clock.nowMs() - sentAgainMs < SEND_AGAIN_MS) continue;
      sentAgainMs = this.#clock.nowMs();
      for (const machine of this.#machines) if (machine.facts.isLight) this.#load.sendAgain(machine);
    }
    if (!isOver()) {
      const heights = this.#machines.map(({ chain }) => chain?.node.chain.view.height);
      this.#breach(`${PATIENCE_MS} ms of quiet are not enough, heights are ${heights.join(", ")}`);
      for (const line of this.#waiting()) this.#breach(line);
      return;
    }
    // Two blocks that weigh the same stand beside each other until another one comes.
    for (let ties = 0; ties < MOST_TIES; ties++) {
      await this.#rest();
      if (!this.#isTied()) return;
      this.#journal.note("tips that weigh the same");
      for (const machine of this.#machines) machine.mine(true);
      const height = this.#height();
      while (this.#lowest() <= height && this.#clock.nowMs() < untilMs) await this.#step();
    }
  }

  /** Whoever was away commits itself again, and blocks become final one after the other. */
  async #finalize(): Promise<void> {
    const heights = () => this.#machines.map(({ chain }) => chain?.node.chain.view.height ?? 0);
    const finalized = () => this.#machines.map(({ chain }) => chain?.node.chain.stored.finalizedHeight() ?? 0);
    const isFinal = () => Math.min(...finalized()) >= Math.max(...heights()) - MOST_BEHIND;
    const untilMs = this.#clock.nowMs() + PATIENCE_MS;
    while (!isFinal() && this.#differences.length === 0) {
      this.#send();
      await this.#step();
      if (this.#clock.nowMs() > untilMs)
        this.#breach(
          `${PATIENCE_MS} ms of quiet, and at the heights ${heights().join(", ")} ${finalized().join(", ")} are final`,
        );
    }
  }

  /** Nobody makes blocks, and what is under way comes. */
  async #rest(): Promise<void> {
    for (const machine of this.#machines) machine.mine(false);
    const endMs = this.#clock.nowMs() + LAST_WORDS_MS;
    while (this.#clock.nowMs() < endMs) await this.#step();
  }

  #isTied(): boolean {
    const tips = this.#machines.map(({ chain }) => chain?.node.chain.stored.tip());
    const countOf = (values: readonly unknown[]): number => new Set(values).size;
    const ids = countOf(tips.map((tip) => tip && encodeBase58(tip.id)));
    return ids > 1 && countOf(tips.map((tip) => tip?.score)) === 1;
  }

  #lowest(): number {
    return Math.min(...this.#machines.map(({ chain }) => chain?.node.chain.view.height ?? 0));
  }

  /** A line for each transaction that is still to come into the chain. */
  #waiting(): readonly string[] {
    return transactionDifferences(this.#machines, this.#load.accepted);
  }

  #compare(): void {
    for (const line of agreementDifferences(this.#machines)) this.#breach(line);
    for (const line of this.#waiting()) this.#breach(line);
    for (const { hostility, mustBeShutOut, isShutOut, attacks } of this.#hostile)
      if (mustBeShutOut && !isShutOut) this.#breach(`nobody minds ${attacks} times ${hostility}`);
    if (this.#internet.mostBufferedBytes > MOST_BUFFERED_BYTES)
      this.#breach(`${this.#internet.mostBufferedBytes} bytes were written on one connection and not read`);
  }
}

/** Everybody knows the first, or the one before; others they hear of. */
function knownPeersOf(hosts: readonly SimulatedHost[], index: number, random: SeededRandom): readonly string[] {
  const known = hosts.filter(
    (_, other) => other !== index && (other === (index + 1) % hosts.length || random.chance(0.4)),
  );
  return known.map(({ address: { ip, port } }) => `${ip.join(".")}:${port}`);
}

/** Said by what is dead already, or of a read model that is away. */
function isExpected(line: string): boolean {
  return line.includes("the database failed at") || line.includes(READ_MODEL_AWAY);
}

/** Lets somebody hear what nodes log. @returns what ends it */
function listen(hear: (line: string) => void): () => void {
  const { error, info } = console;
  console.error = (...a: unknown[]) => hear(a.join(" "));
  console.info = () => {};
  return () => {
    Object.assign(console, { error, info });
  };
}
