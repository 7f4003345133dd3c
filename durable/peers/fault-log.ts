/**
 * The log of faults that come again and again while something is away, as often as peers send what leads to them: of each kind
 * one is told in a minute, and how many there were besides.
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
   * @param what the kind: one of a few sentences, nothing that a peer chooses
   * @param whose what else is to be told of it
   */
  add(what: string, error: unknown, whose?: string): void {
    const nowMs = this.#nowMs();
    const last = this.#kinds.get(what);
    if (last !== undefined && Math.abs(nowMs - last.toldMs) < PERIOD_MS) {
      last.untold += 1;
      return;
    }
    const sentence = whose === undefined ? what : `${whose}: ${what}`;
    logFault(
      last === undefined || last.untold === 0 ? sentence : `${sentence} (and ${last.untold} times before)`,
      error,
    );
    this.#kinds.set(what, { toldMs: nowMs, untold: 0 });
  }
}
