/** Names and decimals of assets, cached until the tip changes. */

/** Properties needed to write amounts. */
export interface Denomination {
  readonly name: string;
  readonly decimals: bigint;
}

/** @returns the assets that the node knows @throws the node does not respond */
export type FetchDenominations = (ids: readonly string[]) => Promise<ReadonlyMap<string, Denomination>>;

/** Most ids in one request to the node. */
const maxIds = 100;

interface Cached {
  /** Null: there is no such asset. */
  readonly denomination: Denomination | null;
  /** Id of the last block at the request. Later an update may rename the asset, or a rollback remove it. */
  readonly tipId: string;
}

interface Awaited {
  tipId: string;
  readonly listeners: Set<() => void>;
}

export class DenominationCache {
  readonly #fetch: FetchDenominations;
  readonly #cached = new Map<string, Cached>();
  readonly #introduced = new Map<string, Denomination>();
  readonly #awaited = new Map<string, Awaited>();

  constructor(fetchAll: FetchDenominations) {
    this.#fetch = fetchAll;
  }

  /** The last value read, even under another tip. @returns undefined while it is being fetched, null: no such asset */
  find(id: string): Denomination | null | undefined {
    return this.#introduced.get(id) ?? this.#cached.get(id)?.denomination;
  }

  /** Registers an asset of a call that was only tried. It is on no chain, so the node is not asked for it. */
  introduce(id: string, { name, decimals }: Denomination): void {
    this.#introduced.set(id, { name, decimals });
  }

  /**
   * Requests the asset, unless it was read under this tip or introduced. Ids of one event loop turn share a request.
   * @param listener called when the response arrives; after an error the known value stays
   * @returns removes the listener
   */
  subscribe(id: string, tipId: string, listener: () => void): () => void {
    const isKnown = this.#cached.get(id)?.tipId === tipId || this.#introduced.has(id);
    if (isKnown) return () => {};
    if (this.#awaited.size === 0) this.#scheduleFetch();
    const awaited = this.#awaited.get(id) ?? { tipId, listeners: new Set() };
    awaited.tipId = tipId;
    awaited.listeners.add(listener);
    this.#awaited.set(id, awaited);
    return () => void awaited.listeners.delete(listener);
  }

  #scheduleFetch(): void {
    setTimeout(() => {
      // After an error it is requested again under the next tip.
      this.#fetchAwaited().catch(() => {});
    });
  }

  async #fetchAwaited(): Promise<void> {
    const batch = [...this.#awaited].slice(0, maxIds);
    for (const [id] of batch) this.#awaited.delete(id);
    if (this.#awaited.size > 0) this.#scheduleFetch();
    const found = await this.#fetch(batch.map(([id]) => id));
    for (const [id, { tipId, listeners }] of batch) {
      this.#cached.set(id, { denomination: found.get(id) ?? null, tipId });
      for (const listener of listeners) listener();
    }
  }
}
