/**
 * ChainState: the one object of a network that changes chain data. It adapts Cloudflare's storage, alarm, clock and
 * calls to the node.
 */
import { DurableObject } from "cloudflare:workers";
import { parseBase58 } from "../../src/crypto/base58.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import type { ChainCallTarget, ChainRpc, CheckpointCall, Env, NodeRpc } from "../../src/env.ts";
import { parseForkSource } from "../../src/network/fork-source.ts";
import { findMissingPeers, hasPeers } from "../../src/network/missing-peers.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import type { ChainForPeers } from "../../src/rpc/chain-for-peers.ts";
import { genesisText } from "../../src/tables/chain.ts";
import type { StoredValue } from "../../src/tables/schema/cell.ts";
import { log, logError } from "../log.ts";
import { noWork, ObjectWorkMeter } from "../object-work.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { ImportedBlocks } from "./chain/import-blocks.ts";
import { Checkpoints } from "./checkpoint/checkpoints.ts";

import { DevChain } from "./dev/dev-chain.ts";
import { DevClock } from "./dev/dev-clock.ts";
import { Impersonation } from "./dev/impersonation.ts";
import { type ChainServices, dispatchCall } from "./dispatch-call.ts";
import { Node, type NodeOptions } from "./node.ts";
import { handleOperatorRequest, type Operator } from "./operator.ts";
import { OwnerCalls } from "./owner-calls.ts";
import { dispatchHubCall } from "./peers/dispatch-hub-call.ts";
import { hubListener } from "./peers/hub-listener.ts";
import { PeerCalls } from "./peers/peer-calls.ts";
import { PeerCount } from "./peers/peer-count.ts";
import { finalBlockSink, type WriteFinalBlocks } from "./publish/final-block-sink.ts";
import { notifyingSink } from "./publish/notifying-sink.ts";
import { d1Sink } from "./publish/read-model-sink.ts";
import { openInBatches } from "./state/open-tables.ts";
import { MINING_FOR, STOPPED_FOR } from "./state/run-names.ts";
import { StateStore } from "./state/state-store.ts";

/** Delay that an alarm only has after a failure. */
const OVERDUE_MS = 2_000;

/** An object without calls for ten seconds is dropped, and created again in the same isolate: its totals continue. */
const workOfIsolate = noWork();

/** Services of every node. */
type CoreServices = Omit<ChainRpc, "dev" | "fork" | "checkpoint">;

/** Services once the database is open. */
interface StartedServices {
  readonly node: Node;
  readonly owner: OwnerCalls;
  readonly dev: DevChain | undefined;
  /** Undefined: P2P is disabled. */
  readonly peers: ChainForPeers | undefined;
}

