/** TCP socket as a peer connection. */
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import type { Connection } from "../connection.ts";

/** Size of a read: most messages fit, and a hundred waiting connections take little. */
const READ_BYTES = 16 * 1024;
const CLOSED = "the connection is closed";

export class TcpConnection implements Connection {
  readonly remote: PeerAddress;
  readonly #socket: Socket;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamBYOBReader;
  readonly #stop = new AbortController();
  readonly #piped: Promise<void>;
  /** Rejections of writes that are under way: the runtime forgets them where the other end is gone. */
  readonly #writes = new Set<(error: Error) => void>();
  #isOver = false;
  #isClosed = false;

  /** @param socket open, and used by this connection alone */
  constructor(socket: Socket, remote: PeerAddress) {
    this.remote = remote;
    this.#socket = socket;
    this.#reader = socket.readable.getReader({ mode: "byob" });
    // Closing a socket waits for pending writes, possibly for ever, since the other end need not read. Aborting the
    // writer means that the socket is never closed. Only a pipe into it can be cancelled.
    const { readable, writable } = new IdentityTransformStream();
    this.#writer = writable.getWriter();
    this.#piped = readable
      .pipeTo(socket.writable, { signal: this.#stop.signal, preventAbort: true, preventClose: true })
      .catch(() => {});
    void this.#piped.then(() => this.#refuseWrites());
    // A broken connection is reported to its reader or writer.
    for (const over of [this.#writer.closed, this.#reader.closed, socket.closed]) over.catch(() => {});
  }

  get incoming(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    while (!this.#isClosed) {
      const chunk = await this.#reader.read(new Uint8Array(READ_BYTES)).catch(() => undefined);
      if (chunk === undefined || chunk.done) return;
      yield chunk.value;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || this.#isOver) throw new Error(CLOSED);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#writes.add(reject);
    this.#writer.write(bytes).then(resolve, reject);
    try {
      await promise;
    } finally {
      this.#writes.delete(reject);
    }
  }

  #refuseWrites(): void {
    this.#isOver = true;
    for (const reject of this.#writes) reject(new Error(CLOSED));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop.abort();
    void this.#piped.then(() => this.#socket.close()).catch(() => {});
  }
}
