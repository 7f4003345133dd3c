/**
 * Script work that costs its sender nothing: of transactions that are refused. Each block
 * interval has a budget of it, by host and by sender, counted in complexity.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */

/** Complexity per block interval. A block's scripts may cost 2,500,000: no more than that is given away. */
export const MAX_REFUSED_COMPLEXITY = { sender: 250_000, host: 500_000, hosts: 2_500_000 } as const;
/** Hosts, and senders, that are counted one by one. */
const MAX_COUNTED = 10_000;
/** Those beyond are counted together. */
const OTHERS = "others";

/** Whose budget is spent: a sender's, its host's, or that of all hosts together. */
export type ExceededBudget = keyof typeof MAX_REFUSED_COMPLEXITY;

export interface WorkSource {
  /** Those without an address are one. */
  readonly host: string;
  /** Key of an account that has signed; undefined: nobody has. */
  readonly sender?: string | undefined;
}

/** The part of the budget that one request may spend. */
export interface WorkAllowance {
  /** @throws WorkExceeded */
  expectLeft(): void;
  /** Counts work that has cost its sender nothing. */
  count(complexity: number): void;
}

/** A budget is spent: the request may come again in the next interval. */
export class WorkExceeded extends Error {
  override readonly name = "WorkExceeded";
  readonly budget: ExceededBudget;
  readonly retryAfterMs: number;

  constructor(budget: ExceededBudget, retryAfterMs: number) {
    super(`refused scripts have spent the ${budget}' budget of this block interval`);
    this.budget = budget;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface RefusedWorkOptions {
  readonly intervalMs: number;
  readonly nowMs: () => number;
}

export class RefusedWork {
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  #begunMs: number;
  #total = 0;
  readonly #hosts = new Map<string, number>();
  readonly #senders = new Map<string, number>();

  constructor({ intervalMs, nowMs }: RefusedWorkOptions) {
    this.#intervalMs = intervalMs;
    this.#nowMs = nowMs;
    this.#begunMs = nowMs();
  }

  allowanceOf(source: WorkSource): WorkAllowance {
    return { expectLeft: () => this.#expectLeft(source), count: (complexity) => this.#count(source, complexity) };
  }

  #expectLeft(source: WorkSource): void {
    this.#renew();
    const budget = this.#exceededBy(source);
    if (budget !== undefined) throw new WorkExceeded(budget, this.#begunMs + this.#intervalMs - this.#nowMs());
  }

  #exceededBy({ host, sender }: WorkSource): ExceededBudget | undefined {
    const ofHost = countOf(this.#hosts, host);
    if (ofHost >= MAX_REFUSED_COMPLEXITY.host) return "host";
    if (sender !== undefined && countOf(this.#senders, senderName(host, sender)) >= MAX_REFUSED_COMPLEXITY.sender)
      return "sender";
    // Hosts of which nothing was refused are served all the same: many hosts must not lock out one more.
    return this.#total >= MAX_REFUSED_COMPLEXITY.hosts && ofHost > 0 ? "hosts" : undefined;
  }

  #count({ host, sender }: WorkSource, complexity: number): void {
    if (complexity === 0) return;
    this.#renew();
    this.#total += complexity;
    add(this.#hosts, host, complexity);
    if (sender !== undefined) add(this.#senders, senderName(host, sender), complexity);
  }

  #renew(): void {
    const nowMs = this.#nowMs();
    if (nowMs >= this.#begunMs && nowMs < this.#begunMs + this.#intervalMs) return;
    this.#begunMs = nowMs;
    this.#total = 0;
    this.#hosts.clear();
    this.#senders.clear();
  }
}

/** A sender behind another host has a budget of its own: a stranger cannot spend it. */
function senderName(host: string, sender: string): string {
  return `${host}\n${sender}`;
}

function countOf(counts: ReadonlyMap<string, number>, name: string): number {
  return counts.get(name) ?? (counts.size >= MAX_COUNTED ? (counts.get(OTHERS) ?? 0) : 0);
}

function add(counts: Map<string, number>, name: string, complexity: number): void {
  const counted = counts.has(name) || counts.size < MAX_COUNTED ? name : OTHERS;
  counts.set(counted, (counts.get(counted) ?? 0) + complexity);
}
