/** A socket of TCP as peers have it. */
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";
import type { Connection } from "../peers/connection.ts";

/** Of one read: most messages fit, and a hundred connections that wait take little. */
const READ_BYTES = 16 * 1024;

export class TcpConnection implements Connection {
  readonly remote: PeerAddress;
  readonly #socket: Socket;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamBYOBReader;
  readonly #stop = new AbortController();
  readonly #piped: Promise<void>;
  #isClosed = false;

  /** @param socket which is open, and which nobody else reads or writes */
  constructor(socket: Socket, remote: PeerAddress) {
    this.remote = remote;
    this.#socket = socket;
    this.#reader = socket.readable.getReader({ mode: "byob" });
    // A socket that is closed waits for what is being written, which may be for ever: the other end need not read. One whose writing is
    // aborted is never closed at all. Only a pipe into it can be taken away.
    const { readable, writable } = new IdentityTransformStream();
    this.#writer = writable.getWriter();
    this.#piped = readable
      .pipeTo(socket.writable, { signal: this.#stop.signal, preventAbort: true, preventClose: true })
      .catch(() => {});
    // That it broke is told to whoever reads or writes.
    for (const over of [this.#writer.closed, this.#reader.closed, socket.closed]) over.catch(() => {});
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

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) throw new Error("the connection is closed");
    await this.#writer.write(bytes);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop.abort();
    void this.#piped.then(() => this.#socket.close()).catch(() => {});
  }
}
