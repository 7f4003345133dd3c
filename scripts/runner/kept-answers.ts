/**
 * Answers that the door gives again without asking the runtime. Answers that show a state of the chain name it; as long as that
 * state is known to be the newest, the same question has the same answer.
 *
 * What "known" means: the runtime named the state, in an answer to whatever request, and that request was sent less than
 * `VALID_MS` ago. A request sent before a write was answered proves nothing after it: a client that knows the answer of its
 * write is shown nothing older.
 */
import { LRUCache } from "lru-cache";
import { stateHeader } from "../../src/http/state-header.ts";
import type { AnswerHead } from "./answer-reader.ts";

export interface KeptAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turns. */
  readonly headers: string[];
  /** A string holds one byte in each character (Latin-1): Node writes it together with the headers. */
  readonly body: Buffer | string;
}

/** A request on its way to the runtime. */
export interface Asked {
  /** Equal for equal questions; undefined: its answer is not kept. */
  readonly key: string | undefined;
  readonly isWrite: boolean;
  readonly sentAtMs: number;
}

/** How long a state counts as the newest, from when a request was sent whose answer says so. */
const VALID_MS = 100;
/** From then on one request is let through, so that the others never have to wait. */
const RENEWAL_MS = 50;
const MAX_TOTAL_BYTES = 16 * 1_048_576;
const MAX_ANSWER_BYTES = 1_048_576;
/** What a kept answer costs besides its bytes, about. */
const OVERHEAD_BYTES = 512;

const lowerStateHeader = stateHeader.toLowerCase();

export class KeptAnswers {
  readonly #nowMs: () => number;
  /** All of the newest state. */
  readonly #answers = new LRUCache<string, KeptAnswer>({
    maxSize: MAX_TOTAL_BYTES,
    sizeCalculation: ({ body, headers }, key) => {
      return OVERHEAD_BYTES + key.length + body.length + headers.reduce((sum, text) => sum + text.length, 0);
    },
  });
  #newest: string | undefined;
  /** When the request was sent whose answer named the newest state last. */
  #confirmedAtMs = Number.NEGATIVE_INFINITY;
  /** When one was let through to name it again. */
  #renewalAtMs = Number.NEGATIVE_INFINITY;
  /** When the last write was answered. */
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  /** What was asked before says nothing of the runtime that is there now. */
  #forgottenAtMs = Number.NEGATIVE_INFINITY;

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @returns undefined: the runtime is to be asked */
  find(key: string): KeptAnswer | undefined {
    const kept = this.#answers.get(key);
    if (kept === undefined || this.#confirmedAtMs <= this.#writtenAtMs) return undefined;
    const nowMs = this.#nowMs();
    const ageMs = nowMs - this.#confirmedAtMs;
    if (ageMs >= VALID_MS) return undefined;
    if (ageMs < RENEWAL_MS || this.#renewalAtMs > this.#confirmedAtMs) return kept;
    this.#renewalAtMs = nowMs;
    return undefined;
  }

  /** A request goes to the runtime. @param key as in `Asked` */
  ask(method: string, key: string | undefined): Asked {
    const isWrite = method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
    return { key, isWrite, sentAtMs: this.#nowMs() };
  }

  /**
   * The runtime has begun to answer; the client has not heard of it yet.
   * @param head from its headers those that are only for the door are taken out
   * @returns takes the answer once it is complete; undefined: it is not to be kept
   */
  seeHead(asked: Asked, head: SeenHead): ((answer: KeptAnswer) => void) | undefined {
    const state = takeState(head.headers);
    // A write whose answer names the state that it left needs no more: what is older is then no longer the newest.
    if (asked.isWrite && state === undefined) this.#writtenAtMs = this.#nowMs();
    if (state === undefined || asked.sentAtMs <= this.#forgottenAtMs) return undefined;
    this.#seeState(state, asked.sentAtMs);
    const { key } = asked;
    if (key === undefined || this.#newest !== state || !mayBeKept(head)) return undefined;
    return (answer) => {
      if (this.#newest === state) this.#answers.set(key, answer);
    };
  }

  /** The runtime that was asked may be gone. */
  forget(): void {
    this.#answers.clear();
    this.#newest = undefined;
    this.#confirmedAtMs = Number.NEGATIVE_INFINITY;
    this.#forgottenAtMs = this.#nowMs();
  }

  #seeState(state: string, sentAtMs: number): void {
    if (state === this.#newest) {
      this.#confirmedAtMs = Math.max(this.#confirmedAtMs, sentAtMs);
    } else if (this.#newest === undefined || isNewer(state, this.#newest)) {
      this.#newest = state;
      this.#confirmedAtMs = sentAtMs;
      this.#answers.clear();
    }
  }
}

/** What of an answer's head decides. */
type SeenHead = Pick<AnswerHead, "status" | "headers" | "sizeBytes">;

/** @returns what names the state; undefined where it is not there, or names none */
function takeState(headers: string[]): string | undefined {
  let state: string | undefined;
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    const name = headers[index] as string;
    if (name.length !== stateHeader.length || name.toLowerCase() !== lowerStateHeader) continue;
    [, state] = headers.splice(index, 2);
  }
  return state !== undefined && /^\d{1,15}\.\d{1,15}$/.test(state) ? state : undefined;
}

/** Whether the chain came to the one state after the other. See `shownState`. */
function isNewer(state: string, than: string): boolean {
  const [epoch, sequence] = state.split(".").map(Number) as [number, number];
  const [thanEpoch, thanSequence] = than.split(".").map(Number) as [number, number];
  return epoch > thanEpoch || (epoch === thanEpoch && sequence > thanSequence);
}

function mayBeKept({ status, headers, sizeBytes }: SeenHead): boolean {
  if (status !== 200 && status !== 304) return false;
  if (sizeBytes === undefined || sizeBytes > MAX_ANSWER_BYTES) return false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] as string).toLowerCase();
    if (name === "set-cookie") return false;
    if (name === "cache-control" && /no-store|private/i.test(headers[index + 1] as string)) return false;
  }
  return true;
}
