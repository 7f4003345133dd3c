/**
 * A run with real processes: a node as `npm start` starts it, loaded with transactions over HTTP, is killed at random
 * instants and restarted; while it is down, its read model is lost or restored. Timing depends on the machine: the same
 * seed draws the same faults, not the same chain.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { StateStore } from "../../durable/chain-state/state/state-store.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { parseNetwork } from "../../src/network/parse-network.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { FormatError } from "../../src/protocol/transactions/format-error.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { TableView } from "../../src/tables/view/table-view.ts";
import { allTransactionGenerators, makeTransaction } from "../chain-generator/all-transaction-generators.ts";
import { generatorCount, makeAccounts } from "../chain-generator/generated-accounts.ts";
import { makeNetwork } from "../chain-generator/generated-network.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type LocalNode, startNode } from "../local-node.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";
import { databaseFiles } from "../sqlite/database-files.ts";
import { nodeDatabase } from "../sqlite/node-database.ts";
import { testDatabase } from "../sqlite/test-database.ts";
import { AcceptedTransactions } from "./accepted-transactions.ts";
import { moneyDifferences, publicationDifferences, replayDifferences } from "./check-agreement.ts";
import { type FaultRunReport, typesOf } from "./fault-run.ts";
import { GeneratedWorld } from "./generated-world.ts";
import { Journal } from "./journal.ts";

const KILLS = 6;
const NETWORK_SEED_COUNT = 1_000;
/** A start takes one or two seconds, so some kills come before it is complete. */
const MOST_START_MS = 2_000;
const MOST_LOAD_MS = 4_000;
const WAIT_TIMEOUT_MS = 60_000;
const LOOK_MS = 200;
const MAX_ROLLED_BACK = 12;

