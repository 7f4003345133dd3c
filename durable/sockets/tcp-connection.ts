/** A socket of TCP as peers have it. */
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";
import type { Connection } from "../peers/connection.ts";

/** Of one read: most messages fit, and a hundred connections that wait take little. */
const READ_BYTES = 16 * 1024;

/** The part of a socket that is used. */
export type StreamPair = Pick<Socket, "readable" | "writable" | "close">;

export class TcpConnection implements Connection {
  readonly remote: PeerAddress;
  readonly #socket: StreamPair;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamBYOBReader;
  #isClosed = false;

  /** @param socket which is open, and which nobody else reads or writes */
  constructor(socket: StreamPair, remote: PeerAddress) {
    this.remote = remote;
    this.#socket = socket;
    this.#writer = socket.writable.getWriter();
    this.#reader = socket.readable.getReader({ mode: "byob" });
    // A connection that breaks is told to whoever reads or writes.
    this.#writer.closed.catch(() => {});
    this.#reader.closed.catch(() => {});
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    while (!this.#isClosed) {
      const piece = await this.#reader.read(new Uint8Array(READ_BYTES)).catch(() => undefined);
      if (piece === undefined || piece.done) return;
      yield piece.value;
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#writer.write(bytes);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What waits to be written may wait for ever, since the other end need not read.
    void this.#writer.abort().catch(() => {});
    void this.#reader.cancel().catch(() => {});
    void this.#socket.close().catch(() => {});
  }
}
