/**
 * A run: connected nodes with faults in them and between them, then a period without faults, after which all must
 * agree. The same seed gives the same run.
 */
import { HANDSHAKE_TIMEOUT } from "../../../durable/peer-hub/sessions/reasons.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { generatingBalanceAt } from "../../../src/rules/consensus/next-block.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { Journal } from "../../faults/journal.ts";
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

export interface NetworkRunOptions {
  /** Seed of the run's random numbers. */
  readonly seed: string;
  readonly nodes: number;
  /** Height at which faults end. */
  readonly blocks: number;
  /** True if some nodes are hostile. */
  readonly isHostile?: boolean;
  /** Behaviour of the hostile nodes; default: all kinds. */
  readonly hostilities?: readonly Hostility[];
  /** Default: drawn. */
  readonly era?: Era | undefined;
  /** Probability that a node other than the first is a light one; default: drawn. */
  readonly lightProbability?: number | undefined;
}

export interface NetworkRunReport {
  readonly journal: Journal<NetworkFault>;
  /** Differences, a line each. */
  readonly differences: readonly string[];
  readonly era: Era;
  readonly height: number;
  /** Ids of the tips, one for each node. */
  readonly tips: readonly string[];
  /** Accepted transactions. */
  readonly transactions: number;
  /** Deepest rollback of a node, in blocks. */
  readonly deepestRollback: number;
  /** Number of rollbacks on all nodes. */
  readonly rollbacks: number;
  readonly refused: ReadonlyMap<string, number>;
  /** Behaviour for which some node blacklisted a hostile one. */
  readonly blacklisted: readonly Hostility[];
  /** Blocks on the final chain that challenge others. */
  readonly challenges: readonly NetworkChallenge[];
  /** Number of light nodes. */
  readonly lightNodes: number;
  /** Events of the clock. */
  readonly events: number;
}

/** A block of the chain that challenges another one. */
export interface NetworkChallenge {
  readonly height: number;
  /** Generating balance of the challenged account at the tip, wavelets. */
  readonly generatingBalance: bigint;
  /** Elided transactions in it. */
  readonly elided: number;
}

/** PERF: eras with the older rules run without VRF, which takes about half of a run's time. */
const eraWeights: readonly { readonly era: Era; readonly weight: number }[] = [
  { era: "current", weight: 1 },
  { era: "committees", weight: 1 },
  { era: "growing", weight: 3 },
  { era: "old", weight: 5 },
];
/** The first node never is a light one, because some node must execute the transactions. */
const lightProbabilities = [0, 0, 0.3, 0.7] as const;
const STEP_MS = 1_000;
/** Probability of an attack in a step. */
const ATTACK_PROBABILITY = 0.05;
/** Two of the largest messages: one that fills a wire, and one written nevertheless. */
const MOST_BUFFERED_BYTES = 4 * 2 ** 20;
/** Probability of a transaction in a step. */
const LOAD_PROBABILITY = 0.08;
/**
 * Probabilities in a step of a network of committees: votes need micro-blocks, thus transactions, and periods are
 * short.
 */
const COMMITTEE_LOAD_PROBABILITY = 0.25;
const COMMITMENT_PROBABILITY = 0.25;
/**
 * Maximum lag of finality: without faults a block is final two blocks later, and some blocks lose the micro-block with
 * their voting.
 */
const MAX_FINALITY_LAG = 4;
/** A block takes some ten seconds; a longer time than this without one is an error. */
const MOST_BLOCK_MS = 60_000;
/** Probability that a node joins late, within two thirds of the run. */
const LATE_PROBABILITY = 0.15;
const LATEST_BLOCK_MS = 7_000;
const QUIET_BLOCKS = 5;
/** Interval at which clients repeat unconfirmed transactions. */
const SEND_AGAIN_MS = 60_000;
/** Time within which everything is confirmed without faults: each generator forges many times. */
const WAIT_TIMEOUT_MS = 1_800_000;
/** Time for messages in flight after forging has stopped. */
const DRAIN_MS = 120_000;
const MOST_TIES = 5;
const PORT = 6868;
/** Quorum settings: on some networks a single node does not forge. */
const quorums = [0, 0, 1] as const;
/** Largest offset between the clocks of a network. */
const skewsMs = [0, 40, 400] as const;
const MAX_DIFFERENCES = 20;
/** Maximum depth of a rollback, equal to `SynchronizationSettings.maxRollback`. */
const DEEPEST_ROLLBACK = 100;

