/** Events of a run in order: the faults, counted by kind, and the context to understand them. */

export type FaultKind =
  | "kill"
  | "kill of the runtime"
  | "eviction"
  | "failed statement"
  | "full disk"
  | "batch lost"
  | "batch unheard"
  | "batch late"
  | "batch doubled"
  | "read model away"
  | "read model lost"
  | "read model restored"
  | "read model of another chain"
  | "clock jump"
  | "alarm lost"
  | "alarm late"
  | "alarm doubled";

export class Journal<Kind extends string = FaultKind> {
  readonly lines: string[] = [];
  readonly counts = new Map<Kind, number>();
  readonly #clock: () => string;

  /** @param clock time at the beginning of each line */
  constructor(clock: () => string) {
    this.#clock = clock;
  }

  get faults(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  fault(kind: Kind, details = ""): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.note(`FAULT ${kind}${details === "" ? "" : `: ${details}`}`);
  }

  note(line: string): void {
    this.lines.push(`${this.#clock()} ${line}`);
  }
}
