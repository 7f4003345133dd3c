/**
 * Answers in HTTP/1.1, read from the bytes of a connection. Only what the local runtime may say is taken; whatever else comes
 * is an error, after which nothing on the connection can be believed.
 * @source RFC 9112, 4 to 7
 */
import { isOfConnection } from "./request-head.ts";

export interface AnswerHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turns, without those that are about the connection. */
  readonly headers: string[];
  /** Of the body; undefined where only its end shows it. */
  readonly sizeBytes: number | undefined;
  /** The connection takes no other request. */
  readonly isLast: boolean;
}

/** Is told of an answer in the order of its bytes. */
export interface AnswerSink {
  onHead(head: AnswerHead): void;
  /**
   * @param bytes only for the time of the call: others will come into their place
   * @param isAll with these bytes a body whose size was told is complete: the end follows at once
   */
  onBody(bytes: Buffer, isAll: boolean): void;
  onEnd(): void;
}

/** What came is no answer, or stands where none was asked for. */
export class MalformedAnswer extends Error {}

/** Status line and headers together; the size line of a piece. */
const MAX_HEAD_BYTES = 65_536;
const MAX_LINE_BYTES = 1_024;

const nothing = Buffer.alloc(0);

type State = "idle" | "head" | "counted" | "pieceSize" | "piece" | "pieceEnd" | "trailer" | "untilClose";

export class AnswerReader {
  readonly #sink: AnswerSink;
  #state: State = "idle";
  #isBodiless = false;
  #hasEnded = false;
  /** Came, and could not be read without what follows. */
  #rest: Buffer = nothing;
  #leftBytes = 0;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** An answer is expected. @param method that it answers */
  begin(method: string): void {
    this.#state = "head";
    this.#isBodiless = method === "HEAD";
  }

  /**
   * The end is told last, and only where nothing stands behind it.
   * @param bytes are not looked at after the call
   * @throws MalformedAnswer
   */
  read(bytes: Buffer): void {
    let unread = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = nothing;
    while (unread.length > 0) {
      const readBytes = this.#readPart(unread);
      if (readBytes === 0) {
        this.#rest = Buffer.from(unread);
        return;
      }
      unread = unread.subarray(readBytes);
    }
    if (!this.#hasEnded) return;
    this.#hasEnded = false;
    this.#sink.onEnd();
  }

  /** The other side has closed the connection. @throws MalformedAnswer when that is not how the answer ends */
  finish(): void {
    if (this.#state !== "untilClose") throw new MalformedAnswer("the connection was closed within an answer");
    this.#state = "idle";
    this.#sink.onEnd();
  }

  /** @returns how many bytes were read; 0: more are needed */
  #readPart(bytes: Buffer): number {
    switch (this.#state) {
      case "idle":
        throw new MalformedAnswer("bytes that nobody asked for");
      case "head":
        return this.#readHead(bytes);
      case "counted":
      case "piece":
        return this.#readCounted(bytes);
      case "untilClose":
        this.#sink.onBody(bytes, false);
        return bytes.length;
      case "pieceSize":
        return this.#readLine(bytes, (line) => this.#beginPiece(line));
      case "pieceEnd":
        return this.#readLine(bytes, (line) => {
          if (line !== "") throw new MalformedAnswer("a piece is longer than it says");
          this.#state = "pieceSize";
        });
      case "trailer":
        return this.#readLine(bytes, (line) => line === "" && this.#end());
    }
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 ? bytes.length > MAX_HEAD_BYTES : end > MAX_HEAD_BYTES) throw new MalformedAnswer("a head without end");
    if (end < 0) return 0;
    const head = parseHead(bytes.toString("latin1", 0, end), this.#isBodiless);
    // An interim answer: the one that counts follows (RFC 9110, 15.2).
    if (head.status < 200) return end + 4;
    this.#leftBytes = head.sizeBytes ?? 0;
    this.#state = head.sizeBytes !== undefined ? "counted" : head.isChunked ? "pieceSize" : "untilClose";
    this.#sink.onHead(head);
    if (head.sizeBytes === 0) this.#end();
    return end + 4;
  }

  #readCounted(bytes: Buffer): number {
    const isInPieces = this.#state === "piece";
    const part = bytes.length > this.#leftBytes ? bytes.subarray(0, this.#leftBytes) : bytes;
    this.#leftBytes -= part.length;
    const isComplete = this.#leftBytes === 0;
    this.#sink.onBody(part, isComplete && !isInPieces);
    if (isComplete && isInPieces) this.#state = "pieceEnd";
    else if (isComplete) this.#end();
    return part.length;
  }

  #readLine(bytes: Buffer, take: (line: string) => unknown): number {
    const end = bytes.indexOf("\r\n");
    if (end < 0 ? bytes.length > MAX_LINE_BYTES : end > MAX_LINE_BYTES) throw new MalformedAnswer("a line without end");
    if (end < 0) return 0;
    take(bytes.toString("latin1", 0, end));
    return end + 2;
  }

  #beginPiece(line: string): void {
    const size = /^([0-9a-f]{1,12})[\t ]*(;.*)?$/i.exec(line)?.[1];
    if (size === undefined) throw new MalformedAnswer(`'${line}' is no size of a piece`);
    this.#leftBytes = Number.parseInt(size, 16);
    this.#state = this.#leftBytes === 0 ? "trailer" : "piece";
  }

  #end(): void {
    this.#state = "idle";
    this.#hasEnded = true;
  }
}

function parseHead(text: string, isBodiless: boolean): AnswerHead & { readonly isChunked: boolean } {
  const lines = text.split("\r\n");
  const [, version, code, reason = ""] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: (.*))?$/.exec(lines[0] as string) ?? [];
  if (code === undefined) throw new MalformedAnswer(`'${lines[0]}' is no status line`);
  const status = Number(code);
  if (status === 101) throw new MalformedAnswer("a change of protocols that nobody asked for");
  const headers: string[] = [];
  let sizeBytes: number | undefined;
  let isChunked = false;
  let isLast = version === "0";
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] as string;
    const colon = line.indexOf(":");
    if (colon <= 0) throw new MalformedAnswer(`'${line}' is no header`);
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    const lowerName = name.toLowerCase();
    if (lowerName === "content-length") sizeBytes = parseSize(value, sizeBytes);
    else if (lowerName === "transfer-encoding") isChunked = parseCoding(value);
    else if (lowerName === "connection") isLast ||= /\bclose\b/i.test(value);
    if (!isOfConnection(lowerName)) headers.push(name, value);
  }
  if (isChunked && sizeBytes !== undefined) throw new MalformedAnswer("two ways of telling a body's end");
  if (isBodiless || status === 204 || status === 304)
    return { status, reason, headers, sizeBytes: 0, isLast, isChunked };
  isLast ||= sizeBytes === undefined && !isChunked;
  return { status, reason, headers, sizeBytes, isLast, isChunked };
}

function parseSize(value: string, earlier: number | undefined): number {
  const size = /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (size === undefined || (earlier !== undefined && earlier !== size)) {
    throw new MalformedAnswer(`'${value}' is no length of a body`);
  }
  return size;
}

function parseCoding(value: string): true {
  if (value.toLowerCase() !== "chunked") throw new MalformedAnswer(`transfer coding '${value}' was not asked for`);
  return true;
}
