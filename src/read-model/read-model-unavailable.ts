/** The database failed, or shows no state of this chain. */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";
  /** Progress towards a complete state, if the database has an entry. */
  readonly progress: string | undefined;
  /**
   * Whether nothing of this chain is published, and possibly no object is working on it: the caller must wake
   * ChainState.
   */
  readonly isUnpublished: boolean;
  /**
   * Whether it is between two states: a state too large for one batch is written in several, one right after the other.
   */
  readonly isBetweenStates: boolean;

  constructor(
    message: string,
    {
      progress,
      isUnpublished = false,
      isBetweenStates = false,
      ...options
    }: ErrorOptions & {
      readonly progress?: string | undefined;
      readonly isUnpublished?: boolean;
      readonly isBetweenStates?: boolean;
    } = {},
  ) {
    super(message, options);
    this.progress = progress;
    this.isUnpublished = isUnpublished;
    this.isBetweenStates = isBetweenStates;
  }
}

/** @param cause error of the database */
export function toReadModelUnavailable(cause: unknown): ReadModelUnavailable {
  // The publisher creates and upgrades all tables at once, when ChainState runs for the first time.
  if (cause instanceof Error && /no such (table|column)/.test(cause.message))
    return new ReadModelUnavailable("the database has no tables of this release", { cause, isUnpublished: true });
  return new ReadModelUnavailable("the database did not answer", { cause });
}

/** Waits of a read for the rest of a state, ms, one before each retry: 1.3 s in all. */
const RETRY_DELAYS_MS = [20, 40, 80, 160, 320, 640] as const;

/**
 * Runs `read`. If nothing is published, it calls `publish` and retries; if a state is being written, it waits until
 * that is complete.
 * @throws errors of `read` and `publish`
 */
export async function readPublished<T>(read: () => Promise<T>, publish: () => Promise<void>): Promise<T> {
  let mayPublish = true;
  const waitsMs = RETRY_DELAYS_MS.values();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ReadModelUnavailable)) throw error;
      const waitMs = error.isBetweenStates ? waitsMs.next().value : undefined;
      if (error.isUnpublished && mayPublish) {
        mayPublish = false;
        await publish();
      } else if (waitMs !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      } else {
        throw error;
      }
    }
  }
}
