/** Names and decimals of assets, kept for as long as the chain is as it was when they were read. */

/** What amounts need to be written. */
export interface Denomination {
  readonly name: string;
  readonly decimals: bigint;
}

/** @returns those that the node knows @throws where it does not answer */
export type AskForDenominations = (ids: readonly string[]) => Promise<ReadonlyMap<string, Denomination>>;

/** The node answers for so many at once. */
const maxIds = 100;

interface Kept {
  /** Null: there is no such asset. */
  readonly denomination: Denomination | null;
  /** The id of the last block when it was asked for: an update may give a new name, a revert takes assets away. */
  readonly tipId: string;
}

interface Awaited {
  tipId: string;
  readonly listeners: Set<() => void>;
}

export class KeptDenominations {
  readonly #askFor: AskForDenominations;
  readonly #kept = new Map<string, Kept>();
  readonly #introduced = new Map<string, Denomination>();
  readonly #awaited = new Map<string, Awaited>();

  constructor(askFor: AskForDenominations) {
    this.#askFor = askFor;
  }

  /** What was read last, if only under another tip. @returns undefined while it is asked for, null: there is no such asset */
  find(id: string): Denomination | null | undefined {
    return this.#introduced.get(id) ?? this.#kept.get(id)?.denomination;
  }

  /** Tells of an asset that was only tried out: on no chain, so that the node, which would refuse, is not asked for it. */
  introduce(id: string, { name, decimals }: Denomination): void {
    this.#introduced.set(id, { name, decimals });
  }

  /**
   * Asks for it, unless it was read under this tip or introduced; all that is wanted in one turn is asked for together.
   * @param listener is called when the answer is there; where there is none, what is known stays
   * @returns takes the listener back
   */
  want(id: string, tipId: string, listener: () => void): () => void {
    const isKnown = this.#kept.get(id)?.tipId === tipId || this.#introduced.has(id);
    if (isKnown) return () => {};
    if (this.#awaited.size === 0) this.#askSoon();
    const awaited = this.#awaited.get(id) ?? { tipId, listeners: new Set() };
    awaited.tipId = tipId;
    awaited.listeners.add(listener);
    this.#awaited.set(id, awaited);
    return () => void awaited.listeners.delete(listener);
  }

  #askSoon(): void {
    setTimeout(() => {
      // Without an answer it is asked for again under the next tip.
      this.#askForAwaited().catch(() => {});
    });
  }

  async #askForAwaited(): Promise<void> {
    const batch = [...this.#awaited].slice(0, maxIds);
    for (const [id] of batch) this.#awaited.delete(id);
    if (this.#awaited.size > 0) this.#askSoon();
    const found = await this.#askFor(batch.map(([id]) => id));
    for (const [id, { tipId, listeners }] of batch) {
      this.#kept.set(id, { denomination: found.get(id) ?? null, tipId });
      for (const listener of listeners) listener();
    }
  }
}
