/** Bounds of client connections: their number, one request at a time, and a minimum speed of reading a response. */
import type http from "node:http";
import type { Socket } from "node:net";
import { widestNetworkOf } from "../../src/network/subscriber.ts";
import { SubscriberCounts } from "../../src/network/subscriber-counts.ts";
import { oldestOfHeaviest, subscriberAt } from "./client-subscriber.ts";

/** Connections of all clients, as in the reference; beyond it an idle connection is closed for a new one. */
export const MAX_CONNECTIONS = 1_024;
/** Connections of one subscriber: neither it nor a network around it can have half of all. */
const MAX_OF_SUBSCRIBER = 256;
/**
 * Bytes of a connection that the parser gets at a time: it cannot be stopped within them, and each request in them
 * costs work, served or not.
 */
const PIECE_BYTES = 1_024;
/** Responses that wait for slow readers: other requests have the other half of the slots in the runtime. */
const MAX_SLOW = 64;
const SLOW_CHECK_MS = 20_000;
/** A client that reads fewer bytes between two checks is disconnected. */
const MIN_READ_BYTES = 65_536;

/** A request whose response is under way or waits for earlier ones. */
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
  /** Connections paused here while a request waits, apart from those that the parser itself pauses. */
  readonly #paused = new WeakSet<Socket>();
  /** Responses that wait for their readers, with the bytes read at the last check. */
  readonly #slow = new Map<http.ServerResponse, number>();
  readonly #timer = setInterval(() => this.#checkSlow(), SLOW_CHECK_MS).unref();

  /** Adds a connection, or closes it when its subscriber has too many or every allowed connection is being served. */
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

  /**
   * Begins a request once earlier responses on its connection are out; until then no more of the connection is read.
   */
  enqueue(request: http.IncomingMessage, response: http.ServerResponse, begin: () => void): void {
    const { socket } = request;
    const waiting = this.#waiting.get(socket) ?? [];
    this.#waiting.set(socket, waiting);
    waiting.push({ request, begin });
    response.once("close", () => {
      waiting.shift();
      // No further request begins after the last response of a connection.
      if (!socket.writable) return;
      if (waiting.length <= 1 && this.#paused.delete(socket)) socket.resume();
      waiting[0]?.begin();
    });
    if (waiting.length === 1) begin();
  }

  /** Whether a response on the connection is under way. */
  isResponding(socket: Socket): boolean {
    return (this.#waiting.get(socket)?.length ?? 0) > 0;
  }

  /** Notes that the client does not read all available bytes of a response. */
  addSlow(response: http.ServerResponse): void {
    if (this.#slow.has(response)) return;
    this.#slow.set(response, sentBytes(response));
    response.once("close", () => this.#slow.delete(response));
    if (this.#slow.size <= MAX_SLOW) return;
    const unread = [...this.#slow.keys()].filter(isUnread);
    oldestOfHeaviest(unread.map((each) => [each, 1] as const))?.destroy();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Closes the oldest idle connection of the network that has most connections.
   * @returns whether there was an idle connection
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

  /** Feeds the parser, the only reader of a connection, in chunks: nothing is parsed while a request waits. */
  #readInPieces(socket: Socket): void {
    const [parse] = socket.listeners("data");
    if (parse === undefined) return;
    socket.off("data", parse as (bytes: Buffer) => void);
    socket.on("data", (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
        parse.call(socket, bytes.subarray(from, from + PIECE_BYTES));
        // After CONNECT the connection no longer belongs to the parser.
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

  /** Whether a completely received request is under way: the client is neither idle nor still sending. */
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
      const taken = sentBytes(response);
      if (isUnread(response) && taken - before < MIN_READ_BYTES) response.destroy();
      else this.#slow.set(response, taken);
    }
  }
}

function isUnread({ socket }: http.ServerResponse): boolean {
  return socket !== null && socket.writableLength > 0;
}

/** Bytes of a connection that the operating system has accepted. */
function sentBytes({ socket }: http.ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
