/**
 * Rate-limited log of errors that repeat while a dependency is unavailable, as often as peers send messages. One error
 * of each kind is logged per minute, with the number of those suppressed since.
 */
import { logError } from "../log.ts";

const PERIOD_MS = 60_000;

export class ErrorLog {
  readonly #nowMs: () => number;
  readonly #kinds = new Map<string, { readonly loggedMs: number; suppressed: number }>();

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
    if (last !== undefined && Math.abs(nowMs - last.loggedMs) < PERIOD_MS) {
      last.suppressed += 1;
      return;
    }
    const message = subject === undefined ? kind : `${subject}: ${kind}`;
    logError(
      last === undefined || last.suppressed === 0 ? message : `${message} (and ${last.suppressed} times before)`,
      error,
    );
    this.#kinds.set(kind, { loggedMs: nowMs, suppressed: 0 });
  }
}
