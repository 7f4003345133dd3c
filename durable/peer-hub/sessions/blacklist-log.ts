/** Rate-limited log of blacklisted peers: an attacker with many addresses does not fill it. */
import { log } from "../../log.ts";

const MOST = { lines: 30, perMs: 60_000 } as const;

export class ShutOutLog {
  readonly #nowMs: () => number;
  #sinceMs = 0;
  #told = 0;
  #untold = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param peer name for the log */
  add(peer: string, reason: string): void {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - this.#sinceMs) >= MOST.perMs) {
      this.#sinceMs = nowMs;
      this.#told = 0;
    }
    if (this.#told === MOST.lines) {
      this.#untold += 1;
      return;
    }
    this.#told += 1;
    log(`peer ${peer} is blacklisted: ${reason}${this.#untold === 0 ? "" : ` (and ${this.#untold} others before)`}`);
    this.#untold = 0;
  }
}
