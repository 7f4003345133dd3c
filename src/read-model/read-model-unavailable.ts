/** The database did not answer, or shows no state of this chain. */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";
  /** How far it is on the way to showing one, where it says so. */
  readonly progress: string | undefined;
  /** Whether nothing of this chain is in it, and nobody may be at work to change that: ChainState is to be woken. */
  readonly isUnpublished: boolean;

  constructor(
    message: string,
    {
      progress,
      isUnpublished = false,
      ...options
    }: ErrorOptions & { readonly progress?: string | undefined; readonly isUnpublished?: boolean } = {},
  ) {
    super(message, options);
    this.progress = progress;
    this.isUnpublished = isUnpublished;
  }
}

/** @param cause what the database has thrown */
export function unanswered(cause: unknown): ReadModelUnavailable {
  // The publisher makes and upgrades all tables in one step, when ChainState is at work for the first time.
  if (cause instanceof Error && /no such (table|column)/.test(cause.message))
    return new ReadModelUnavailable("the database has no tables of this release", { cause, isUnpublished: true });
  return new ReadModelUnavailable("the database did not answer", { cause });
}

/**
 * What `read` gives; where nothing is published, what it gives once something was.
 * @throws what `read` throws, and `publish`
 */
export async function readPublished<T>(read: () => Promise<T>, publish: () => Promise<void>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable && error.isUnpublished)) throw error;
    await publish();
    return read();
  }
}
