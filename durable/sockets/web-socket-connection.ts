/**
 * A WebSocket as peers have it: binary messages are pieces of the same bytes that go over TCP. Nothing below keeps the other end from
 * sending, so whoever reads says how far it has read, as a text: the number of bytes since the beginning. The other end sends no more than
 * a window beyond that.
 */
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";
import type { Connection } from "../peers/connection.ts";

/** What may be under way, or wait to be read: 100 connections that nobody reads take a fifth of an isolate. */
export const WINDOW_BYTES = 256 * 1024;
/** Of a message. */
const PIECE_BYTES = 64 * 1024;
/** After so much the other end is told of it. */
const TELL_BYTES = WINDOW_BYTES / 4;

/** Why this end has closed. @source RFC 6455, 7.4.1 */
const closeCode = { normal: 1000, brokeRules: 1008 } as const;

/** Messages that wait are kept one behind the other in pieces of this size: a small one by itself would take a hundred times its own. */
const GATHERED_BYTES = 16 * 1024;

/** The part of a WebSocket that is used; it is accepted. */
export interface MessageSocket {
  send(message: ArrayBuffer | ArrayBufferView | string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listen: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close" | "error", listen: () => void): void;
}

export class WebSocketConnection implements Connection {
  readonly remote: PeerAddress;
  /** Resolves when it is over, whoever has closed it. */
  readonly closed: Promise<void>;
  readonly #socket: MessageSocket;
  #resolveClosed: () => void = () => {};
  #isClosed = false;
  readonly #unread: { bytes: Uint8Array; used: number }[] = [];
  #unreadBytes = 0;
  #readBytes = 0;
  #toldBytes = 0;
  #sentBytes = 0;
  #acknowledgedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Those that wait for something to read, or for room. */
  #waiting: (() => void)[] = [];

  constructor(socket: MessageSocket, remote: PeerAddress) {
    this.remote = remote;
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    socket.addEventListener("message", ({ data }) => this.#received(data));
    socket.addEventListener("close", () => this.#end(closeCode.normal));
    socket.addEventListener("error", () => this.#end(closeCode.normal));
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#unread.shift();
      if (piece === undefined) {
        if (this.#isClosed) return;
        await this.#change();
        continue;
      }
      yield piece.bytes.subarray(0, piece.used);
      // Whoever asks for the next piece is done with this one.
      this.#unreadBytes -= piece.used;
      this.#readBytes += piece.used;
      if (this.#readBytes - this.#toldBytes >= TELL_BYTES) this.#tell();
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    const written = this.#writing.then(() => this.#send(bytes));
    this.#writing = written.catch(() => {});
    return written;
  }

  close(): void {
    this.#end(closeCode.normal);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      while (!this.#isClosed && this.#sentBytes - this.#acknowledgedBytes >= WINDOW_BYTES - PIECE_BYTES) {
        await this.#change();
      }
      if (this.#isClosed) throw new Error("the connection is closed");
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      this.#socket.send(piece);
      this.#sentBytes += piece.length;
    }
  }

  #tell(): void {
    if (this.#isClosed) return;
    this.#toldBytes = this.#readBytes;
    this.#socket.send(String(this.#readBytes));
  }

  #received(message: unknown): void {
    if (this.#isClosed) return;
    if (message instanceof ArrayBuffer) {
      this.#unreadBytes += message.byteLength;
      if (this.#unreadBytes > WINDOW_BYTES) {
        this.#end(closeCode.brokeRules);
        return;
      }
      this.#keep(new Uint8Array(message));
    } else {
      const acknowledged = typeof message === "string" && /^\d{1,16}$/.test(message) ? Number(message) : -1;
      if (acknowledged < this.#acknowledgedBytes || acknowledged > this.#sentBytes) {
        this.#end(closeCode.brokeRules);
        return;
      }
      this.#acknowledgedBytes = acknowledged;
    }
    this.#wake();
  }

  #keep(message: Uint8Array): void {
    let last = this.#unread.at(-1);
    for (let from = 0; from < message.length; ) {
      if (last === undefined || last.used === last.bytes.length) {
        last = { bytes: new Uint8Array(GATHERED_BYTES), used: 0 };
        this.#unread.push(last);
      }
      const part = message.subarray(from, from + last.bytes.length - last.used);
      last.bytes.set(part, last.used);
      last.used += part.length;
      from += part.length;
    }
  }

  /** @param code what the other end is told */
  #end(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#socket.close(code);
    } catch {
      // It was closed by the other end, or never opened.
    }
    this.#resolveClosed();
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
