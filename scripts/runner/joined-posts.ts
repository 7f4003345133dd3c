/**
 * Hands over to the runtime together what clients post at the same time to one path. What comes while such a request is under
 * way waits for its end and goes with the next one; who is alone waits for nobody.
 */
import { STATUS_CODES } from "node:http";
import { joinedHeader, joinedValue, MAX_JOINED } from "../../src/http/joined-posts.ts";
import { type AnswerHead, AnswerReader, type AnswerSink, MalformedAnswer } from "./answer-reader.ts";
import type { RuntimeConnection, RuntimeConnections, RuntimeRequest } from "./runtime-connections.ts";

/** A request of a client that may go with others. */
export interface JoiningPost extends AnswerSink {
  /** All that is sent before its body but the body's length and the empty line: only posts with the same head go together. */
  readonly commonHead: string;
  readonly connections: RuntimeConnections;
  /** Its body, which is complete. Called once, where it goes with others. */
  takeBody(): Buffer;
  /** Goes like any other request. */
  goAlone(): void;
  /** Whether nobody wants its answer any more. */
  readonly isOver: boolean;
  /** The runtime did not answer. */
  onFailed(): void;
}

/** After so long nobody waits any more for those that went before: one that runs scripts holds up no others. */
const PATIENCE_MS = 50;
/** Lengths of bodies and of answers in one line. */
const MAX_LINE_BYTES = 64;

export class JoinedPosts {
  readonly #nowMs: () => number;
  /** In the order in which they came. */
  readonly #waiting = new Set<JoiningPost>();
  readonly #underWay = new Set<Crossing | JoiningPost>();
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #isTurnAwaited = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Its body is complete. */
  add(post: JoiningPost): void {
    this.#waiting.add(post);
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    // What else has arrived by now is read first.
    setImmediate(() => {
      this.#isTurnAwaited = false;
      this.#look();
    });
  }

  /** It has its answer, has failed, or nobody wants its answer any more. */
  left(post: JoiningPost): void {
    this.#waiting.delete(post);
    this.#over(post);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #look(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    const waitedMs = this.#nowMs() - this.#sentAtMs;
    if (this.#underWay.size > 0 && waitedMs < PATIENCE_MS) {
      this.#timer = setTimeout(() => this.#look(), PATIENCE_MS - waitedMs);
      return;
    }
    this.#sentAtMs = this.#nowMs();
    while (this.#waiting.size > 0) this.#send();
  }

  /** The first of them, and others with the same head. */
  #send(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { connections, commonHead } = first;
    const atMost = Math.min(MAX_JOINED, Math.max(1, connections.free));
    const posts: JoiningPost[] = [];
    for (const post of this.#waiting) {
      if (posts.length === atMost) break;
      if (post.commonHead === commonHead && post.connections === connections) posts.push(post);
    }
    for (const post of posts) this.#waiting.delete(post);
    if (posts.length === 1) {
      this.#underWay.add(first);
      first.goAlone();
      return;
    }
    const crossing = new Crossing(first, posts, () => this.#over(crossing));
    this.#underWay.add(crossing);
    connections.ask(crossing);
  }

  #over(gone: Crossing | JoiningPost): void {
    if (this.#underWay.delete(gone) && this.#underWay.size === 0) this.#look();
  }
}

/** The request to the runtime that stands for all of them. */
class Crossing implements RuntimeRequest {
  readonly method = "POST";
  readonly head: string;
  readonly hasBody = true;
  readonly isArriving = false;
  readonly count: number;
  readonly #posts: (JoiningPost | undefined)[];
  readonly #body: Buffer;
  readonly #connections: RuntimeConnections;
  readonly #onOver: () => void;
  #answerHead: AnswerHead | undefined;
  /** Came, and could not be read without what follows. */
  #rest: Buffer = Buffer.alloc(0);

  constructor(
    { commonHead, connections }: Pick<JoiningPost, "commonHead" | "connections">,
    posts: readonly JoiningPost[],
    onOver: () => void,
  ) {
    const bodies = posts.map((post) => post.takeBody());
    this.#posts = [...posts];
    this.#body = Buffer.concat(bodies);
    this.#connections = connections;
    this.#onOver = onOver;
    this.count = posts.length;
    const length = `Content-Length: ${this.#body.length}\r\n`;
    this.head = `${commonHead}${joinedHeader}: ${joinedValue(bodies)}\r\n${length}\r\n`;
  }

  onConnected(connection: RuntimeConnection): void {
    connection.write(this.#body, false);
    connection.endBody(false);
  }

  onUnread(): void {
    this.#connections.ask(this);
  }

  onHead(head: AnswerHead): void {
    this.#answerHead = head;
  }

  onBody(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#isJoined) this.#rest = this.#readAnswers(this.#rest);
    // They are there only for the time of the call.
    this.#rest = Buffer.from(this.#rest);
  }

  onEnd(): void {
    if (!this.#isJoined) this.#giveAll();
    this.onFailed();
  }

  /** Whoever has no answer yet is told. */
  onFailed(): void {
    const left = this.#posts.splice(0).filter((post) => post?.isOver === false);
    this.#onOver();
    for (const post of left) post?.onFailed();
  }

  get #isJoined(): boolean {
    return this.#answerHead?.headers.includes(joinedHeader) === true;
  }

  /** @returns what is not a whole answer */
  #readAnswers(bytes: Buffer): Buffer {
    for (let unread = bytes; ; ) {
      const lineEnd = unread.indexOf("\n");
      if (lineEnd < 0 && unread.length > MAX_LINE_BYTES) throw new MalformedAnswer("a line without end");
      if (lineEnd < 0) return unread;
      const [number, size] = unread.toString("latin1", 0, lineEnd).split(" ").map(Number);
      const end = lineEnd + 1 + (size ?? Number.NaN);
      if (number === undefined || !(end > lineEnd)) throw new MalformedAnswer("a line that tells no length");
      if (end > unread.length) return unread;
      this.#give(number, unread.subarray(lineEnd + 1, end));
      unread = unread.subarray(end);
    }
  }

  #give(number: number, answer: Buffer): void {
    const post = this.#posts[number];
    if (post === undefined) throw new MalformedAnswer("an answer that nobody waits for");
    this.#posts[number] = undefined;
    if (post.isOver) return;
    const reader = new AnswerReader({
      onHead: (head) => post.onHead({ ...head, reason: STATUS_CODES[head.status] ?? "" }),
      onBody: (bytes, isAll) => post.onBody(bytes, isAll),
      onEnd: () => post.onEnd(),
    });
    reader.begin(this.method);
    reader.read(answer);
  }

  /** The runtime has not taken them apart: what it says is for each of them. */
  #giveAll(): void {
    const { status, reason, headers } = this.#answerHead as AnswerHead;
    for (const post of this.#posts.splice(0)) {
      if (post === undefined || post.isOver) continue;
      post.onHead({ status, reason, headers: [...headers], sizeBytes: this.#rest.length, isLast: false });
      post.onBody(this.#rest, true);
      post.onEnd();
    }
  }
}
