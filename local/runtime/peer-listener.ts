/**
 * P2P listener on this machine: accepts connections of other nodes, bounds them, and hands them to PeerHub, which
 * cannot listen. On Cloudflare there is none: nodes connect by WebSocket.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { ConnectionRateLimiter } from "./connection-rate-limiter.ts";
import { startPeerBridge } from "./peer-bridge.ts";

/** A connection made by another node. */
export interface InboundPeer {
  /** Id with which PeerHub picks up the connection. */
  readonly id: string;
  readonly ip: string;
  readonly port: number;
}

export interface PeerListenerOptions {
  /** Undefined: other nodes cannot connect. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** Connections at a time; more are closed at once. */
  readonly maxConnections: number;
  /** Notifies PeerHub of a connection. */
  readonly onConnection: (peer: InboundPeer) => Promise<void>;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

export interface PeerListener {
  /** Value of the binding `PEER_BRIDGE`. */
  readonly bridge: { readonly port: number; readonly token: string };
  /** Address to which other nodes connect, `host:port`. */
  readonly address: string | undefined;
  stop(): void;
}

/**
 * Rate limits of new connections of a subscriber and of all: each costs PeerHub a call. Many nodes may share an
 * address, on one machine or behind one router. A /48 network of IPv6 may open 90 at once, less than half of all.
 */
const ACCEPTED_OF_ADDRESS = { burst: 50, perSecond: 5 } as const;
const ACCEPTED_OF_ALL = { burst: 200, perSecond: 50 } as const;

/** Limit of the time in which PeerHub picks up a connection. */
const PICK_UP_MS = 10_000;
/** Interval of checks: a connection whose other end has read nothing since the last one is closed. */
const STUCK_MS = 30_000;

/** A node that is just stopping may need this long to release its port. */
const WAIT_TIMEOUT_MS = 1_000;

/** Opens the listener, which listens when the promise resolves. @throws the system's error when it cannot listen */
export async function openPeerListener({
  listen,
  maxConnections,
  onConnection,
  nowMs = () => performance.now(),
}: PeerListenerOptions): Promise<PeerListener> {
  const rate = new ConnectionRateLimiter({ ofAddress: ACCEPTED_OF_ADDRESS, ofAll: ACCEPTED_OF_ALL, nowMs });
  const waiting = new Map<string, Socket>();
  const open = new Map<Socket, number>();
  const { bridge, stop: stopBridge } = await startPeerBridge((id, hub) => {
    const peer = waiting.get(id);
    waiting.delete(id);
    if (peer !== undefined) join(peer, hub);
    return peer !== undefined;
  });
  const server = net.createServer({ noDelay: true, pauseOnConnect: true }, (peer) => {
    const { remoteAddress: ip, remotePort: port } = peer;
    if (ip === undefined || port === undefined || open.size >= maxConnections || !rate.tryAcquire(ip)) {
      peer.destroy();
      return;
    }
    const id = randomUUID();
    open.set(peer, 0);
    waiting.set(id, peer);
    const timer = setTimeout(() => waiting.delete(id) && peer.destroy(), PICK_UP_MS);
    peer.on("error", () => peer.destroy());
    peer.once("close", () => {
      clearTimeout(timer);
      open.delete(peer);
      waiting.delete(id);
    });
    onConnection({ id, ip, port }).catch(() => peer.destroy());
  });
  try {
    if (listen !== undefined) await listenAt(server, listen);
  } catch (error) {
    stopBridge();
    throw error;
  }
  const watch = setInterval(() => closeStuck(open), STUCK_MS);
  watch.unref();
  return {
    bridge,
    address: listen && `${formatHost(listen.host)}:${(server.address() as AddressInfo).port}`,
    stop: () => {
      clearInterval(watch);
      server.close();
      for (const peer of open.keys()) peer.destroy();
      stopBridge();
    },
  };
}

/** @throws the system's error */
async function listenAt(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  for (const deadlineMs = performance.now() + WAIT_TIMEOUT_MS; ; ) {
    try {
      server.listen({ host, port, exclusive: true });
      await once(server, "listening");
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || performance.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function join(peer: Socket, hub: Socket): void {
  peer.pipe(hub);
  hub.pipe(peer);
  peer.once("close", () => hub.destroy());
  hub.once("close", () => peer.destroySoon());
}

/** @param open connections with the unread bytes at the last check */
function closeStuck(open: Map<Socket, number>): void {
  for (const [peer, unread] of open) {
    const { writableLength } = peer;
    if (writableLength > 0 && writableLength === unread) peer.destroy();
    else open.set(peer, writableLength);
  }
}

function formatHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