export async function startedRun(seed: number, number: number): Promise<FaultRunReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "started-run-"));
  const run = new StartedRun(`started ${seed}/${number}`, folder);
  try {
    return await run.run();
  } finally {
    await run.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

class StartedRun {
  readonly #random: SeededRandom;
  readonly #folder: string;
  readonly #data: string;
  readonly #flags: readonly string[];
  readonly #world: GeneratedWorld;
  readonly #transactionGenerators = allTransactionGenerators();
  readonly #accepted = new AcceptedTransactions();
  readonly #journal: Journal;
  readonly #differences: string[] = [];
  #running: LocalNode | undefined;
  #savedReadModel: string | undefined;
  #copies = 0;

  constructor(name: string, folder: string) {
    this.#random = new SeededRandom(name);
    this.#folder = folder;
    this.#data = path.join(folder, "data");
    this.#world = fastWorld(this.#random.below(NETWORK_SEED_COUNT));
    const network = path.join(folder, "fast.json");
    writeFileSync(network, jsonText(this.#world.network.json));
    this.#flags = ["--network", network, "--data", this.#data];
    const startMs = performance.now();
    this.#journal = new Journal(() => `${((performance.now() - startMs) / 1000).toFixed(3).padStart(10)} s`);
  }

  async run(): Promise<FaultRunReport> {
    for (let kill = 0; kill < KILLS && this.#differences.length === 0; kill++) await this.#untilKilled();
    const node = this.#differences.length === 0 ? await this.#settle() : undefined;
    return {
      journal: this.#journal,
      differences: this.#differences,
      height: node?.height ?? 0,
      transactions: this.#accepted.all().length,
      types: node === undefined ? new Set() : typesOf(node),
    };
  }

  /** Kills a node that may still run. */
  async end(): Promise<void> {
    await this.#running?.kill();
  }

  async #untilKilled(): Promise<void> {
    const started = await startNode(this.#flags);
    this.#running = {
      url: started.url,
      output: started.output,
      stop: () => started.exited,
      kill: async () => {
        started.process.kill("SIGKILL");
        await started.exited;
      },
    };
    const random = this.#random;
    const isDuringStart = random.boolean(0.2);
    const ready = started.ready().then(
      () => undefined,
      (error: Error) => error,
    );
    const fault = await (isDuringStart ? Promise.race([wait(random.below(MOST_START_MS)), ready]) : ready);
    if (fault instanceof Error) {
      this.#differ(`the node does not start: ${fault.message}`);
      return;
    }
    if (!isDuringStart) await this.#load(started.url, performance.now() + random.below(MOST_LOAD_MS));
    if (!isDuringStart && random.boolean(0.3)) await this.#killRuntime(started.url);
    const pids = [this.#runtimePid(), started.process.pid].filter((pid) => pid !== undefined);
    for (const pid of random.boolean(0.5) ? pids : pids.toReversed()) killNow(pid);
    await started.exited;
    this.#running = undefined;
    this.#journal.fault("kill", isDuringStart ? "during the start" : "");
    this.#checkAccepted();
    this.#exchangeReadModel();
  }

  /** Kills the runtime only; the runner restarts it. */
  async #killRuntime(url: string): Promise<void> {
    const pid = this.#runtimePid();
    if (pid === undefined) return;
    killNow(pid);
    this.#journal.fault("kill of the runtime");
    await this.#load(url, performance.now() + this.#random.below(MOST_LOAD_MS));
  }

  #runtimePid(): number | undefined {
    try {
      const running = JSON.parse(readFileSync(path.join(this.#data, "running.json"), "utf8"));
      return (running as { runtime?: { pid: number } }).runtime?.pid;
    } catch {
      // The file does not exist yet.
      return undefined;
    }
  }

  async #load(url: string, untilMs: number): Promise<void> {
    while (performance.now() < untilMs) {
      const transaction = this.#make();
      if (transaction !== undefined) await this.#broadcast(url, transaction);
      await wait(this.#random.below(100));
    }
  }

  async #broadcast(url: string, transaction: Transaction): Promise<void> {
    try {
      const response = await fetch(`${url}/transactions/broadcast`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: jsonText(transactionJson(transaction)),
      });
      await response.text();
      this.#journal.note(`a transaction of type ${transaction.type}: ${response.status}`);
      if (response.status === 200) this.#accepted.add(transaction);
      else if (response.status === 500) this.#differ(`a transaction of type ${transaction.type} got status 500`);
    } catch {
      // The runtime was killed a moment ago.
      this.#journal.note(`a transaction of type ${transaction.type}: no response`);
    }
  }

  /** Makes a transaction from the state on disk, which can be read while the node runs. */
  #make(): Transaction | undefined {
    const files = this.#files();
    if (files === undefined) return undefined;
    const database = nodeDatabase(files.chainState, { readOnly: true });
    try {
      const view = new TableView(new StateStore(database), this.#world.network.settings.blockchain);
      return makeTransaction(this.#transactionGenerators, this.#world.chainWorld(view, this.#random, Date.now));
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    } finally {
      database.database.close();
    }
  }

  #files() {
    try {
      return databaseFiles(path.join(this.#data, "storage"));
    } catch {
      // The files do not exist yet.
      return undefined;
    }
  }

  #checkAccepted(): void {
    const files = this.#files();
    if (files === undefined) return;
    const node = this.#open(files.chainState);
    for (const line of this.#accepted.findVanished(node, () => this.#open(files.chainState))) this.#differ(line);
    node.database.database.close();
  }

  /** A node on a copy of the database. */
  #open(file: string): SimulatedNode {
    return this.#world.node({
      name: "copy",
      generators: generatorCount,
      startMs: Date.now(),
      database: testDatabase(nodeDatabase(this.#copy(file))),
    });
  }

  /** Copies a database whose last owner may have been killed. */
  #copy(file: string): string {
    this.#copies += 1;
    const copy = path.join(this.#folder, `${this.#copies}.sqlite`);
    for (const part of ["", "-wal"]) if (existsSync(file + part)) copyFileSync(file + part, copy + part);
    return copy;
  }

  /** Loses or restores the read model; no node may run. */
  #exchangeReadModel(): void {
    const random = this.#random;
    const files = this.#files();
    if (files === undefined) return;
    if (random.boolean(0.3)) this.#savedReadModel = this.#copy(files.readModel);
    if (!random.boolean(0.3)) return;
    const folder = path.dirname(files.readModel);
    const name = path.basename(files.readModel);
    for (const found of readdirSync(folder)) if (found.startsWith(name)) rmSync(path.join(folder, found));
    if (this.#savedReadModel !== undefined && random.boolean(0.5)) {
      for (const part of ["", "-wal"])
        if (existsSync(this.#savedReadModel + part)) copyFileSync(this.#savedReadModel + part, files.readModel + part);
      this.#journal.fault("read model restored");
    } else {
      this.#journal.fault("read model lost");
    }
  }

  /** A start without faults: it forges blocks and publishes them, ends in order, and all states must agree. */
  async #settle(): Promise<SimulatedNode | undefined> {
    const started = await startNode(this.#flags);
    const mining = await started.ready();
    this.#running = mining;
    const height = await heightOf(mining.url);
    if (!(await inTime(async () => (await heightOf(mining.url)) > height))) this.#differ("no further block is made");
    await mining.stop();
    const resting = await (await startNode([...this.#flags, "--no-mining"])).ready();
    this.#running = resting;
    if (!(await inTime(async () => this.#isPublished()))) this.#differ("what waits is not published");
    const code = await resting.stop();
    this.#running = undefined;
    if (code !== 0) this.#differ(`the node ends with code ${code}`);
    const files = this.#files();
    if (files === undefined) throw new Error("the node has no databases");
    const node = this.#open(files.chainState);
    const readModel = new DatabaseSync(this.#copy(files.readModel));
    const lines = [
      ...this.#accepted.findVanished(node, () => this.#open(files.chainState)),
      ...publicationDifferences(node, readModel),
      ...moneyDifferences(node),
      ...replayDifferences(node, {
        makeEmpty: (nowMs) => this.#world.node({ name: "replay", generators: generatorCount, startMs: nowMs }),
        copy: () => this.#open(files.chainState),
        rollbackBlocks: this.#random.between(1, MAX_ROLLED_BACK),
      }),
    ];
    readModel.close();
    for (const line of lines) this.#differ(line);
    return node;
  }

  #isPublished(): boolean {
    const files = this.#files();
    if (files === undefined) return false;
    const state = new DatabaseSync(files.chainState, { readOnly: true });
    const readModel = new DatabaseSync(files.readModel, { readOnly: true });
    try {
      const waits = state.prepare("SELECT 1 FROM outbox").get() !== undefined;
      return !waits && readModel.prepare("SELECT is_whole FROM chain").get()?.["is_whole"] === 1;
    } catch {
      // The read model has no tables yet.
      return false;
    } finally {
      state.close();
      readModel.close();
    }
  }

  #differ(line: string): void {
    this.#journal.note(`DIFFERENCE ${line}`);
    this.#differences.push(line);
  }
}

/** A generated network with blocks about every half second. */
function fastWorld(seed: number): GeneratedWorld {
  const accounts = makeAccounts(seed, privateNetwork.blockchain.chainId);
  const random = new SeededRandom(`fast/${seed}`);
  const network = makeNetwork("active", seed, { blocks: 1, random, accounts });
  const { waves, ...rest } = network.json as unknown as FastJson;
  const { custom } = waves.blockchain;
  const json = {
    ...rest,
    waves: {
      ...waves,
      blockchain: {
        ...waves.blockchain,
        custom: {
          ...custom,
          functionality: { ...custom.functionality, "min-block-time": "300ms" },
          genesis: { ...custom.genesis, "average-block-delay": "600ms" },
        },
      },
      miner: { ...waves.miner, "micro-block-interval": "150ms", "min-micro-block-age": "0ms" },
    },
  };
  const settings = parseNetwork(json, "fast");
  return new GeneratedWorld({ ...network, json, settings }, accounts, settings.node.maxRollbackDepth);
}

/** The changed members of a generated network's JSON. */
interface FastJson {
  readonly waves: {
    readonly blockchain: {
      readonly custom: { readonly functionality: JsonMembers; readonly genesis: JsonMembers };
    };
    readonly miner: JsonMembers;
  };
}
type JsonMembers = Readonly<Record<string, string | number | bigint>>;

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function heightOf(url: string): Promise<number> {
  const response = await fetch(`${url}/blocks/height`);
  return response.ok ? ((await response.json()) as { height: number }).height : 0;
}

async function inTime(isSo: () => Promise<boolean>): Promise<boolean> {
  const untilMs = performance.now() + WAIT_TIMEOUT_MS;
  while (performance.now() < untilMs) {
    if (await isSo()) return true;
    await wait(LOOK_MS);
  }
  return false;
}
