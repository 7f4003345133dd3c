/** Rate-limited log of blacklisted peers: an attacker with many addresses does not fill it. */
import { log } from "../../log.ts";

const MOST = { lines: 30, perMs: 60_000 } as const;

export class BlacklistLog {
  readonly #nowMs: () => number;
  #sinceMs = 0;
  #logged = 0;
  #suppressed = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param peer name for the log */
  add(peer: string, reason: string): void {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - this.#sinceMs) >= MOST.perMs) {
      this.#sinceMs = nowMs;
      this.#logged = 0;
    }
    if (this.#logged === MOST.lines) {
      this.#suppressed += 1;
      return;
    }
    this.#logged += 1;
    log(
      `peer ${peer} is blacklisted: ${reason}${this.#suppressed === 0 ? "" : ` (and ${this.#suppressed} others before)`}`,
    );
    this.#suppressed = 0;
  }
}
