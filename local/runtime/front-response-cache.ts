/**
 * Response cache of the front server (decision 72): responses that name the state they show. They are valid as long as
 * a request sent less than `VALID_MS` ago, and after the last write, had a response that named the same state.
 */
import { LRUCache } from "lru-cache";
import { stateHeader } from "../../src/http/state-header.ts";

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in alternation, without the connection's own headers. */
  readonly headers: string[];
  /** Content-Length header. */
  readonly sizeBytes: number | undefined;
}

export interface CompleteResponse extends Omit<ResponseHead, "sizeBytes"> {
  /** A string has one byte per character (Latin-1): Node writes it together with the headers. */
  readonly body: Buffer | string;
}

/** A request on its way to the runtime. */
export interface SentRequest {
  /** Cache key, equal for equal requests; undefined: the response is not cached. */
  readonly key: string | undefined;
  readonly isWrite: boolean;
  readonly sentAtMs: number;
}

const VALID_MS = 100;
/** Age from which one request is forwarded to confirm the state, so that the others never have to wait. */
const RENEWAL_MS = 50;
const MAX_RESPONSE_BYTES = 1_048_576;
const MAX_TOTAL_BYTES = 16 * MAX_RESPONSE_BYTES;
/** Approximate memory of an entry besides its bytes. */
const OVERHEAD_BYTES = 512;
const never = Number.NEGATIVE_INFINITY;

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const lowerStateHeader = stateHeader.toLowerCase();

export class FrontResponseCache {
  readonly #nowMs: () => number;
  /** Responses of the newest state only. */
  readonly #responses = new LRUCache<string, CompleteResponse>({
    maxSize: MAX_TOTAL_BYTES,
    sizeCalculation: ({ body, headers }, key) => OVERHEAD_BYTES + key.length + body.length + headers.join("").length,
  });
  #newest: string | undefined;
  /** Time of the last sent request whose response named the newest state. */
  #confirmedAtMs = never;
  /** Whether a request was forwarded since, to confirm the state again. */
  #isRenewing = false;
  #writtenAtMs = never;
  /** Time of the last runtime failure: responses to requests sent before it prove nothing about the present runtime. */
  #clearedAtMs = never;

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  find(key: string): CompleteResponse | undefined {
    const cached = this.#responses.get(key);
    if (cached === undefined || this.#confirmedAtMs <= this.#writtenAtMs) return undefined;
    const ageMs = this.#nowMs() - this.#confirmedAtMs;
    if (ageMs < RENEWAL_MS || (ageMs < VALID_MS && this.#isRenewing)) return cached;
    this.#isRenewing = true;
    return undefined;
  }

  send(method: string, key: string | undefined): SentRequest {
    return { key, isWrite: !reads.has(method), sentAtMs: this.#nowMs() };
  }

  /**
   * Registers a response; to be called when it begins, before any of it goes to the client.
   * @param head head of the response; its state header is removed
   * @returns function that stores the response once it is complete; undefined: the response is not cached
   */
  receive(sent: SentRequest, head: ResponseHead): ((response: CompleteResponse) => void) | undefined {
    const state = removeStateHeader(head.headers);
    // A write whose response names the state after it needs nothing else: that state replaces older ones below.
    if (sent.isWrite && state === undefined) this.#writtenAtMs = this.#nowMs();
    if (state === undefined || sent.sentAtMs <= this.#clearedAtMs) return undefined;
    if (this.#newest === undefined || isNewer(state, this.#newest)) {
      this.#newest = state;
      this.#confirmedAtMs = never;
      this.#responses.clear();
    }
    if (state === this.#newest && sent.sentAtMs > this.#confirmedAtMs) {
      this.#confirmedAtMs = sent.sentAtMs;
      this.#isRenewing = false;
    }
    const { key } = sent;
    if (key === undefined || this.#newest !== state || !mayBeCached(head)) return undefined;
    return (response) => {
      if (this.#newest === state) this.#responses.set(key, response);
    };
  }

  /** Empties the cache; to be called when the runtime may be gone. */
  clear(): void {
    this.#responses.clear();
    this.#newest = undefined;
    this.#confirmedAtMs = never;
    this.#clearedAtMs = this.#nowMs();
  }
}

/** @returns the state; undefined if the header is missing or names no state */
function removeStateHeader(headers: string[]): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === lowerStateHeader);
  const [, state] = index < 0 ? [] : headers.splice(index, 2);
  return state !== undefined && /^\d{1,15}\.\d{1,15}$/.test(state) ? state : undefined;
}

/** Whether the chain reached one state after the other. See `stateText`. */
function isNewer(state: string, than: string): boolean {
  const [epoch, sequence] = state.split(".").map(Number) as [number, number];
  const [thanEpoch, thanSequence] = than.split(".").map(Number) as [number, number];
  return epoch > thanEpoch || (epoch === thanEpoch && sequence > thanSequence);
}

function mayBeCached({ status, headers, sizeBytes = Number.POSITIVE_INFINITY }: ResponseHead): boolean {
  const isRefused = headers.some((text, index) => {
    const name = index % 2 === 0 ? text.toLowerCase() : "";
    return name === "set-cookie" || (name === "cache-control" && /no-store|private/i.test(headers[index + 1] ?? ""));
  });
  return (status === 200 || status === 304) && sizeBytes <= MAX_RESPONSE_BYTES && !isRefused;
}
