/**
 * WebSocket as a peer connection: binary messages are chunks of the bytes that TCP carries. WebSockets have no back
 * pressure here, so the reader sends the number of bytes read since the beginning, as a text message. The sender stays
 * within a window beyond that.
 */
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import type { Connection } from "../connection.ts";

/** Bytes in flight or unread: 100 unread connections take a fifth of an isolate. */
export const WINDOW_BYTES = 256 * 1024;
/** Size of a message. */
const CHUNK_BYTES = 64 * 1024;
/** Number of bytes read after which the other end is notified. */
const REPORT_BYTES = WINDOW_BYTES / 4;

/** Close codes of this end. @source RFC 6455, 7.4.1 */
const closeCode = { normal: 1000, brokeRules: 1008 } as const;

/**
 * Unread messages are gathered in buffers of this size: a small message by itself would take a hundred times its own
 * size.
 */
const GATHERED_BYTES = 16 * 1024;

/** Part of an accepted WebSocket that is used. */
export interface MessageSocket {
  send(message: ArrayBuffer | ArrayBufferView | string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listen: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close" | "error", listen: () => void): void;
}

export class WebSocketConnection implements Connection {
  readonly remote: PeerAddress;
  /** Resolves when the connection is closed by either end. */
  readonly closed: Promise<void>;
  readonly #socket: MessageSocket;
  #resolveClosed: () => void = () => {};
  #isClosed = false;
  readonly #unread: { bytes: Uint8Array; used: number }[] = [];
  #unreadBytes = 0;
  #readBytes = 0;
  #reportedBytes = 0;
  #sentBytes = 0;
  #acknowledgedBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  /** Waiting for bytes to read, or for room. */
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
      const chunk = this.#unread.shift();
      if (chunk === undefined) {
        if (this.#isClosed) return;
        await this.#change();
        continue;
      }
      yield chunk.bytes.subarray(0, chunk.used);
      // The caller is done with a chunk when it requests the next one.
      this.#unreadBytes -= chunk.used;
      this.#readBytes += chunk.used;
      if (this.#readBytes - this.#reportedBytes >= REPORT_BYTES) this.#reportRead();
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
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      while (!this.#isClosed && this.#sentBytes - this.#acknowledgedBytes >= WINDOW_BYTES - CHUNK_BYTES) {
        await this.#change();
      }
      if (this.#isClosed) throw new Error("the connection is closed");
      const chunk = bytes.subarray(from, from + CHUNK_BYTES);
      this.#socket.send(chunk);
      this.#sentBytes += chunk.length;
    }
  }

  #reportRead(): void {
    if (this.#isClosed) return;
    this.#reportedBytes = this.#readBytes;
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
      this.#buffer(new Uint8Array(message));
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

  #buffer(message: Uint8Array): void {
    let last = this.#unread.at(-1);
    for (let from = 0; from < message.length; ) {
      if (last === undefined || last.used === last.bytes.length) {
        last = { bytes: new Uint8Array(GATHERED_BYTES), used: 0 };
        this.#unread.push(last);
      }
      const slice = message.subarray(from, from + last.bytes.length - last.used);
      last.bytes.set(slice, last.used);
      last.used += slice.length;
      from += slice.length;
    }
  }

  /** @param code close code for the other end */
  #end(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#socket.close(code);
    } catch {
      // The socket was closed by the other end, or never opened.
    }
    this.#resolveClosed();
    this.#wake();
  }

  #change(): Promise<void> {
    return new Promise((wake) => this.#waiting.push(wake));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
