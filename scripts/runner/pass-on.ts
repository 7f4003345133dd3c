/** One request of a client on its way through the runtime, and its answer on the way back. */
import type http from "node:http";
import type { AnswerHead } from "./answer-reader.ts";
import type { JoinedPosts, JoiningPost } from "./joined-posts.ts";
import type { Asked, KeptAnswer, KeptAnswers } from "./kept-answers.ts";
import type { RequestHead } from "./request-head.ts";
import type { RuntimeConnection, RuntimeConnections, RuntimeRequest } from "./runtime-connections.ts";

/** How long a client whose body nobody wants may go on to send it. */
const LINGER_MS = 1_000;
/** So much of a body is taken in before there is a connection for it; the rest waits with its client. As much may be sent again. */
const MAX_EARLY_BYTES = 65_536;
/** Up to here a body goes out as a string: Node then writes it together with the headers. */
const MAX_STRING_BYTES = 16_384;
/** A longer answer is not looked at for what it says against a request. */
const MAX_REFUSAL_BYTES = 1_048_576;

export interface Passage {
  readonly head: RequestHead;
  /** How long its body may be. */
  readonly maxSizeBytes: number;
  /** For what comes of bodies before there are connections for them. */
  readonly room: EarlyRoom;
  readonly asked: Asked;
  readonly answers: KeptAnswers;
  readonly connections: RuntimeConnections;
  /** With whom it may go, once its body is there; undefined: alone. */
  readonly joined?: JoinedPosts | undefined;
  /** The runtime did not answer. */
  readonly onFailed: () => void;
  /** Is given the body of an answer that refuses the request, where it is short. */
  readonly onRefused?: ((body: string) => void) | undefined;
}

/** What bodies that wait for connections take of the memory, all together. */
export class EarlyRoom {
  #leftBytes: number;

  constructor(sizeBytes: number) {
    this.#leftBytes = sizeBytes;
  }

  get isFull(): boolean {
    return this.#leftBytes <= 0;
  }

  take(sizeBytes: number): void {
    this.#leftBytes -= sizeBytes;
  }
}

export function passOn(request: http.IncomingMessage, response: http.ServerResponse, passage: Passage): void {
  const passing = new Passing(request, response, passage);
  response.once("close", () => passing.giveUp());
  passing.begin();
}

/** Gives a client an answer that is complete. */
export function give(response: http.ServerResponse, { status, reason, headers, body }: KeptAnswer): void {
  response.writeHead(status, reason, headers).end(body, "latin1");
}

const nothing = Buffer.alloc(0);

/** A string holds one byte in each character. */
type Bytes = KeptAnswer["body"];

/** A copy, as Node writes it best. */
function written(bytes: Buffer): Bytes {
  return bytes.length > MAX_STRING_BYTES ? Buffer.from(bytes) : bytes.toString("latin1");
}

function joined(parts: readonly [...Bytes[], Bytes]): Bytes {
  if (parts.length === 1) return parts[0];
  const buffers = parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part));
  return written(Buffer.concat(buffers));
}

/** Its length is told anew where the body goes with others. */
const lengthLine = /^content-length:[^\r]*\r\n/im;

class Passing implements RuntimeRequest, JoiningPost {
  readonly method: string;
  readonly head: string;
  readonly hasBody: boolean;
  readonly #request: http.IncomingMessage;
  readonly #response: http.ServerResponse;
  readonly #passage: Passage;
  #connection: RuntimeConnection | undefined;
  #isOver = false;
  /** Of the body. */
  #arrivedBytes = 0;
  #hasAll: boolean;
  /** Waits for its body, to go with others. */
  #isJoining = false;
  #commonHead: string | undefined;
  /** What has come of it while there was no connection. */
  #early: Buffer[] = [];
  #earlyBytes = 0;
  /** What was sent of it into a connection that the runtime may be closing; undefined: it cannot be sent again. */
  #sent: Buffer[] | undefined = [];
  #sentBytes = 0;
  /** The client reads slower than the runtime answers. */
  #isHeldBack = false;
  #answerHead: AnswerHead | undefined;
  /** Takes the answer for others, and what came of its body before the last part. */
  #keep: ((answer: KeptAnswer) => void) | undefined;
  readonly #parts: Bytes[] = [];
  /** The whole body, or what completes it. */
  #last: Bytes = "";

