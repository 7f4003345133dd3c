/**
 * Refused-work budgets that ChainState has reported as spent: further requests on them are refused without a call until
 * the block interval ends.
 */
import { type ExceededBudget, WorkExceeded, type WorkSource } from "../platform/refused-work.ts";

const MAX_REMEMBERED = 10_000;

interface Exceeded {
  readonly budget: ExceededBudget;
  readonly endMs: number;
}

export class ExceededBudgets {
  readonly #nowMs: () => number;
  /** Oldest first. */
  readonly #exceeded = new Map<string, Exceeded>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @throws WorkExceeded */
  assertBudget({ host, sender }: WorkSource): void {
    for (const name of [host, senderName(host, sender)]) {
      const exceeded = this.#exceeded.get(name);
      if (exceeded === undefined) continue;
      const leftMs = exceeded.endMs - this.#nowMs();
      if (leftMs > 0) throw new WorkExceeded(exceeded.budget, leftMs);
      this.#exceeded.delete(name);
    }
  }

  add({ host, sender }: WorkSource, { budget, retryAfterMs }: WorkExceeded): void {
    const name = budget === "sender" ? senderName(host, sender) : host;
    this.#exceeded.delete(name);
    this.#exceeded.set(name, { budget, endMs: this.#nowMs() + retryAfterMs });
    for (const oldest of this.#exceeded.keys()) {
      if (this.#exceeded.size <= MAX_REMEMBERED) break;
      this.#exceeded.delete(oldest);
    }
  }
}

function senderName(host: string, sender = ""): string {
  return `${host}\n${sender}`;
}