export class ChainState extends DurableObject<Env> implements ChainCallTarget, Operator {
  readonly #meter = new ObjectWorkMeter(Date.now, workOfIsolate);
  #started: StartedServices | undefined;
  readonly #checkpoints: Checkpoints;
  #hasImported = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const settings = networkOfBinding(env.NETWORK, env.DEV_CHAIN, env.FORK, env);
    const database = databaseOf(ctx.storage, this.#meter);
    const store = new StateStore(database);
    this.#checkpoints = new Checkpoints({
      ...{ store, settings, nowMs: Date.now },
      node: () => this.#started?.node,
      endNode: async () => {
        await this.#started?.node.published();
        this.#started = undefined;
      },
      startNode: async () => {
        this.#start(settings, database);
        await this.#node.work();
      },
      scheduleCheck: (timeMs) => ctx.storage.setAlarm(timeMs),
    });
    const opening = openInBatches(store, genesisText(settings.blockchain));
    if (opening.next().done) this.#startIfMay(settings, database);
    else void ctx.blockConcurrencyWhile(() => this.#upgrade(opening, settings, database));
  }

  /** Writes final blocks to the store for readers. The Worker's entry provides it, since reading is its side. */
  protected get writeFinalBlocks(): WriteFinalBlocks | undefined {
    return undefined;
  }

  get #node(): Node {
    return this.#services.node;
  }

  get #services(): StartedServices {
    if (this.#started === undefined)
      throw new Error(this.#checkpoints.reason ?? "the state of an earlier release is being upgraded");
    return this.#started;
  }

  /** Upgrades the database. A start has 30 s: writes made by then stay, and the next start continues there. */
  async #upgrade(opening: Iterator<void>, settings: NetworkSettings, database: SqlDatabase): Promise<void> {
    log("the state of an earlier release is being upgraded");
    do await this.ctx.storage.sync();
    while (!opening.next().done);
    this.#startIfMay(settings, database);
  }

  /** Starts the node, unless a checkpoint is incomplete, which is no chain yet. */
  #startIfMay(settings: NetworkSettings, database: SqlDatabase): void {
    if (this.#checkpoints.reason === undefined) this.#start(settings, database);
  }

  #start(settings: NetworkSettings, database: SqlDatabase): void {
    const { ctx, env } = this;
    const impersonation = settings.isDevChain && new Impersonation(settings, new StateStore(database));
    const clock = settings.isDevChain && new DevClock(new StateStore(database), Date.now);
    const nowMs = clock === undefined ? Date.now : () => clock.nowMs();
    const d1 = d1Sink(env.DB, undefined, (results) => this.#meter.d1Batch(results));
    const sink = settings.isDevChain ? notifyingSink(d1) : d1;
    const hub = hasPeers(settings) ? env.PEER_HUB : undefined;
    const count = new PeerCount(nowMs);
    const node = new Node({
      settings,
      walletSeed: walletSeedOf(env),
      database,
      readModel: {
        batch: (statements) => this.#meter.during(() => sink.batch(statements)),
      },
      nowMs,
      random: secureRandomBytes,
      wakeAt: (timeMs) => {
        this.#meter.alarmSet();
        return ctx.storage.setAlarm(clock?.wallMsAt(timeMs) ?? timeMs);
      },
      connectedPeers: () => count.peers,
      peers: hub && hubListener(hub),
      // A dev chain may be discarded at any time, and has no distant readers.
      finalBlocks:
        settings.isDevChain || this.writeFinalBlocks === undefined
          ? undefined
          : finalBlockSink(this.writeFinalBlocks, { settings, database: env.DB, store: env.FINAL }, this.#meter),
      fork: forkOf(env, settings),
      exemption: impersonation?.exemption,
    });
    // The runner of a local node reports this itself, and the number of peers is part of /health.
    const isAlone = env.WAITS_FOR_RUNNER === undefined && !hasPeers(settings);
    const missing = isAlone ? findMissingPeers(settings, 0) : undefined;
    if (missing !== undefined) logError("the chain cannot continue", missing);
    // The object may have been evicted since the runner enabled mining, or the owner stopped it.
    const runner = env.WAITS_FOR_RUNNER;
    node.mine(runner === undefined || node.store.findMeta(MINING_FOR) === runner);
    if (node.store.findMeta(STOPPED_FOR) === this.#run) node.stop();
    const owner = new OwnerCalls({
      node,
      miner: settings.node.miner,
      nowMs,
      stop: async () => {
        node.store.putMeta(STOPPED_FOR, this.#run);
        node.stop();
        return runner === undefined ? "untilDeployment" : "untilStart";
      },
    });
    const usualPace = { automine: true, intervalMs: settings.networkBlockDelayMs ?? null };
    const dev =
      clock &&
      impersonation &&
      new DevChain({
        node,
        clock,
        defaultMiningMode: usualPace,
        random: secureRandomBytes,
        impersonation,
        yieldToEventLoop,
      });
    this.#started = { node, owner, dev, peers: hub && new PeerCalls({ node, count, nowMs }) };
  }

  /** Name of this start of the runner, or of the deployment. */
  get #run(): string {
    const { WAITS_FOR_RUNNER, VERSION } = this.env;
    return WAITS_FOR_RUNNER ?? VERSION?.id ?? "deployed";
  }

  /** Call from the Worker. */
  async call(service: keyof ChainRpc, method: string, args: readonly unknown[]): Promise<unknown> {
    const node: NodeRpc = {
      wake: async () => void (await this.wake()),
      status: async () => ({ ...(await this.#node.status()), work: this.#meter.work }),
      orderFills: (orderIds) => this.#node.orderFills(orderIds),
    };
    if (service === "checkpoint") {
      const checkpoint = this.#checkpoints;
      return this.#meter.request(() => dispatchCall({ checkpoint }, service, method, args));
    }
    const { poolCalls: pool, walletCalls: wallet } = this.#node;
    const { owner, dev } = this.#services;
    const services = { pool, node, wallet, owner, dev, fork: this.#node.fork } satisfies ChainServices & CoreServices;
    return this.#meter.request(() => dispatchCall(services, service, method, args));
  }

  /** Call from PeerHub. */
  async callFromPeers(method: keyof ChainForPeers, args: readonly unknown[]): Promise<unknown> {
    const { peers } = this.#services;
    if (peers === undefined) throw new Error("the node has no P2P network");
    return this.#meter.request(() => dispatchHubCall(peers, method, args));
  }

  override alarm(): Promise<void> {
    return this.#meter.request(() => this.#started?.node.work() ?? this.#checkpoints.checkExpiry());
  }

  // Calls from the local runner.

  override fetch(request: Request): Promise<Response> {
    return handleOperatorRequest(this, request);
  }

  checkpoint(call: CheckpointCall): ReturnType<Operator["checkpoint"]> {
    return this.#checkpoints.call(call);
  }

  status(): ReturnType<Operator["status"]> {
    const publishing = this.#started?.node.publishing;
    if (this.#checkpoints.reason !== undefined) return { height: 0, publishing };
    return { height: this.#node.chain.view.height, publishing, pace: this.#services.dev?.blocks.miningMode };
  }

  async importBlocks(...[blocks, options]: Parameters<Operator["importBlocks"]>): Promise<ImportedBlocks> {
    const imported = await this.#node.importBlocks(blocks, options);
    this.#hasImported ||= imported.applied > 0;
    return imported;
  }

  finishImport(): Promise<void> {
    return this.#node.drain();
  }

  async start({ mining, pace = {}, accounts }: Parameters<Operator["start"]>[0]): Promise<void> {
    this.#node.store.putMeta(MINING_FOR, mining ? (this.env.WAITS_FOR_RUNNER ?? "") : "");
    this.#node.mine(mining);
    await this.#node.prepare();
    await this.#services.dev?.start(pace, { accounts, hasImported: this.#hasImported });
    await this.#node.drain();
    await this.#node.wake();
  }

  /** Does overdue work: a failed alarm is retried after doubling pauses, or not at all. */
  async wake(): Promise<{ readonly wasOverdue: boolean }> {
    if (this.#checkpoints.reason !== undefined) return { wasOverdue: false };
    const alarmMs = await this.ctx.storage.getAlarm();
    const wasOverdue = alarmMs !== null && alarmMs < Date.now() - OVERDUE_MS;
    if (wasOverdue) await this.#node.work();
    await this.#node.wake();
    return { wasOverdue };
  }
}

/** Yields to the event loop: timers run after the events that have arrived. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Fork options of a dev chain; undefined for any other chain. */
function forkOf({ FORK, FORK_NODE }: Env, { isDevChain }: NetworkSettings): NodeOptions["fork"] {
  if (!isDevChain || FORK === undefined) return undefined;
  if (FORK_NODE === undefined) throw new Error("the fork has no binding FORK_NODE for the live node");
  return { source: parseForkSource(FORK), fetch: (url, init) => FORK_NODE.fetch(url, init) };
}

/** @throws Error that does not contain the secret */
function walletSeedOf({ WALLET_SEED }: Env): Uint8Array | undefined {
  if (!WALLET_SEED) return undefined;
  const seed = parseBase58(WALLET_SEED);
  if (seed instanceof Uint8Array) return seed;
  throw new Error("the secret WALLET_SEED is not base58, or too long");
}

function databaseOf(storage: DurableObjectStorage, meter: ObjectWorkMeter): SqlDatabase {
  return {
    // A raw cursor has `toArray`, which its type lacks.
    exec: (query: string, ...bindings: StoredValue[]) =>
      meter.statement(storage.sql.exec(query, ...bindings)) as unknown as ReturnType<SqlDatabase["exec"]>,
    transaction: (run) => storage.transactionSync(run),
  };
}