export async function networkRun(options: NetworkRunOptions): Promise<NetworkRunReport> {
  const run = new NetworkRun(options);
  const release = listen((line) => run.onLogLine(line));
  const unhandled = (error: unknown): void => run.onLogLine(`unhandled: ${(error as Error).stack}`);
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
  readonly #wish: NetworkRunOptions;
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

  constructor(options: NetworkRunOptions) {
    this.#wish = options;
    const { seed, nodes, blocks } = options;
    const random = new SeededRandom(`${seed}/network`);
    this.#era = options.era ?? random.pickByWeight(eraWeights).era;
    // Hostile nodes need a generator, too.
    const generators = nodes + (options.isHostile ? 1 : 0);
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
    const lightProbability = options.lightProbability ?? lightRandom.pick(lightProbabilities);
    this.#machines = hosts.map((host, index) => {
      const machine: SimulatedMachine = new SimulatedMachine({
        ...{ index, world, clock, internet: this.#internet, host },
        isLight: index > 0 && lightRandom.boolean(lightProbability),
        knownPeers: knownPeersOf(hosts, index, random),
        skewMs: random.below(mostSkewMs + 1),
        random: new SeededRandom(`${seed}/node ${index}`),
        drawTaskCrash: () => this.#draw.taskCrash(),
        died: () => this.#died(machine),
        failed: (error) => this.#breach(`a client of ${machine.name} got ${(error as Error).stack}`),
      });
      return machine;
    });
    this.#hostile = (options.isHostile ? (options.hostilities ?? hostilities) : []).map((hostility, index) => {
      const host = this.#internet.addHost(Uint8Array.of(203, 0, 113, 100 + index), PORT);
      const hostileRandom = new SeededRandom(`${seed}/${hostility}`);
      return new HostileNode({ hostility, world, index: nodes, host, clock, random: hostileRandom });
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

  /** Receives a log line of a node. */
  onLogLine(line: string): void {
    this.#journal.note(`  log: ${line.split("\n", 1)[0]}`);
    if (!isExpected(line)) this.#differences.push(`logged: ${line}`);
  }

  async run(): Promise<NetworkRunReport> {
    for (const machine of this.#machines) {
      const isLate = this.#loadRandom.boolean(LATE_PROBABILITY);
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
      blacklisted: this.#hostile.filter(({ isBlacklisted }) => isBlacklisted).map(({ hostility }) => hostility),
      challenges: this.#challenges(),
      lightNodes: this.#machines.filter(({ options }) => options.isLight).length,
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
      if (this.#hostile.length > 0 && this.#hostileRandom.boolean(ATTACK_PROBABILITY)) this.#attack();
      await this.#step();
    }
  }

  /** Actions of clients in a step. */
  #send(): void {
    const random = this.#loadRandom;
    const isOfCommittees = this.#era === "committees";
    if (random.boolean(isOfCommittees ? COMMITTEE_LOAD_PROBABILITY : LOAD_PROBABILITY))
      this.#load.send(random.pick(this.#machines));
    if (!isOfCommittees || !random.boolean(COMMITMENT_PROBABILITY)) return;
    const generators = this.#machines.length + (this.#hostile.length > 0 ? 1 : 0);
    this.#load.sendCommitment(random.pick(this.#machines), random.below(generators));
  }

  #attack(): void {
    // In turn, so that all attack in a short run, too.
    const attacker = this.#hostile[this.#attacks++ % this.#hostile.length] as HostileNode;
    const victim = this.#hostileRandom.pick(this.#machines);
    this.#journal.note(`attack on ${victim.name}: ${attacker.hostility}`);
    attacker.attack(victim);
  }

  async #step(): Promise<void> {
    await this.#clock.runUntil(this.#clock.nowMs() + STEP_MS);
    for (const watch of this.#watches) {
      const depth = watch.look();
      if (depth > DEEPEST_ROLLBACK) this.#breach(`${watch.machine.name} has rolled back ${depth} blocks`);
      else if (depth > 1) this.#journal.note(`${watch.machine.name} has rolled back ${depth} blocks`);
      for (const line of this.#finalBlocks.look(watch.machine)) this.#breach(line);
    }
    await this.#checkBlacklists();
  }

  /**
   * Checks that honest nodes do not blacklist each other. One exception, as in the reference: a connection silent
   * before the handshake cannot be told from a hostile one.
   */
  async #checkBlacklists(): Promise<void> {
    for (const { peers, name } of this.#machines) {
      for (const { host, reason } of (await peers?.peering.blacklisted()) ?? [])
        if (!this.#markBlacklisted(host) && reason !== HANDSHAKE_TIMEOUT)
          this.#breach(`${name} has blacklisted ${host}: ${reason}`);
      if (this.#hostile.length > 0)
        for (const { host } of (await peers?.peering.suspended()) ?? []) this.#markBlacklisted(host);
    }
  }

  /** @returns true for a hostile node's host */
  #markBlacklisted(host: string): boolean {
    const hostile = this.#hostile.find((each) => each.host.name === host);
    if (hostile !== undefined) hostile.isBlacklisted = true;
    return hostile !== undefined;
  }

  /** Challenges on the chain of the first node. */
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

  #breach(message: string): void {
    this.#journal.note(`DIFFERENCE ${message}`);
    this.#differences.push(message);
  }

  // Faults.

  #befall(fault: Exclude<NetworkFault, "node ends in a turn">): void {
    const draw = this.#draw;
    const internet = this.#internet;
    const machine = draw.pick(this.#machines);
    const effects: Readonly<Record<typeof fault, () => string>> = {
      "connection cut": () => {
        const target = draw.below(Math.max(1, internet.connections));
        return `${internet.cut((_, index) => index === target)} of ${internet.connections + 1}`;
      },
      "connections of a node cut": () => {
        const count = internet.cut((hosts) => hosts.includes(machine.options.host));
        return `${machine.name}, ${count}`;
      },
      "slow line": () => {
        const other = draw.pick(this.#machines);
        const [byMs, forMs] = [draw.slowerMs(), draw.shortMs()];
        internet.slow(machine.options.host, other.options.host, byMs);
        this.#clock.after(forMs, () => internet.slow(machine.options.host, other.options.host, 0));
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
        machine.readModelAvailableMs = this.#clock.nowMs() + forMs;
        return `${machine.name}, for ${forMs} ms`;
      },
    };
    this.#journal.fault(fault, effects[fault]());
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
    const apart = new Set<SimulatedHost>(
      this.#machines.filter(() => draw.boolean(0.5)).map(({ options }) => options.host),
    );
    const isApart = (one: SimulatedHost, other: SimulatedHost): boolean => apart.has(one) !== apart.has(other);
    const forMs = draw.partitionMs();
    const number = ++this.#partitions;
    // Connections either break at once, or are silent.
    const isSilent = draw.boolean(0.5);
    this.#internet.divide(isApart);
    if (!isSilent) this.#internet.cut(([one, other]) => isApart(one, other));
    this.#clock.after(forMs, () => {
      if (number === this.#partitions) this.#internet.heal();
    });
    const names = this.#machines.filter(({ options }) => apart.has(options.host)).map(({ name }) => name);
    return `${names.join(", ") || "no node"} alone for ${forMs} ms, connections ${isSilent ? "silent" : "cut"}`;
  }

  // Invariants.

  /** Ends the faults and waits until the network is idle. */
  async #settle(): Promise<void> {
    this.#journal.note("quiet from here on");
    this.#draw.isQuiet = true;
    this.#partitions += 1;
    this.#internet.heal();
    for (const machine of this.#machines) {
      machine.start();
      machine.startPeers();
      for (const other of this.#machines) this.#internet.slow(machine.options.host, other.options.host, 0);
    }
    if (this.#era === "committees") await this.#finalize();
    if (this.#differences.length > 0) return;
    const targetHeight = this.#height() + QUIET_BLOCKS;
    const isOver = (): boolean => this.#lowest() >= targetHeight && this.#waiting().length === 0;
    const untilMs = this.#clock.nowMs() + WAIT_TIMEOUT_MS;
    let sentAgainMs = this.#clock.nowMs();
    while (!isOver() && this.#clock.nowMs() < untilMs && this.#differences.length === 0) {
      await this.#step();
      if (this.#clock.nowMs() - sentAgainMs < SEND_AGAIN_MS) continue;
      sentAgainMs = this.#clock.nowMs();
      for (const machine of this.#machines) if (machine.options.isLight) this.#load.sendAgain(machine);
    }
    if (!isOver()) {
      const heights = this.#machines.map(({ chain }) => chain?.node.chain.view.height);
      this.#breach(`${WAIT_TIMEOUT_MS} ms of quiet are not enough, heights are ${heights.join(", ")}`);
      for (const line of this.#waiting()) this.#breach(line);
      return;
    }
    // Two blocks of equal score remain side by side until another one comes.
    for (let ties = 0; ties < MOST_TIES; ties++) {
      await this.#drain();
      if (!this.#isTied()) return;
      this.#journal.note("tips that weigh the same");
      for (const machine of this.#machines) machine.mine(true);
      const height = this.#height();
      while (this.#lowest() <= height && this.#clock.nowMs() < untilMs) await this.#step();
    }
  }

  /** Absent generators commit again, and blocks become final one by one. */
  async #finalize(): Promise<void> {
    const heights = () => this.#machines.map(({ chain }) => chain?.node.chain.view.height ?? 0);
    const finalized = () => this.#machines.map(({ chain }) => chain?.node.chain.stored.finalizedHeight() ?? 0);
    const isFinal = () => Math.min(...finalized()) >= Math.max(...heights()) - MAX_FINALITY_LAG;
    const untilMs = this.#clock.nowMs() + WAIT_TIMEOUT_MS;
    while (!isFinal() && this.#differences.length === 0) {
      this.#send();
      await this.#step();
      if (this.#clock.nowMs() > untilMs)
        this.#breach(
          `${WAIT_TIMEOUT_MS} ms of quiet, and at the heights ${heights().join(", ")} ${finalized().join(", ")} are final`,
        );
    }
  }

  /** Stops forging, and delivers messages in flight. */
  async #drain(): Promise<void> {
    for (const machine of this.#machines) machine.mine(false);
    const endMs = this.#clock.nowMs() + DRAIN_MS;
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

  /** A line for each transaction that is not on the chain yet. */
  #waiting(): readonly string[] {
    return transactionDifferences(this.#machines, this.#load.accepted);
  }

  #compare(): void {
    for (const line of agreementDifferences(this.#machines)) this.#breach(line);
    for (const line of this.#waiting()) this.#breach(line);
    for (const { hostility, mustBeBlacklisted, isBlacklisted, attacks } of this.#hostile)
      if (mustBeBlacklisted && !isBlacklisted)
        this.#breach(`no node blacklisted the host after ${attacks} times ${hostility}`);
    if (this.#internet.mostBufferedBytes > MOST_BUFFERED_BYTES)
      this.#breach(`${this.#internet.mostBufferedBytes} bytes were written on one connection and not read`);
  }
}

/** Each node knows the next one, and perhaps others; it learns of the rest. */
function knownPeersOf(hosts: readonly SimulatedHost[], index: number, random: SeededRandom): readonly string[] {
  const known = hosts.filter(
    (_, other) => other !== index && (other === (index + 1) % hosts.length || random.boolean(0.4)),
  );
  return known.map(({ address: { ip, port } }) => `${ip.join(".")}:${port}`);
}

/** True for lines of a crashed process, or of an unavailable read model. */
function isExpected(line: string): boolean {
  return line.includes("the database failed at") || line.includes(READ_MODEL_AWAY);
}

/** Redirects the nodes' log lines. @returns restores the console */
function listen(onLine: (line: string) => void): () => void {
  const { error, info } = console;
  console.error = (...a: unknown[]) => onLine(a.join(" "));
  console.info = () => {};
  return () => {
    Object.assign(console, { error, info });
  };
}
