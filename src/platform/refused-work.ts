/**
 * Script work that costs its sender nothing: of transactions that are refused. Each block
 * interval has a budget of it, by host and by sender, counted in complexity.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */

/**
 * Complexity per block interval. A block's scripts may cost 2,500,000: no more than that is given away. A wider IPv6 network has
 * less than half of what all have.
 */
export const MAX_REFUSED_COMPLEXITY = {
  sender: 250_000,
  /** An IPv4 address, or 64 bits of IPv6. */
  host: 500_000,
  /** 56 bits of IPv6. */
  site: 700_000,
  /** 48 bits of IPv6. */
  network: 900_000,
  /** All, but for what is reserved. */
  hosts: 2_000_000,
  /** Reserved, of IPv4 and of IPv6 each, for networks of which nothing was refused in the interval. */
  newcomers: 250_000,
  /** Of one network, without blame; what is beyond spends its hosts' budgets. */
  unblamed: 500_000,
} as const;
/** Networks of each version of IP, and parts of networks and senders, that are counted one by one. */
const MAX_COUNTED = 10_000;
/** Networks beyond are counted together. */
const OTHERS = "others";
/** Whose budgets the networks of a host spend, the narrowest first. */
const networkBudgets = ["host", "site", "network"] as const;

/** Whose budget is spent: a sender's, its host's or a network's around it, or that of all hosts together. */
export type ExceededBudget = Exclude<keyof typeof MAX_REFUSED_COMPLEXITY, "newcomers" | "unblamed">;

export interface WorkSource {
  /** Name of a subscriber (`subscriberOf`). Those without an address are one. */
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
  /** As `count`, of what was passed on in good faith: a bound of this node alone refuses it. */
  countUnblamed(complexity: number): void;
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
  /** Networks that a host is in, the narrowest first; several of IPv6 only. */
  readonly networksOf: (host: string) => readonly string[];
  readonly intervalMs: number;
  readonly nowMs: () => number;
}

/** What one version of IP has spent. */
interface Family {
  /** By the widest network: no subscriber has more than one of them for nothing. */
  readonly networks: Map<string, number>;
  newcomers: number;
}

export class RefusedWork {
  readonly #networksOf: (host: string) => readonly string[];
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  #begunMs: number;
  /** Without what is reserved. */
  #total = 0;
  readonly #ipv4: Family = { networks: new Map(), newcomers: 0 };
  readonly #ipv6: Family = { networks: new Map(), newcomers: 0 };
  /** Of parts of networks, of senders, and without blame. Those for which there is no room count for their networks alone. */
  readonly #parts = new Map<string, number>();

  constructor({ networksOf, intervalMs, nowMs }: RefusedWorkOptions) {
    this.#networksOf = networksOf;
    this.#intervalMs = intervalMs;
    this.#nowMs = nowMs;
    this.#begunMs = nowMs();
  }

  allowanceOf(source: WorkSource): WorkAllowance {
    return {
      expectLeft: () => this.#expectLeft(source),
      count: (complexity) => this.#count(source, complexity),
      countUnblamed: (complexity) => this.#countUnblamed(source, complexity),
    };
  }

  #expectLeft(source: WorkSource): void {
    this.#renew();
    const budget = this.#exceededBy(source);
    if (budget !== undefined) throw new WorkExceeded(budget, this.#begunMs + this.#intervalMs - this.#nowMs());
  }

  #exceededBy({ host, sender }: WorkSource): ExceededBudget | undefined {
    const { family, widest, parts } = this.#placeOf(host);
    const ofNetwork = countOf(family.networks, widest);
    const spent = [...parts.map((part) => this.#parts.get(part) ?? 0), ofNetwork];
    for (const [index, budget] of networkBudgets.entries())
      if ((spent[index] ?? 0) >= MAX_REFUSED_COMPLEXITY[budget]) return budget;
    const ofSender = sender === undefined ? 0 : (this.#parts.get(senderName(host, sender)) ?? 0);
    if (ofSender >= MAX_REFUSED_COMPLEXITY.sender) return "sender";
    if (this.#total < MAX_REFUSED_COMPLEXITY.hosts) return undefined;
    // Those that have spent what all have must not lock out one more.
    return ofNetwork === 0 && family.newcomers < MAX_REFUSED_COMPLEXITY.newcomers ? undefined : "hosts";
  }

  #count({ host, sender }: WorkSource, complexity: number): void {
    if (complexity === 0) return;
    this.#renew();
    const { family, widest, parts } = this.#placeOf(host);
    this.#countForAll(family, complexity);
    const { networks } = family;
    add(networks, networks.has(widest) || networks.size < MAX_COUNTED ? widest : OTHERS, complexity);
    const narrow = sender === undefined ? parts : [...parts, senderName(host, sender)];
    for (const part of narrow) if (this.#hasRoomFor(part)) add(this.#parts, part, complexity);
  }

  #countUnblamed({ host }: WorkSource, complexity: number): void {
    this.#renew();
    const { family, widest } = this.#placeOf(host);
    const name = unblamedName(widest);
    const spent = (this.#parts.get(name) ?? 0) + complexity;
    if (spent <= MAX_REFUSED_COMPLEXITY.unblamed && this.#hasRoomFor(name)) {
      add(this.#parts, name, complexity);
      this.#countForAll(family, complexity);
    } else {
      this.#count({ host }, complexity);
    }
  }

  #countForAll(family: Family, complexity: number): void {
    if (this.#total < MAX_REFUSED_COMPLEXITY.hosts) this.#total += complexity;
    else family.newcomers += complexity;
  }

  #hasRoomFor(part: string): boolean {
    return this.#parts.has(part) || this.#parts.size < MAX_COUNTED;
  }

  /** Where a host is counted. `parts`: those of its widest network that it is in. */
  #placeOf(host: string): { readonly family: Family; readonly widest: string; readonly parts: readonly string[] } {
    const networks = this.#networksOf(host);
    const family = networks.length > 1 ? this.#ipv6 : this.#ipv4;
    return { family, widest: networks.at(-1) ?? host, parts: networks.slice(0, -1) };
  }

  #renew(): void {
    const nowMs = this.#nowMs();
    if (nowMs >= this.#begunMs && nowMs < this.#begunMs + this.#intervalMs) return;
    this.#begunMs = nowMs;
    this.#total = 0;
    this.#parts.clear();
    for (const family of [this.#ipv4, this.#ipv6]) {
      family.networks.clear();
      family.newcomers = 0;
    }
  }
}

/** A sender behind another host has a budget of its own: a stranger cannot spend it. */
function senderName(host: string, sender: string): string {
  return `${host}\n${sender}`;
}

function unblamedName(network: string): string {
  return `${network}\nunblamed`;
}

function countOf(counts: ReadonlyMap<string, number>, name: string): number {
  return counts.get(name) ?? (counts.size >= MAX_COUNTED ? (counts.get(OTHERS) ?? 0) : 0);
}

function add(counts: Map<string, number>, name: string, complexity: number): void {
  counts.set(name, (counts.get(name) ?? 0) + complexity);
}