  constructor(request: http.IncomingMessage, response: http.ServerResponse, passage: Passage) {
    const { text, isChunked, hasBody } = passage.head;
    this.method = request.method as string;
    this.head = isChunked ? `${text}Transfer-Encoding: chunked\r\n\r\n` : `${text}\r\n`;
    this.hasBody = hasBody;
    this.#request = request;
    this.#response = response;
    this.#passage = passage;
    this.#hasAll = !hasBody;
    this.#isJoining = passage.joined !== undefined && hasBody && !this.#isTooLong;
    if (hasBody && !this.#isTooLong) this.#takeBody();
  }

  begin(): void {
    if (!this.#isJoining) this.connections.ask(this);
  }

  get connections(): RuntimeConnections {
    return this.#passage.connections;
  }

  get commonHead(): string {
    this.#commonHead ??= this.#passage.head.text.replace(lengthLine, "");
    return this.#commonHead;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  takeBody(): Buffer {
    this.#isJoining = false;
    return this.#takeEarly() ?? nothing;
  }

  goAlone(): void {
    this.#isJoining = false;
    this.connections.ask(this);
  }

  get isArriving(): boolean {
    return !this.#hasAll && !this.#isTooLong;
  }

  /** By what it says itself: then the runtime answers the head alone. */
  get #isTooLong(): boolean {
    return this.#passage.head.sizeBytes > this.#passage.maxSizeBytes;
  }

  /** The client is gone, or has its answer. */
  giveUp(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#takeEarly();
    this.#forgetSent();
    this.#passage.joined?.left(this);
    if (this.#connection === undefined) this.connections.giveUp(this);
    else this.#connection.drop();
  }

  onConnected(connection: RuntimeConnection): void {
    this.#connection = connection;
    if (!connection.isKept) this.#forgetSent();
    if (!this.hasBody) return;
    if (this.#isTooLong) {
      connection.sendHead();
      return;
    }
    const early = this.#takeEarly();
    if (early !== undefined) {
      this.#request.resume();
      this.#send(early, connection);
    }
    if (this.#hasAll) connection.endBody(this.#passage.head.isChunked);
  }

  #takeBody(): void {
    const request = this.#request;
    request.on("data", (bytes: Buffer) => {
      // What comes for a request that is over is for nobody: the connection may have another one.
      if (this.#isOver || this.#answerHead !== undefined) return;
      this.#arrivedBytes += bytes.length;
      if (this.#connection === undefined) this.#keepEarly(bytes);
      else this.#send(bytes, this.#connection);
    });
    request.once("end", () => {
      this.#hasAll = true;
      if (this.#isOver) return;
      if (this.#isJoining) {
        this.#passage.joined?.add(this);
        return;
      }
      this.#connection?.endBody(this.#passage.head.isChunked);
      this.connections.arrived(this, this.#connection);
    });
  }

  #keepEarly(bytes: Buffer): void {
    const { room } = this.#passage;
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
    room.take(bytes.length);
    if (this.#earlyBytes < MAX_EARLY_BYTES && !room.isFull) return;
    this.#request.pause();
    if (!this.#isJoining) return;
    // There is no room to wait for the rest here.
    this.goAlone();
  }

  #takeEarly(): Buffer | undefined {
    const [first, ...others] = this.#early;
    this.#early = [];
    this.#passage.room.take(-this.#earlyBytes);
    this.#earlyBytes = 0;
    return first === undefined || others.length === 0 ? first : Buffer.concat([first, ...others]);
  }

  /**
   * Of a body that turns out to be over the limit no more is sent than shows it: the runtime answers without reading on and
   * closes, and what is written to it then takes its answer away.
   */
  #send(bytes: Buffer, connection: RuntimeConnection): void {
    const { maxSizeBytes, head } = this.#passage;
    const request = this.#request;
    this.#keepSent(bytes);
    const isTaken = connection.write(bytes, head.isChunked);
    if (this.#arrivedBytes > maxSizeBytes) request.pause();
    else if (!isTaken) {
      request.pause();
      connection.onceDrained(() => this.#answerHead === undefined && request.resume());
    }
  }

  #keepSent(bytes: Buffer): void {
    if (this.#sent === undefined) return;
    const { room } = this.#passage;
    if (this.#sentBytes + bytes.length > MAX_EARLY_BYTES || room.isFull) {
      this.#forgetSent();
      return;
    }
    this.#sent.push(bytes);
    this.#sentBytes += bytes.length;
    room.take(bytes.length);
  }

  #forgetSent(): void {
    this.#sent = undefined;
    this.#passage.room.take(-this.#sentBytes);
    this.#sentBytes = 0;
  }

  onUnread(): void {
    const sent = this.#sent;
    if (sent === undefined) {
      this.onFailed();
      return;
    }
    this.#early = [...sent, ...this.#early];
    this.#earlyBytes += this.#sentBytes;
    this.#sent = [];
    this.#sentBytes = 0;
    this.#connection = undefined;
    this.connections.ask(this);
  }

  onHead(head: AnswerHead): void {
    const { asked, answers } = this.#passage;
    this.#forgetSent();
    this.#answerHead = head;
    this.#keep = answers.seeHead(asked, head) ?? this.#refusal(head);
    const response = this.#response;
    if (!this.#request.complete) {
      this.#request.pause();
      // What is left of the body is not passed on: after it no other request could be found.
      response.shouldKeepAlive = false;
    }
    response.writeHead(head.status, head.reason, head.headers);
  }

  /** An answer that refuses a request is never kept. */
  #refusal({ status, sizeBytes = 0 }: AnswerHead): ((answer: KeptAnswer) => void) | undefined {
    const { onRefused } = this.#passage;
    if (onRefused === undefined || status < 400 || sizeBytes > MAX_REFUSAL_BYTES) return undefined;
    return ({ body }) => onRefused((typeof body === "string" ? Buffer.from(body, "latin1") : body).toString("utf8"));
  }

  onBody(bytes: Buffer, isAll: boolean): void {
    const part = written(bytes);
    if (isAll) {
      this.#last = part;
      return;
    }
    if (this.#keep !== undefined) this.#parts.push(part);
    if (this.#response.write(part, "latin1") || this.#isHeldBack) return;
    const connection = this.#connection as RuntimeConnection;
    this.#isHeldBack = true;
    connection.pause();
    this.#response.once("drain", () => {
      this.#isHeldBack = false;
      connection.resume();
    });
  }

  onEnd(): void {
    this.#isOver = true;
    this.#passage.joined?.left(this);
    if (this.#keep !== undefined) {
      const { status, reason, headers } = this.#answerHead as AnswerHead;
      this.#keep({ status, reason, headers, body: joined([...this.#parts, this.#last]) });
    }
    endAfterBody(this.#request, this.#response, this.#last);
  }

  onFailed(): void {
    this.#isOver = true;
    this.#takeEarly();
    this.#forgetSent();
    this.#passage.joined?.left(this);
    this.#passage.onFailed();
  }
}

/** A connection that is closed on a client that still writes may take the answer away: such a client gets a moment more. */
function endAfterBody(request: http.IncomingMessage, response: http.ServerResponse, last: Bytes): void {
  if (request.complete) {
    response.end(last, "latin1");
    return;
  }
  response.write(last, "latin1");
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once("close", () => {
    clearTimeout(timer);
    response.end();
  });
  request.removeAllListeners("data").resume();
}
