/** Bounds of clients' connections: how many, one request at a time, and how slowly a response may be read. */
import type http from "node:http";
import type { Socket } from "node:net";
import { widestNetworkOf } from "../../src/network/subscriber.ts";
import { SubscriberCounts } from "../../src/network/subscriber-counts.ts";
import { oldestOfHeaviest, subscriberAt } from "./client-subscriber.ts";

/** Connections of all clients, as in the reference; where one more comes, one that waits for its client gives way. */
export const MAX_CONNECTIONS = 1_024;
/** Connections of one subscriber: none has half of all, nor has a network around it. */
const MAX_OF_SUBSCRIBER = 256;
/**
 * What the parser gets of a connection at a time: it cannot be stopped within, and each request that it finds costs, whether it
 * is served or not.
 */
const PIECE_BYTES = 1_024;
/** Responses that wait for their readers: others have the other half of the places in the runtime. */
const MAX_SLOW = 64;
const SLOW_CHECK_MS = 20_000;
/** A reader that takes less between two checks is disconnected. */
const MIN_READ_BYTES = 65_536;

/** A request whose response is under way, or waits for its turn. */
interface Waiting {
  readonly request: http.IncomingMessage;
  readonly begin: () => void;
}

export class ClientConnections {
  readonly #counts = new SubscriberCounts(MAX_OF_SUBSCRIBER);
  /** Connections by network, the oldest of each first. */
  readonly #open = new Map<string, Set<Socket>>();
  #size = 0;
  readonly #waiting = new WeakMap<Socket, Waiting[]>();
  /** Connections that are not read while a request waits; others the parser itself does not read. */
  readonly #paused = new WeakSet<Socket>();
  /** Responses that wait for their readers, by how many bytes those had taken at the last check. */
  readonly #slow = new Map<http.ServerResponse, number>();
  readonly #timer = setInterval(() => this.#checkSlow(), SLOW_CHECK_MS).unref();

  /** A new connection; it is closed where its subscriber has too many, or all that there may be are served. */
  add(socket: Socket): void {
    const subscriber = subscriberAt(socket.remoteAddress);
    if (this.#counts.isFull(subscriber) || (this.#size >= MAX_CONNECTIONS && !this.#makeRoom())) {
      socket.destroy();
      return;
    }
    const network = widestNetworkOf(subscriber);
    const ofNetwork = this.#open.get(network) ?? new Set();
    this.#open.set(network, ofNetwork.add(socket));
    this.#counts.add(subscriber);
    this.#size += 1;
    socket.once("close", () => {
      this.#counts.remove(subscriber);
      this.#leave(socket, network);
    });
    this.#readInPieces(socket);
  }

  /** Begins with a request once the responses to those before it on its connection are out; until then no more is read. */
  inTurn(request: http.IncomingMessage, response: http.ServerResponse, begin: () => void): void {
    const { socket } = request;
    const waiting = this.#waiting.get(socket) ?? [];
    this.#waiting.set(socket, waiting);
    waiting.push({ request, begin });
    response.once("close", () => {
      waiting.shift();
      // After a last response nothing else is begun.
      if (!socket.writable) return;
      if (waiting.length <= 1 && this.#paused.delete(socket)) socket.resume();
      waiting[0]?.begin();
    });
    if (waiting.length === 1) begin();
  }

  /** Whether a response on the connection is under way. */
  isAnswering(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.length ?? 0) > 0;
  }

  /** The reader of a response does not take all that is there. */
  addSlow(response: http.ServerResponse): void {
    if (this.#slow.has(response)) return;
    this.#slow.set(response, takenBytes(response));
    response.once("close", () => this.#slow.delete(response));
    if (this.#slow.size <= MAX_SLOW) return;
    const unread = this.#slow.keys().filter(isUnread);
    oldestOfHeaviest(unread.map((each) => [each, 1] as const))?.destroy();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Closes the oldest connection that waits for its client, of the network that has most connections.
   * @returns whether there was one
   */
  #makeRoom(): boolean {
    const networks = [...this.#open].sort(([, left], [, right]) => right.size - left.size);
    for (const [network, sockets] of networks)
      for (const socket of sockets) {
        if (this.#isServed(socket)) continue;
        this.#leave(socket, network);
        socket.destroy();
        return true;
      }
    return false;
  }

  /** Stands between a connection and the parser, which is its one reader: nothing is parsed while a request waits for its turn. */
  #readInPieces(socket: Socket): void {
    const [parse] = socket.listeners("data");
    if (parse === undefined) return;
    socket.off("data", parse as (bytes: Buffer) => void);
    socket.on("data", (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        parse.call(socket, bytes.subarray(from, from + PIECE_BYTES));
        // It is somebody else's after CONNECT.
        if (socket.destroyed || socket.listenerCount("data") === 0) return;
        const isParserFull = socket.isPaused();
        if (!isParserFull && (this.#waiting.get(socket)?.length ?? 0) <= 1) continue;
        if (!isParserFull) this.#paused.add(socket.pause());
        const rest = bytes.subarray(from + PIECE_BYTES);
        if (rest.length > 0) socket.unshift(rest);
        return;
      }
    });
  }

  /** Whether a request that has come whole is under way: neither an idle client nor one that still sends. */
  #isServed(socket: Socket): boolean {
    return this.#waiting.get(socket)?.[0]?.request.complete ?? false;
  }

  #leave(socket: Socket, network: string): void {
    const ofNetwork = this.#open.get(network);
    if (ofNetwork?.delete(socket)) this.#size -= 1;
    if (ofNetwork?.size === 0) this.#open.delete(network);
  }

  #checkSlow(): void {
    for (const [response, before] of this.#slow) {
      const taken = takenBytes(response);
      if (isUnread(response) && taken - before < MIN_READ_BYTES) response.destroy();
      else this.#slow.set(response, taken);
    }
  }
}

function isUnread({ socket }: http.ServerResponse): boolean {
  return socket !== null && socket.writableLength > 0;
}

/** Bytes of a connection that the system has taken. */
function takenBytes({ socket }: http.ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
