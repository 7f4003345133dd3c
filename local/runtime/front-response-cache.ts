/**
 * Responses that the front server gives again without the runtime (decision 72): those that name the state that they show, as
 * long as a request sent less than `VALID_MS` ago, and after the last write, had a response that named the same state.
 */
import { LRUCache } from "lru-cache";
import { stateHeader } from "../../src/http/state-header.ts";

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turns, without those of the connection. */
  readonly headers: string[];
  /** Content-Length header. */
  readonly sizeBytes: number | undefined;
}

export interface CachedResponse extends Omit<ResponseHead, "sizeBytes"> {
  /** A string holds one byte in each character (Latin-1): Node writes it together with the headers. */
  readonly body: Buffer | string;
}

/** A request on its way to the runtime. */
export interface SentRequest {
  /** Equal for equal requests; undefined: the response is not cached. */
  readonly key: string | undefined;
  readonly isWrite: boolean;
  readonly sentAtMs: number;
}

const VALID_MS = 100;
/** From then on one request is forwarded, so that the others never have to wait. */
const RENEWAL_MS = 50;
const MAX_RESPONSE_BYTES = 1_048_576;
const MAX_TOTAL_BYTES = 16 * MAX_RESPONSE_BYTES;
/** Memory of an entry besides its bytes, about. */
const OVERHEAD_BYTES = 512;
const never = Number.NEGATIVE_INFINITY;

const reads: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const lowerStateHeader = stateHeader.toLowerCase();

export class ResponseCache {
  readonly #nowMs: () => number;
  /** All of the newest state. */
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: MAX_TOTAL_BYTES,
    sizeCalculation: ({ body, headers }, key) => OVERHEAD_BYTES + key.length + body.length + headers.join("").length,
  });
  #newest: string | undefined;
  /** When a request was sent last whose response named the newest state. */
  #confirmedAtMs = never;
  /** One request was forwarded since, to confirm it again. */
  #isRenewing = false;
  #writtenAtMs = never;
  /** When the runtime failed last: what was sent before says nothing of the one that is there now. */
  #clearedAtMs = never;

  /** @param nowMs a clock that never goes back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  find(key: string): CachedResponse | undefined {
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
   * To be called when a response begins, before the client hears of it.
   * @param head its state is taken out of the headers
   * @returns stores the response once it is complete; undefined: it is not cached
   */
  receive(sent: SentRequest, head: ResponseHead): ((response: CachedResponse) => void) | undefined {
    const state = takeState(head.headers);
    // A write whose response names the state that it left needs no more: older ones are then no longer the newest.
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

  /** The runtime may be gone. */
  clear(): void {
    this.#responses.clear();
    this.#newest = undefined;
    this.#confirmedAtMs = never;
    this.#clearedAtMs = this.#nowMs();
  }
}

/** @returns undefined where the header is missing or names no state */
function takeState(headers: string[]): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === lowerStateHeader);
  const [, state] = index < 0 ? [] : headers.splice(index, 2);
  return state !== undefined && /^\d{1,15}\.\d{1,15}$/.test(state) ? state : undefined;
}

/** Whether the chain came to the one state after the other. See `shownState`. */
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
