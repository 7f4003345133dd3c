/**
 * Connections to the local runtime, kept and used again. Node's own client spends twice the time on a request that all of this
 * does (decision 32).
 */
import net from "node:net";
import { type AnswerHead, AnswerReader, type AnswerSink, MalformedAnswer } from "./answer-reader.ts";

/** A request, and who is told of its answer. Of a request one of `onEnd`, `onFailed` and `onUnread` is the last that is told. */
export interface RuntimeRequest extends AnswerSink {
  readonly method: string;
  /** All that is sent before the body, its empty line included, in Latin-1. */
  readonly head: string;
  readonly hasBody: boolean;
  /** Its client has not sent all of its body yet. */
  readonly isArriving: boolean;
  /** How many requests of clients it stands for; by default itself. */
  readonly count?: number;
  /** The request has a connection: it may send its body from now on, or drop both. */
  onConnected(connection: RuntimeConnection): void;
  /** The runtime did not answer, or not to the end. */
  onFailed(): void;
  /** The runtime has closed the connection, which it had kept, without having read the request: it may be asked again. */
  onUnread(): void;
}

export interface ConnectionsOptions {
  readonly hostname: string;
  readonly port: number;
  /** Requests of clients that the runtime has in hand at a time; more wait. Each connection has at least one, or rests. */
  readonly maxRunning: number;
  /** How many of them may be those of requests whose bodies are still arriving. */
  readonly maxArriving: number;
  /** How long a connection may have been silent that is used again: less than the runtime keeps one. */
  readonly idleMs: number;
  readonly nowMs: () => number;
}

export class RuntimeConnections {
  readonly #options: ConnectionsOptions;
  readonly #open = new Set<RuntimeConnection>();
  /** Used last, used again first. */
  readonly #idle: { readonly connection: RuntimeConnection; readonly sinceMs: number }[] = [];
  readonly #waiting = new Set<RuntimeRequest>();
  /** Of requests whose bodies were still arriving when they were sent. */
  readonly #arriving = new Set<RuntimeConnection>();
  /** How many requests of clients a connection has in hand. */
  readonly #counts = new Map<RuntimeConnection, number>();
  #running = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** How many more requests the runtime may have in hand. */
  get free(): number {
    return this.#options.maxRunning - this.#running;
  }

  ask(request: RuntimeRequest): void {
    const connection = this.#maySend(request) ? this.#take() : undefined;
    if (connection === undefined) this.#waiting.add(request);
    else this.#send(request, connection);
  }

  /** The body of a request is complete. @param connection undefined: it has none yet */
  arrived(request: RuntimeRequest, connection: RuntimeConnection | undefined): void {
    if (connection !== undefined) {
      if (this.#arriving.delete(connection)) this.#sendNext();
    } else if (this.#waiting.delete(request)) this.ask(request);
  }

  /** Of a request that has no connection yet: nobody wants its answer any more. */
  giveUp(request: RuntimeRequest): void {
    this.#waiting.delete(request);
  }

  /** Whoever has a request in hand is told that it failed. */
  close(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const connection of this.#open) connection.fail();
    for (const request of waiting) request.onFailed();
  }

  #take(): RuntimeConnection | undefined {
    const earliestMs = this.#options.nowMs() - this.#options.idleMs;
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      if (kept.sinceMs > earliestMs) return kept.connection;
      kept.connection.drop();
    }
    if (this.#open.size >= this.#options.maxRunning) return undefined;
    const { hostname, port } = this.#options;
    const connection = new RuntimeConnection(hostname, port, {
      onFree: () => this.#free(connection),
      onClosed: () => this.#remove(connection),
      // It has done so with all of them, or is about to.
      onUnread: () => this.#dropIdle(),
    });
    this.#open.add(connection);
    return connection;
  }

  #dropIdle(): void {
    for (const { connection } of this.#idle.splice(0)) connection.drop();
  }

  #send(request: RuntimeRequest, connection: RuntimeConnection): void {
    const { count = 1 } = request;
    this.#counts.set(connection, count);
    this.#running += count;
    if (request.isArriving) this.#arriving.add(connection);
    connection.send(request);
  }

  /** It has no request any more. */
  #rest(connection: RuntimeConnection): void {
    this.#arriving.delete(connection);
    this.#running -= this.#counts.get(connection) ?? 0;
    this.#counts.delete(connection);
  }

  #free(connection: RuntimeConnection): void {
    this.#rest(connection);
    const next = this.#nextWaiting();
    if (next === undefined) this.#idle.push({ connection, sinceMs: this.#options.nowMs() });
    else this.#send(next, connection);
    this.#sendNext();
  }

  #remove(connection: RuntimeConnection): void {
    this.#open.delete(connection);
    this.#rest(connection);
    const place = this.#idle.findIndex((kept) => kept.connection === connection);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#sendNext();
  }

  #sendNext(): void {
    while (this.#idle.length > 0 || this.#open.size < this.#options.maxRunning) {
      const next = this.#nextWaiting();
      if (next === undefined) return;
      this.ask(next);
    }
  }

  /** The first of those that may be sent. */
  #nextWaiting(): RuntimeRequest | undefined {
    for (const request of this.#waiting) {
      if (!this.#maySend(request)) continue;
      this.#waiting.delete(request);
      return request;
    }
    return undefined;
  }

  #maySend({ isArriving, count = 1 }: RuntimeRequest): boolean {
    return count <= this.free && (!isArriving || this.#arriving.size < this.#options.maxArriving);
  }
}

