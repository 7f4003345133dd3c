/**
 * Budgets of script work that costs its sender nothing, because the transaction is refused. Each block interval has
 * budgets by host and by sender, counted in complexity.
 * @see docs/decisions/0073-budget-of-refused-work.md
 */

/**
 * Complexity per block interval. The scripts of a block may cost 2,500,000: no more is granted for refused work. A
 * wider IPv6 network has less than half of the total.
 */
export const MAX_REFUSED_COMPLEXITY = {
  sender: 250_000,
  /** An IPv4 address, or 64 bits of IPv6. */
  host: 500_000,
  /** 56 bits of IPv6. */
  site: 700_000,
  /** 48 bits of IPv6. */
  network: 900_000,
  /** All hosts together, without the reserves. */
  hosts: 2_000_000,
  /** Reserve for networks without refused work in the interval, of IPv4 and of IPv6 each. */
  newcomers: 250_000,
  /** Unblamed work of one network; more than that spends its hosts' budgets. */
  unblamed: 500_000,
} as const;
/** Networks of each IP version that are counted individually, and the same number of parts of networks and senders. */
const MAX_COUNTED = 10_000;
/** Name under which further networks are counted together. */
const OTHERS = "others";
/** Budgets that the networks of a host spend, the narrowest first. */
const networkBudgets = ["host", "site", "network"] as const;

/** Exceeded budget: that of a sender, its host, a network around the host, or all hosts together. */
export type ExceededBudget = Exclude<keyof typeof MAX_REFUSED_COMPLEXITY, "newcomers" | "unblamed">;

export interface WorkSource {
  /** Name of a subscriber (`subscriberOf`). Subscribers without an address count as one. */
  readonly host: string;
  /** Key of an account that has signed; undefined: no account has. */
  readonly sender?: string | undefined;
}

/** The part of the budget that one request may spend. */
export interface WorkAllowance {
  /** @throws WorkExceeded */
  assertBudget(): void;
  /** Counts work that cost its sender nothing. */
  count(complexity: number): void;
  /** Counts like `count`, for a transaction relayed in good faith: only a bound of this node refuses it. */
  countUnblamed(complexity: number): void;
}

/** Error of an exceeded budget: the request may be repeated in the next interval. */
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

/** Work spent by one IP version. */
interface Family {
  /** Complexity by widest network, of which a subscriber has only one without extra cost. */
  readonly networks: Map<string, number>;
  newcomers: number;
}

export class RefusedWork {
  readonly #networksOf: (host: string) => readonly string[];
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  #begunMs: number;
  /** Complexity of all hosts, without the reserves. */
  #total = 0;
  readonly #ipv4: Family = { networks: new Map(), newcomers: 0 };
  readonly #ipv6: Family = { networks: new Map(), newcomers: 0 };
  /**
   * Complexity of parts of networks, of senders, and of unblamed work. Entries beyond the bound count only for their
   * networks.
   */
  readonly #parts = new Map<string, number>();

  constructor({ networksOf, intervalMs, nowMs }: RefusedWorkOptions) {
    this.#networksOf = networksOf;
    this.#intervalMs = intervalMs;
    this.#nowMs = nowMs;
    this.#begunMs = nowMs();
  }

  allowanceOf(source: WorkSource): WorkAllowance {
    return {
      assertBudget: () => this.#assertBudget(source),
      count: (complexity) => this.#count(source, complexity),
      countUnblamed: (complexity) => this.#countUnblamed(source, complexity),
    };
  }

  #assertBudget(source: WorkSource): void {
    this.#renew();
    const budget = this.#exceededBy(source);
    if (budget !== undefined) throw new WorkExceeded(budget, this.#begunMs + this.#intervalMs - this.#nowMs());
  }

  #exceededBy({ host, sender }: WorkSource): ExceededBudget | undefined {
    const { family, widest, parts } = this.#locate(host);
    const ofNetwork = countOf(family.networks, widest);
    const spent = [...parts.map((part) => this.#parts.get(part) ?? 0), ofNetwork];
    for (const [index, budget] of networkBudgets.entries())
      if ((spent[index] ?? 0) >= MAX_REFUSED_COMPLEXITY[budget]) return budget;
    const ofSender = sender === undefined ? 0 : (this.#parts.get(senderName(host, sender)) ?? 0);
    if (ofSender >= MAX_REFUSED_COMPLEXITY.sender) return "sender";
    if (this.#total < MAX_REFUSED_COMPLEXITY.hosts) return undefined;
    // Hosts that have spent the shared budget must not lock out a newcomer.
    return ofNetwork === 0 && family.newcomers < MAX_REFUSED_COMPLEXITY.newcomers ? undefined : "hosts";
  }

  #count({ host, sender }: WorkSource, complexity: number): void {
    if (complexity === 0) return;
    this.#renew();
    const { family, widest, parts } = this.#locate(host);
    this.#countForAll(family, complexity);
    const { networks } = family;
    add(networks, networks.has(widest) || networks.size < MAX_COUNTED ? widest : OTHERS, complexity);
    const narrow = sender === undefined ? parts : [...parts, senderName(host, sender)];
    for (const part of narrow) if (this.#hasRoomFor(part)) add(this.#parts, part, complexity);
  }

  #countUnblamed({ host }: WorkSource, complexity: number): void {
    this.#renew();
    const { family, widest } = this.#locate(host);
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

  /** Counters of a host. `parts`: the narrower networks around it, within the widest one. */
  #locate(host: string): { readonly family: Family; readonly widest: string; readonly parts: readonly string[] } {
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

/** Name of a sender's budget. It includes the host, so that another host cannot spend the sender's budget. */
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
