/** The database did not answer, or shows no state of this chain. */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";
  /** How far it is on the way to showing one, where it says so. */
  readonly progress: string | undefined;
  /** Whether nothing of this chain is in it, and nobody may be at work to change that: ChainState is to be woken. */
  readonly isUnpublished: boolean;
  /** Whether it is between two states: one that is too large for a batch comes in several, one right after the other. */
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

/** @param cause what the database has thrown */
export function unanswered(cause: unknown): ReadModelUnavailable {
  // The publisher makes and upgrades all tables in one step, when ChainState is at work for the first time.
  if (cause instanceof Error && /no such (table|column)/.test(cause.message))
    return new ReadModelUnavailable("the database has no tables of this release", { cause, isUnpublished: true });
  return new ReadModelUnavailable("the database did not answer", { cause });
}

/** How long a read waits for the rest of a state, ms, before each time it looks again: 1.3 s in all. */
const REST_OF_STATE_MS = [20, 40, 80, 160, 320, 640] as const;

/**
 * What `read` gives; where nothing is published, what it gives once something was, and where a state is being written, what it
 * gives once that is whole.
 * @throws what `read` throws, and `publish`
 */
export async function readPublished<T>(read: () => Promise<T>, publish: () => Promise<void>): Promise<T> {
  let mayPublish = true;
  const waitsMs = REST_OF_STATE_MS.values();
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