interface ConnectionEvents {
  /** It may take another request. */
  readonly onFree: () => void;
  readonly onClosed: () => void;
  /** The runtime has closed it as one that is silent, while a request was on its way. */
  readonly onUnread: () => void;
}

/**
 * What the system says, behind all that has come, of a connection that was closed with bytes in it that nobody had read, or before they came.
 * @source RFC 9293, 3.6.1; RFC 9112, 9.3.1
 */
const unreadCodes: ReadonlySet<string | undefined> = new Set(["ECONNRESET", "EPIPE"]);

/**
 * What any connection has just got, one after another: a buffer for each piece would cost a fifth of all the time that a request
 * takes here.
 */
const arrived = Buffer.allocUnsafeSlow(65_536);

/** One connection: one request at a time. */
export class RuntimeConnection implements AnswerSink {
  readonly #socket: net.Socket;
  readonly #events: ConnectionEvents;
  readonly #reader = new AnswerReader(this);
  #request: RuntimeRequest | undefined;
  #unsentHead: string | undefined;
  #isBodySent = true;
  #isLast = false;
  #isClosed = false;
  /** It has answered before. */
  #isKept = false;
  /** Something of the answer in hand has come. */
  #hasBegun = false;

  constructor(host: string, port: number, events: ConnectionEvents) {
    this.#events = events;
    const onread = { buffer: arrived, callback: (sizeBytes: number) => this.#read(arrived.subarray(0, sizeBytes)) };
    this.#socket = net.connect({ host, port, noDelay: true, onread });
    this.#socket.on("end", () => this.#finish());
    this.#socket.on("error", (error: NodeJS.ErrnoException) => this.#break(error));
    this.#socket.on("close", () => this.fail());
  }

  /** Whether what is sent may come when the runtime is just closing it, as it does with connections that are silent for 5 s. */
  get isKept(): boolean {
    return this.#isKept;
  }

  send(request: RuntimeRequest): void {
    this.#request = request;
    this.#hasBegun = false;
    this.#isBodySent = !request.hasBody;
    this.#isLast = false;
    this.#reader.begin(request.method);
    this.#unsentHead = request.head;
    if (!request.hasBody) this.sendHead();
    request.onConnected(this);
  }

  /** The head goes out, whether a body follows or not. */
  sendHead(): void {
    if (this.#unsentHead !== undefined) this.#socket.write(this.#unsentHead, "latin1");
    this.#unsentHead = undefined;
  }

  /**
   * Sends a piece of the body, behind the head.
   * @param isChunked whether the body tells its end by itself
   * @returns whether more may follow at once; else once it is drained
   */
  write(bytes: Buffer, isChunked: boolean): boolean {
    this.#socket.cork();
    this.sendHead();
    if (isChunked) this.#socket.write(`${bytes.length.toString(16)}\r\n`, "latin1");
    this.#socket.write(bytes);
    if (isChunked) this.#socket.write("\r\n", "latin1");
    this.#socket.uncork();
    return !this.#socket.writableNeedDrain;
  }

  onceDrained(listener: () => void): void {
    this.#socket.once("drain", listener);
  }

  /** The body is complete. @param isChunked as in `write` */
  endBody(isChunked: boolean): void {
    this.sendHead();
    if (isChunked) this.#socket.write("0\r\n\r\n", "latin1");
    this.#isBodySent = true;
  }

  /** Stops reading the answer. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes it; whoever has a request in hand is not told. */
  drop(): void {
    this.#request = undefined;
    this.fail();
  }

  /** Closes it; whoever has a request in hand is told that it failed. */
  fail(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const request = this.#request;
    this.#request = undefined;
    this.#socket.destroy();
    this.#events.onClosed();
    request?.onFailed();
  }

  onHead(head: AnswerHead): void {
    this.#isLast = head.isLast;
    this.#request?.onHead(head);
  }

  onBody(bytes: Buffer, isAll: boolean): void {
    this.#request?.onBody(bytes, isAll);
  }

  onEnd(): void {
    const request = this.#request;
    this.#request = undefined;
    this.#isKept = true;
    request?.onEnd();
    // What was not sent of a body would be taken for the next request.
    if (this.#isLast || !this.#isBodySent) this.fail();
    else if (!this.#isClosed) {
      this.#socket.resume();
      this.#events.onFree();
    }
  }

  /**
   * A runtime that works for long looks at no connection meanwhile, and closes it when it does, if its time is over by then: what has
   * come into it in between is lost unread. That nothing of an answer has come only the end of what there is to be read says: a piece of
   * a body may find the connection closed while the answer to its head lies there.
   */
  #break({ code, syscall }: NodeJS.ErrnoException): void {
    const request = this.#request;
    const isUnread = syscall === "read" && unreadCodes.has(code);
    if (request === undefined || !this.#isKept || this.#hasBegun || !isUnread) {
      this.fail();
      return;
    }
    this.drop();
    this.#events.onUnread();
    request.onUnread();
  }

  #read(bytes: Buffer): true {
    this.#hasBegun = true;
    try {
      this.#reader.read(bytes);
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      this.fail();
    }
    return true;
  }

  #finish(): void {
    try {
      if (this.#request !== undefined) this.#reader.finish();
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
    }
    this.fail();
  }
}
