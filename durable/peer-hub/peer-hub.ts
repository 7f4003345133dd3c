/**
 * PeerHub: the object of a network that owns the connections with other nodes. It adapts Cloudflare's sockets, timers,
 * alarm, storage and calls to `Peering`, and contains no rules.
 */
import { DurableObject } from "cloudflare:workers";
import * as z from "zod";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { type Env, P2P_PATH, type PeerCallTarget, type PeersRpc } from "../../src/env.ts";
import { hasPeers } from "../../src/network/missing-peers.ts";
import { networkOfBinding } from "../../src/network/network-of-binding.ts";
import { isWebSocketAddress } from "../../src/network/peer-address.ts";
import { referenceVersion } from "../../src/network/reference-version.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { platformLimits } from "../../src/platform/limits.ts";
import type { NodeVersion } from "../../src/protocol/messages/handshake.ts";
import { findIp } from "../../src/protocol/messages/peer-address-text.ts";
import type { ChainEvents, ChainListener } from "../../src/rpc/chain-for-peers.ts";
import type { StoredValue } from "../../src/tables/schema/cell.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { chainClient } from "./chain-client.ts";
import type { Timers } from "./connection.ts";
import { dispatchPeerCall } from "./dispatch-peer-call.ts";
import { Peering } from "./peering.ts";
import { openWebSocket, PeerNetwork } from "./sockets/peer-network.ts";
import { WebSocketPeers } from "./sockets/web-socket-peers.ts";
import { SqlPeerStorage } from "./sql-peer-storage.ts";

/** An object without calls is evicted after a minute or two, and loses its connections. */
const ALARM_MS = 30_000;
/** Maximum of inbound WebSockets: unread bytes are kept in memory (`WINDOW_BYTES`). */
const MAX_WEB_SOCKETS = 100;
/** Key in the object's storage: start of the local runner that has let the node follow the network. */
const STARTED_FOR = "startedFor";

/** Connection that another node has opened to the local runner. */
const accepted = z.object({ id: z.string(), ip: z.string(), port: z.int() });

const timers: Timers = {
  nowMs: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export class PeerHub extends DurableObject<Env> implements PeerCallTarget, ChainListener {
  readonly #settings: NetworkSettings;
  readonly #network: PeerNetwork;
  #peering: Peering | undefined;
  #webSockets = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#settings = networkOfBinding(env.NETWORK, env.DEV_CHAIN, env.FORK, env);
    this.#network = new PeerNetwork(env);
  }

  /** Call from the Worker. */
  async call(method: keyof PeersRpc, args: readonly unknown[]): Promise<unknown> {
    const peering = await this.#begin();
    if (peering === undefined) throw new Error("the node has no P2P network");
    return dispatchPeerCall(peering, method, args);
  }

  /** Call from ChainState. */
  async onChainEvents(news: ChainEvents): Promise<void> {
    await (await this.#begin())?.onChainEvents(news);
  }

  /** Call from the cron and the local runner: makes sure that the object is running. */
  async wake(): Promise<void> {
    await this.#begin();
  }

  override async alarm(): Promise<void> {
    if (!hasPeers(this.#settings)) return;
    // First, so that a failure below is retried.
    await this.ctx.storage.setAlarm(Date.now() + ALARM_MS);
    await this.#begin();
  }

  /** Inbound connections: by WebSocket, or through the local runner. The public Worker requests only the first kind. */
  override async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    switch (`${request.method} ${pathname}`) {
      case `GET ${P2P_PATH}`:
        return this.#acceptWebSocket(request);
      case "POST /operator/peers/start":
        await this.ctx.storage.put(STARTED_FOR, this.env.WAITS_FOR_RUNNER);
        await this.#begin();
        return new Response();
      case "POST /operator/peers/accept":
        return this.#acceptFromRunner(accepted.parse(await request.json()));
      case "GET /operator/peers/progress":
        return Response.json(await this.call("progress", []));
      default:
        return new Response("unknown call", { status: 404 });
    }
  }

  async #acceptFromRunner({ id, ip: text, port }: z.output<typeof accepted>): Promise<Response> {
    const peering = await this.#begin();
    const ip = findIp(text);
    if (peering === undefined || ip === undefined) return new Response("not now", { status: 503 });
    peering.accept(await this.#network.accept(id, { ip, port }));
    return new Response();
  }

  /**
   * Hibernation is not used: it would lose timers and outbound connections with the object's memory, so the object
   * never rests while it has a peer.
   */
  async #acceptWebSocket(request: Request): Promise<Response> {
    const peering = await this.#begin();
    const ip = findIp(request.headers.get("CF-Connecting-IP") ?? "");
    const isFull = this.#webSockets >= Math.min(MAX_WEB_SOCKETS, this.#settings.node.peers.maxInboundConnections);
    if (peering === undefined || ip === undefined || isFull) return new Response("not now", { status: 503 });
    const { 0: client, 1: server } = new WebSocketPair();
    const connection = openWebSocket(server, { ip, port: 0 });
    this.#webSockets++;
    void connection.closed.then(() => this.#webSockets--);
    peering.accept(connection);
    return new Response(null, { status: 101, webSocket: client });
  }

  /** @returns undefined: the node has no peers, or imports blocks first */
  async #begin(): Promise<Peering | undefined> {
    if (this.#peering !== undefined || !hasPeers(this.#settings)) return this.#peering;
    const { WAITS_FOR_RUNNER: runner } = this.env;
    if (runner !== undefined && (await this.ctx.storage.get(STARTED_FOR)) !== runner) return undefined;
    // Another call may have been quicker.
    if (this.#peering === undefined) {
      this.#peering = this.#start();
      await this.ctx.storage.setAlarm(Date.now() + ALARM_MS);
    }
    return this.#peering;
  }

  #start(): Peering {
    const { blockchain, node } = this.#settings;
    const { knownPeers, maxOutboundConnections } = node.peers;
    const urls = knownPeers.filter(isWebSocketAddress);
    // The remaining one is for name resolution.
    const most =
      this.env.WAITS_FOR_RUNNER === undefined
        ? Math.max(0, platformLimits.outgoingConnections - 1 - urls.length)
        : maxOutboundConnections;
    const { schemeCharacter, chainId } = blockchain;
    const settings = {
      ...node.peers,
      knownPeers: knownPeers.filter((place) => !isWebSocketAddress(place)),
      maxOutboundConnections: Math.min(maxOutboundConnections, most),
    };
    const peering = new Peering({
      settings,
      synchronization: node.synchronization,
      chainId,
      applicationName: `waves${schemeCharacter}`,
      version: parseVersion(referenceVersion),
      transport: this.#network,
      timers,
      random: secureRandomBytes,
      storage: new SqlPeerStorage(databaseOf(this.ctx.storage)),
      chain: chainClient(this.env.CHAIN_STATE),
      isLight: node.isLight,
    });
    peering.start();
    new WebSocketPeers({
      urls,
      dial: (url) => this.#network.connectWebSocket(url),
      accept: (connection) => peering.accept(connection, "outbound"),
      timers,
    }).start();
    return peering;
  }
}

/** @param text `major.minor.patch` */
function parseVersion(text: string): NodeVersion {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return { major, minor, patch };
}

function databaseOf(storage: DurableObjectStorage): SqlDatabase {
  return {
    // A raw cursor has `toArray`, which its type lacks.
    exec: (query: string, ...bindings: StoredValue[]) =>
      storage.sql.exec(query, ...bindings) as unknown as ReturnType<SqlDatabase["exec"]>,
    transaction: (run) => storage.transactionSync(run),
  };
}
