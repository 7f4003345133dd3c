/**
 * A run: a node under load with faults, then a period without, after which everything must agree. The same seed gives
 * the same run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { RuleError, WireError } from "../../src/protocol/errors.ts";
import { FormatError } from "../../src/protocol/transactions/format-error.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { readModelDifferences } from "../sqlite/compare-read-model.ts";
import { type NodeDatabase, nodeDatabase } from "../sqlite/node-database.ts";
import { testDatabase } from "../sqlite/test-database.ts";
import { AcceptedTransactions } from "./accepted-transactions.ts";
import {
  memoryDifferences,
  moneyDifferences,
  publicationDifferences,
  readModelVersion,
  replayDifferences,
} from "./check-agreement.ts";
import { DistantReadModel } from "./distant-read-model.ts";
import { type BetweenKind, FaultDraw } from "./fault-draw.ts";
import type { GeneratedWorld } from "./generated-world.ts";
import { Journal } from "./journal.ts";
import { Load, type LoadedNode } from "./load.ts";
import { SimulatedObject, type TaskEnd, type TaskFault, type TaskResult } from "./simulated-object.ts";

export interface FaultRunOptions {
  /** Seed of the run's random numbers. */
  readonly seed: string;
  readonly world: GeneratedWorld;
  /** Number of faults after which the load ends. */
  readonly faults: number;
}

export interface FaultRunReport {
  readonly journal: Journal;
  /** Differences, a line each. */
  readonly differences: readonly string[];
  readonly height: number;
  /** Accepted transactions. */
  readonly transactions: number;
  /** Types of the transactions on the chain at the end. */
  readonly types: ReadonlySet<number>;
}

/** The cron of a deployment. */
const CRON_MS = 60_000;
/** Steps of the load after which it ends, however few faults it had. */
const MAX_STEPS = 400;
/** Generators of the network that the node has. */
const OWN_GENERATORS = 2;
const ALL_GENERATORS = 4;
/** Time limit for the node to recover without faults. */
const WAIT_TIMEOUT_MS = 30 * 60_000;
/** Blocks to forge without faults. */
const QUIET_BLOCKS = 2;
/** One of this number of batches is compared at once. */
const COMPARED_BATCHES = 3;
/** Blocks below the tip whose transactions are looked for. */
const LOOKED_AT_BLOCKS = 10;
const MAX_ROLLED_BACK = 12;
const MAX_DIFFERENCES = 40;

export async function faultRun(options: FaultRunOptions): Promise<FaultRunReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fault-run-"));
  const run = new FaultRun(options, folder);
  const release = listen((line) => run.onLogLine(line));
  try {
    return await run.run();
  } finally {
    release();
    run.close();
    rmSync(folder, { recursive: true });
  }
}

class FaultRun implements LoadedNode {
  nowMs: number;
  readonly #wish: FaultRunOptions;
  readonly #folder: string;
  readonly #journal: Journal;
  readonly #draw: FaultDraw;
  readonly #storage: NodeDatabase;
  readonly #readModel: DistantReadModel;
  readonly #object: SimulatedObject;
  readonly #accepted = new AcceptedTransactions();
  readonly #load: Load;
  readonly #differences: string[] = [];
  readonly #startMs: number;
  #logLines: string[] = [];
  #skewMs = 0;
  #cronMs: number;
  #alarmNotBeforeMs = 0;
  #fullDiskTasks = 0;
  #awayUntilMs = 0;
  #files = 0;
  #savedReadModel: string | undefined;
  #starts = 0;
  #greatestHeight = 0;
  /** Task in which each batch was sent. */
  readonly #sentIn = new Map<number, number>();

