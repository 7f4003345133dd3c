/**
 * Rate-limited log of errors that repeat while a dependency is unavailable, as often as peers send messages. One error
 * of each kind is logged per minute, with the number of those suppressed since.
 */
import { logFault } from "../log.ts";

const PERIOD_MS = 60_000;

export class FaultLog {
  readonly #nowMs: () => number;
  readonly #kinds = new Map<string, { readonly toldMs: number; untold: number }>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * @param kind one of a few constant texts, none that a peer chooses
   * @param subject prefix of the log line, for example the peer's name
   */
  add(kind: string, error: unknown, subject?: string): void {
    const nowMs = this.#nowMs();
    const last = this.#kinds.get(kind);
    if (last !== undefined && Math.abs(nowMs - last.toldMs) < PERIOD_MS) {
      last.untold += 1;
      return;
    }
    const message = subject === undefined ? kind : `${subject}: ${kind}`;
    logFault(last === undefined || last.untold === 0 ? message : `${message} (and ${last.untold} times before)`, error);
    this.#kinds.set(kind, { toldMs: nowMs, untold: 0 });
  }
}
