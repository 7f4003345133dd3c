/** The database did not answer, or shows no state of this chain. */
export class ReadModelUnavailable extends Error {
  override readonly name = "ReadModelUnavailable";
  /** How far it is on the way to showing one, where it says so. */
  readonly progress: string | undefined;

  constructor(
    message: string,
    { progress, ...options }: ErrorOptions & { readonly progress?: string | undefined } = {},
  ) {
    super(message, options);
    this.progress = progress;
  }
}