  constructor(options: FaultRunOptions, folder: string) {
    this.#wish = options;
    this.#folder = folder;
    const { world, seed } = options;
    this.#startMs = world.genesisMs;
    this.nowMs = this.#startMs;
    this.#cronMs = this.#startMs + CRON_MS;
    this.#journal = new Journal(() => `${((this.nowMs - this.#startMs) / 1000).toFixed(3).padStart(10)} s`);
    this.#draw = new FaultDraw(new SeededRandom(`${seed}/faults`));
    this.#storage = nodeDatabase();
    this.#readModel = new DistantReadModel(this.#emptyReadModel(), {
      nowMs: () => this.nowMs,
      fateOf: (batch) => this.#fateOf(batch.number),
      deliver: (run) => this.#deliver(run),
      landed: ({ number }) => this.#checkLanded(number),
    });
    this.#object = new SimulatedObject({
      storage: this.#storage,
      readModel: this.#readModel,
      nowMs: () => this.#objectNowMs,
      open: (openOptions) => {
        this.#starts += 1;
        return world.node({
          ...openOptions,
          name: `${seed}/start ${this.#starts}`,
          // After commitments only committed generators forge: with fewer keys a node would wait for those that it
          // lacks.
          generators: world.network.variant === "committed" ? ALL_GENERATORS : OWN_GENERATORS,
          startMs: this.#objectNowMs,
        });
      },
    });
    const random = new SeededRandom(`${seed}/load`);
    const makeRival = () => this.#otherNode("rival", this.nowMs);
    this.#load = new Load({ loaded: this, world, random, accepted: this.#accepted, makeRival });
  }

  close(): void {
    this.#storage.database.close();
    this.#readModel.sqlite.close();
  }

  /** Receives a log line of the node. */
  onLogLine(line: string): void {
    this.#logLines.push(line);
    this.#journal.note(`  log: ${line.split("\n", 1)[0]}`);
  }

  async run(): Promise<FaultRunReport> {
    for (let steps = 0; steps < MAX_STEPS && this.#journal.faults < this.#wish.faults; steps++) {
      await this.#happen(this.#draw.between());
      await this.#load.step();
      if (this.#differences.length > 0) break;
    }
    const node = await this.#settle();
    if (node !== undefined && this.#differences.length === 0) this.#compare(node);
    return {
      journal: this.#journal,
      differences: this.#differences.slice(0, MAX_DIFFERENCES),
      height: node?.height ?? 0,
      transactions: this.#accepted.all().length,
      types: node === undefined ? new Set() : typesOf(node),
    };
  }

  // Calls by the load.

  async look(): Promise<SimulatedNode | undefined> {
    if (this.#object.node === undefined) await this.execute("a look", () => undefined);
    return this.#object.node;
  }

  async execute<T>(label: string, run: (node: SimulatedNode) => T | Promise<T>): Promise<TaskResult<T>> {
    return this.#runChecked(label, (fault) => this.#object.runTask(run, fault));
  }

  skipTo(timeMs: number): void {
    this.nowMs = Math.max(this.nowMs, timeMs);
  }

  breach(message: string): void {
    this.#journal.note(`DIFFERENCE ${message}`);
    this.#differences.push(message);
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const due = [
        { atMs: this.#readModel.nextMs, run: () => this.#readModel.next() },
        { atMs: this.#alarmDueMs(), run: () => this.#ring() },
        { atMs: this.#cronMs, run: () => this.#cron() },
      ].reduce((first, other) => ((other.atMs ?? Infinity) < (first.atMs ?? Infinity) ? other : first));
      if (due.atMs === undefined || due.atMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, due.atMs);
      await due.run();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  // Tasks.

  async #runChecked<T>(
    label: string,
    runTask: (fault: TaskFault | undefined) => Promise<TaskEnd<T>>,
  ): Promise<TaskResult<T>> {
    const fault = this.#drawTaskFault();
    this.#logLines = [];
    const { result, isHit } = await runTask(fault);
    this.#journal.note(`${label}: ${describe(result)}`);
    if (isHit) this.#noteFault(fault);
    const isOfStorage = isHit || this.#fullDiskTasks > 0;
    if (result.kind === "failed" && !isOfStorage && !isRefusal(result.error))
      this.breach(`${label} failed: ${(result.error as Error).stack}`);
    for (const line of this.#logLines) this.#checkLogLine(line, isOfStorage);
    const { node } = this.#object;
    if (node !== undefined) {
      this.#greatestHeight = Math.max(this.#greatestHeight, node.height);
      this.#checkAccepted(node, isHit);
      await this.#checkReadable(node);
    }
    return result;
  }

  #drawTaskFault(): TaskFault | undefined {
    const drawn = this.#draw.taskFault();
    if (this.#fullDiskTasks === 0 || drawn?.kind === "killed") return drawn;
    this.#fullDiskTasks -= 1;
    return { kind: "full", after: 0 };
  }

  #noteFault(fault: TaskFault | undefined): void {
    if (fault?.kind === "killed")
      this.#journal.fault(
        "kill",
        `at statement ${fault.after}, ${fault.persists ? "the task's writes" : "nothing"} stored`,
      );
    if (fault?.kind === "once") this.#journal.fault("failed statement", `${fault.after}`);
  }

  #checkLogLine(line: string, isOfStorage: boolean): void {
    if (line.startsWith("the node's work failed") && !isOfStorage) this.breach(line);
    if (line.startsWith("a transaction left the pool") && this.#object.failures === 0) this.breach(line);
    if (line.startsWith("a transaction was neither taken nor refused") && !isOfStorage) this.breach(line);
    if (line.startsWith("nothing is published until the next start")) this.breach(line);
  }

  /** @param isHit the database failed in this task; a transaction is dropped when it fails the second time */
  #checkAccepted(node: SimulatedNode, isHit: boolean): void {
    for (const line of this.#accepted.findVanished(node, () => this.#copy()))
      if (!isHit || this.#object.failures < 2) this.breach(line);
      else this.#journal.note(`after ${this.#object.failures} failures of the database ${line}`);
  }

  /** Checks that each transaction is readable as unconfirmed, or in a read model that may show the chain. */
  async #checkReadable({ chain, node }: SimulatedNode): Promise<void> {
    if (this.#fullDiskTasks > 0 || !isTrusted(this.#storage.database, this.#readModel.sqlite)) return;
    const lowest = chain.view.height - LOOKED_AT_BLOCKS;
    const ids = this.#accepted
      .all()
      .map(({ id }) => id)
      .filter((id) => (chain.view.findTransaction(id)?.height ?? 0) > lowest);
    const unconfirmed = await node.poolCalls.areUnconfirmed(ids);
    const shown = this.#readModel.sqlite.prepare("SELECT 1 FROM tx WHERE id = ?");
    for (const [index, id] of ids.entries())
      if (unconfirmed[index] === false && shown.get(id) === undefined)
        this.breach(`the transaction ${encodeBase58(id)} is on the chain but not readable`);
  }

  // Time.

  get #objectNowMs(): number {
    return this.nowMs + this.#skewMs;
  }

  #alarmDueMs(): number | undefined {
    const { alarmMs } = this.#object;
    return alarmMs === undefined ? undefined : Math.max(alarmMs - this.#skewMs, this.#alarmNotBeforeMs);
  }

  async #ring(): Promise<void> {
    this.#alarmNotBeforeMs = this.nowMs + 1;
    await this.#runChecked("an alarm", (fault) => this.#object.alarm(fault));
  }

  async #cron(): Promise<void> {
    this.#cronMs = this.nowMs + CRON_MS;
    await this.#runChecked("the cron", (fault) => this.#object.wake(fault));
  }

  async #deliver(run: () => void): Promise<void> {
    await this.#runChecked("a response of the read model", (fault) => this.#object.runTask(run, fault));
  }

  // Faults between tasks.

  async #happen(kind: BetweenKind | undefined): Promise<void> {
    if (kind === undefined) return;
    const effects: Readonly<Record<BetweenKind, () => string | undefined | Promise<string | undefined>>> = {
      eviction: () => {
        this.#object.evict();
        return "";
      },
      "full disk": () => {
        this.#fullDiskTasks = this.#draw.fewTasks();
        return `for ${this.#fullDiskTasks} turns`;
      },
      "read model away": () => {
        const lastsMs = this.#draw.whileMs();
        this.#awayUntilMs = this.nowMs + lastsMs;
        return `for ${lastsMs} ms`;
      },
      "read model lost": () => this.#exchange(this.#emptyReadModel()),
      "read model restored": () =>
        this.#savedReadModel === undefined
          ? this.#saveReadModel()
          : this.#exchange(new DatabaseSync(this.#savedReadModel)),
      "read model of another chain": () => this.#exchange(this.#foreignReadModel()),
      "clock jump": () => {
        this.#skewMs = this.#skewMs === 0 || this.#draw.below(3) > 0 ? this.#draw.skewMs() : 0;
        return `the clock is wrong by ${this.#skewMs} ms`;
      },
      "alarm lost": () => {
        if (this.#object.alarmMs === undefined) return undefined;
        this.#object.alarmMs = undefined;
        return "";
      },
      "alarm late": () => {
        const lateMs = this.#draw.whileMs();
        this.#alarmNotBeforeMs = this.nowMs + lateMs;
        return `not before ${lateMs} ms`;
      },
      "alarm doubled": async () => {
        await this.#ring();
        await this.#ring();
        return "";
      },
    };
    const details = await effects[kind]();
    if (details !== undefined) this.#journal.fault(kind, details);
    // Saves the copy for a later restore.
    if (this.#draw.below(4) === 0) this.#saveReadModel();
  }

  #fateOf(number: number) {
    this.#sentIn.set(number, this.#object.tasks);
    const { kind, ...fate } = this.#draw.fate();
    if (this.nowMs < this.#awayUntilMs) return { landsAfterMs: [], resultAfterMs: fate.resultAfterMs, fails: true };
    if (kind !== undefined) this.#journal.fault(kind, `batch ${number}`);
    return fate;
  }

  #exchange(sqlite: DatabaseSync): string {
    this.#readModel.sqlite.close();
    this.#readModel.sqlite = sqlite;
    return "";
  }

  #saveReadModel(): undefined {
    const file = this.#newFile();
    this.#readModel.sqlite.exec(`VACUUM INTO '${file}'`);
    this.#savedReadModel = file;
  }

  #emptyReadModel(): DatabaseSync {
    return new DatabaseSync(":memory:");
  }

  /** This chain's read model under another chain's identity. */
  #foreignReadModel(): DatabaseSync {
    this.#saveReadModel();
    const sqlite = new DatabaseSync(this.#savedReadModel as string);
    if (sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chain'").get() !== undefined)
      sqlite.exec("UPDATE chain SET identity = 'another/chain', batch = 'of another chain'; DELETE FROM account");
    return sqlite;
  }

  #newFile(): string {
    this.#files += 1;
    return path.join(this.#folder, `${this.#files}.sqlite`);
  }

  // Invariants.

  /**
   * Checks a landed batch. A complete read model equals the state it names: if the node has not moved on and nothing is
   * pending, the current one (a batch may end with an earlier state).
   */
  #checkLanded(number: number): void {
    if (this.#sentIn.get(number) !== this.#object.tasks || readModelVersion(this.#readModel.sqlite) === undefined)
      return;
    if (isBehind(this.#storage.database, this.#readModel.sqlite)) return;
    const isWrittenAnew = this.#storage.database.prepare("SELECT 1 FROM publication WHERE copied IS NOT NULL").get();
    if (isWrittenAnew === undefined && number % COMPARED_BATCHES !== 0) return;
    for (const line of readModelDifferences(this.#storage.database, this.#readModel.sqlite))
      this.breach(`batch ${number} has landed: ${line}`);
  }

  /** Ends the faults: the node must recover, forge blocks and publish them. */
  async #settle(): Promise<SimulatedNode | undefined> {
    this.#journal.note("quiet from here on");
    this.#draw.isQuiet = true;
    this.#fullDiskTasks = 0;
    this.#awayUntilMs = 0;
    this.#skewMs = 0;
    this.#alarmNotBeforeMs = 0;
    const latest = await this.look();
    if (latest === undefined) {
      this.breach("the node does not start");
      return undefined;
    }
    // Its clock may have been ahead when it forged the tip.
    this.skipTo(Number(latest.chain.stored.tip().timestamp));
    await this.advance(CRON_MS + 1);
    while (this.#readModel.nextMs !== undefined && this.#readModel.nextMs > this.nowMs + CRON_MS)
      await this.advance(this.#readModel.nextMs - this.nowMs);
    // Rows that expired at the greatest height do not return.
    const targetHeight = Math.max((this.#object.node?.height ?? 0) + QUIET_BLOCKS, this.#greatestHeight);
    const isForged = await this.#waitFor(() => (this.#object.node?.height ?? 0) >= targetHeight);
    const node = await this.look();
    if (!isForged || node === undefined) {
      this.breach(`no block for ${WAIT_TIMEOUT_MS} ms without faults: the height is ${node?.height}`);
      return node;
    }
    node.node.mine(false);
    const isPublished = await this.#waitFor(() => isFullyPublished(this.#storage.database) && this.#showsTip(node));
    if (!isPublished) this.breach(`nothing is published for ${WAIT_TIMEOUT_MS} ms without faults`);
    return node;
  }

  async #waitFor(isSo: () => boolean): Promise<boolean> {
    const untilMs = this.nowMs + WAIT_TIMEOUT_MS;
    while (!isSo() && this.nowMs < untilMs) await this.advance(200);
    return isSo();
  }

  #showsTip({ chain }: SimulatedNode): boolean {
    return readModelVersion(this.#readModel.sqlite)?.startsWith(`${encodeBase58(chain.stored.tip().id)}:`) === true;
  }

  #compare(node: SimulatedNode): void {
    const { accounts } = this.#wish.world;
    const addresses = [...accounts.users, ...accounts.generators, ...accounts.wallets].map(({ address }) => address);
    const subjects = { addresses, transactions: this.#accepted.all() };
    const restarted = this.#otherNode("restarted", this.nowMs, node.database);
    const lines = [
      ...publicationDifferences(node, this.#readModel.sqlite),
      ...moneyDifferences(node),
      ...memoryDifferences(node, restarted, subjects),
      ...replayDifferences(node, {
        makeEmpty: (nowMs) => this.#otherNode("replay", nowMs),
        copy: () => this.#copy(),
        rollbackBlocks: 1 + this.#draw.below(MAX_ROLLED_BACK),
      }),
    ];
    for (const line of lines) this.breach(line);
  }

  #copy(): SimulatedNode {
    const file = this.#newFile();
    this.#storage.database.exec(`VACUUM INTO '${file}'`);
    return this.#otherNode("copy", this.nowMs, testDatabase(nodeDatabase(file)));
  }

  #otherNode(name: string, startMs: number, database = testDatabase()): SimulatedNode {
    const { world, seed } = this.#wish;
    return world.node({ name: `${seed}/${name}`, generators: ALL_GENERATORS, startMs, database });
  }
}

/**
 * True if the read model is complete and has the last batch that the node knows of. A restored one claims to be
 * complete until the node begins to rewrite it.
 */
function isTrusted(state: DatabaseSync, readModel: DatabaseSync): boolean {
  if (readModelVersion(readModel) === undefined) return false;
  const batch = readModel.prepare("SELECT batch FROM chain").get()?.["batch"];
  const known = state
    .prepare("SELECT batch FROM publication WHERE copied IS NULL UNION SELECT batch FROM sent_batch")
    .all();
  return known.some((row) => row["batch"] === batch);
}

/** True if the outbox has rows that the read model lacks. */
function isBehind(state: DatabaseSync, readModel: DatabaseSync): boolean {
  const sequence = Number(readModel.prepare("SELECT sequence FROM chain").get()?.["sequence"]);
  return state.prepare("SELECT 1 FROM outbox WHERE seq > ?").get(sequence) !== undefined;
}

/** True if the outbox is empty. */
function isFullyPublished(state: DatabaseSync): boolean {
  return state.prepare("SELECT 1 FROM outbox").get() === undefined;
}

export function typesOf({ chain }: SimulatedNode): Set<number> {
  const types = new Set<number>();
  for (let height = 1; height <= chain.view.height; height++)
    for (const { type } of chain.stored.transactionsAt(height)) types.add(type);
  return types;
}

/** True for a regular refusal by the node. */
function isRefusal(error: unknown): boolean {
  return error instanceof RuleError || error instanceof FormatError || error instanceof WireError;
}

function describe(result: TaskResult<unknown>): string {
  if (result.kind !== "failed") return result.kind;
  const { error } = result;
  if (error instanceof RuleError) return `refused, ${error.violation.code}`;
  return `failed, ${(error as Error).message}`;
}

/** Redirects the nodes' log lines. @returns restores the console */
function listen(onLine: (line: string) => void): () => void {
  const { error, info } = console;
  console.error = (...a: unknown[]) => onLine(a.join(" "));
  console.info = onLine;
  return () => {
    Object.assign(console, { error, info });
  };
}
