/** Bounds of clients' connections: how many, one request at a time, and how slowly a response may be read. */
import type http from "node:http";
import type { Socket } from "node:net";
import { SubscriberCounts } from "../../src/network/subscriber-counts.ts";
import { oldestOfHeaviest, subscriberAt } from "./client-subscriber.ts";

/** Connections of all clients; further ones are closed at once. As in the reference. */
export const MAX_CONNECTIONS = 1_024;
/** Connections of one subscriber: none has half of all, nor has a network around it. */
const MAX_OF_SUBSCRIBER = 256;
/** Requests of one connection that wait for the response to the one before. */
const MAX_WAITING = 256;
/** Responses that wait for their readers: others have the other half of the places in the runtime. */
const MAX_SLOW = 64;
const SLOW_CHECK_MS = 20_000;
/** A reader that takes less between two checks is disconnected. */
const MIN_READ_BYTES = 65_536;

export class ClientConnections {
  readonly #counts = new SubscriberCounts(MAX_OF_SUBSCRIBER);
  readonly #waiting = new WeakMap<Socket, (() => void)[]>();
  /** Responses that wait for their readers, by how many bytes those had taken at the last check. */
  readonly #slow = new Map<http.ServerResponse, number>();
  readonly #timer = setInterval(() => this.#checkSlow(), SLOW_CHECK_MS).unref();

  /** A new connection; it is closed where its subscriber has too many. */
  add(socket: Socket): void {
    const subscriber = subscriberAt(socket.remoteAddress);
    if (this.#counts.isFull(subscriber)) {
      socket.destroy();
      return;
    }
    this.#counts.add(subscriber);
    socket.once("close", () => this.#counts.remove(subscriber));
  }

  /** Begins with a request once the responses to those before it on its connection are out; until then no more is read. */
  inTurn(socket: Socket, response: http.ServerResponse, begin: () => void): void {
    const waiting = this.#waiting.get(socket) ?? [];
    this.#waiting.set(socket, waiting);
    waiting.push(begin);
    response.once("close", () => {
      waiting.shift();
      // After a last response nothing else is begun.
      if (!socket.writable) return;
      if (waiting.length <= 1 && socket.isPaused()) socket.resume();
      waiting[0]?.();
    });
    if (waiting.length > MAX_WAITING + 1) socket.destroy();
    else if (waiting.length > 1) socket.pause();
    else begin();
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
