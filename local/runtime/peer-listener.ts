/**
 * The door for other nodes on this machine: takes their connections, bounds them, and hands them to PeerHub, which cannot listen. On
 * Cloudflare there is none: nodes connect by WebSocket.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import net, { type AddressInfo, type Server, type Socket } from "node:net";
import { AcceptRate } from "./connection-rate-limiter.ts";
import { startPeerBridge } from "./peer-bridge.ts";

/** A connection that another node has made. */
export interface KnockingPeer {
  /** By which PeerHub asks for it. */
  readonly id: string;
  readonly ip: string;
  readonly port: number;
}

export interface PeerDoorOptions {
  /** Undefined: nobody can connect. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** Connections at a time; more are closed at once. */
  readonly maxConnections: number;
  /** Tells PeerHub of a connection. */
  readonly tell: (peer: KnockingPeer) => Promise<void>;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

export interface PeerDoor {
  /** For the binding `PEER_BRIDGE`. */
  readonly bridge: { readonly port: number; readonly token: string };
  /** Where others connect to: `host:port`. */
  readonly address: string | undefined;
  stop(): void;
}

/**
 * New connections of a subscriber, and of all: each costs PeerHub a call. An address may be that of many nodes, on one machine or
 * behind one router. 48 bits of IPv6 may make 90, less than half.
 */
const ACCEPTED_OF_ADDRESS = { burst: 50, perSecond: 5 } as const;
const ACCEPTED_OF_ALL = { burst: 200, perSecond: 50 } as const;

/** How long PeerHub may take to ask for a connection. */
const TAKEN_MS = 10_000;
/** How often connections are looked at: one whose other end reads nothing from one time to the next is closed. */
const STUCK_MS = 30_000;

/** How long a node that was told to stop a moment ago may need to give its port free. */
const PATIENCE_MS = 1_000;

/** Listens when the promise resolves. @throws the system's error when it cannot listen */
export async function openPeerDoor({
  listen,
  maxConnections,
  tell,
  nowMs = () => performance.now(),
}: PeerDoorOptions): Promise<PeerDoor> {
  const rate = new AcceptRate({ ofAddress: ACCEPTED_OF_ADDRESS, ofAll: ACCEPTED_OF_ALL, nowMs });
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
    if (ip === undefined || port === undefined || open.size >= maxConnections || !rate.take(ip)) {
      peer.destroy();
      return;
    }
    const id = randomUUID();
    open.set(peer, 0);
    waiting.set(id, peer);
    const timer = setTimeout(() => waiting.delete(id) && peer.destroy(), TAKEN_MS);
    peer.on("error", () => peer.destroy());
    peer.once("close", () => {
      clearTimeout(timer);
      open.delete(peer);
      waiting.delete(id);
    });
    tell({ id, ip, port }).catch(() => peer.destroy());
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
    address: listen && `${shownHost(listen.host)}:${(server.address() as AddressInfo).port}`,
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
  for (const deadlineMs = performance.now() + PATIENCE_MS; ; ) {
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

/** @param open with what waited to be read by the other end when they were last looked at */
function closeStuck(open: Map<Socket, number>): void {
  for (const [peer, unread] of open) {
    const { writableLength } = peer;
    if (writableLength > 0 && writableLength === unread) peer.destroy();
    else open.set(peer, writableLength);
  }
}

function shownHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
