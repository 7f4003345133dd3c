/** Sockets on which an attack writes any bytes; a new socket replaces each that ends. */
import net, { type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Load, ResultCounts } from "./attack.ts";
import { loopbackOf } from "./hosts.ts";

export interface SocketLoadOptions {
  readonly port: number;
  readonly hosts: readonly string[];
  /** Number of concurrent sockets. */
  readonly sockets: number;
  /** Pause between two connections. */
  readonly pauseMs?: number;
  /** Maximum number of sockets; by default unlimited. */
  readonly most?: number;
  /** Uses an open socket until it is done. @returns name of the result */
  readonly use: (socket: Socket, number: number, signal: AbortSignal) => Promise<string> | string;
}

/** Result of sockets that the end of the load has cut off. */
export const UNDER_WAY = "under way";
/** Pause before another attempt if the node accepts no connection. */
const PAUSE_MS = 20;

export function socketLoad(options: SocketLoadOptions): Load {
  const { port, hosts, sockets, most = Number.POSITIVE_INFINITY, pauseMs = PAUSE_MS, use } = options;
  return async ({ signal }) => {
    const outcomes: ResultCounts = new Map();
    let opened = 0;
    const connection = async (at: number): Promise<void> => {
      const host = hosts[at % hosts.length] as string;
      while (!signal.aborted && opened < most) {
        const number = opened++;
        const outcome = await oneSocket(port, host, signal, (socket) => use(socket, number, signal));
        count(outcomes, signal.aborted ? UNDER_WAY : outcome);
        await wait(pauseMs);
      }
    };
    await Promise.all(Array.from({ length: sockets }, (_, at) => connection(at)));
    return outcomes;
  };
}

export function count(outcomes: ResultCounts, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

/** Resolves once the socket or the load has ended. */
export function ended(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || signal.aborted) return resolve();
    socket.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Status of the first response on a socket, or the way it ended. */
export async function firstStatus(socket: Socket, signal: AbortSignal): Promise<string> {
  let head = "";
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (bytes: Buffer) => {
      if (head.length < 64) head += bytes.toString("latin1");
      if (head.includes("\n")) resolve();
    });
  });
  await Promise.race([answered, ended(socket, signal)]);
  return /^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? "closed";
}

/** Like `firstStatus`, once the whole response has arrived and the connection has ended. */
export async function onlyStatus(socket: Socket, signal: AbortSignal): Promise<string> {
  const status = firstStatus(socket, signal);
  await ended(socket, signal);
  return status;
}

async function oneSocket(
  port: number,
  host: string,
  signal: AbortSignal,
  use: (socket: Socket) => Promise<string> | string,
): Promise<string> {
  const socket = net.connect({ host: loopbackOf(host), port, localAddress: host });
  // An error is followed by `close`, which reports the end.
  socket.on("error", () => {});
  const connected = new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  await Promise.race([connected, ended(socket, signal)]);
  const outcome = socket.destroyed || signal.aborted ? "refused" : await use(socket);
  socket.destroy();
  return outcome;
}
