/** What went wrong between a test and its node. */
export interface DevNodeErrorFacts {
  /** HTTP status of the node's answer. */
  readonly status?: number | undefined;
  /** The node's number of the error, such as 112; see `error` in its answers. */
  readonly code?: number | undefined;
  readonly cause?: unknown;
}

/** The node refused something, in its own words, or could not be started or reached. */
export class DevNodeError extends Error {
  override readonly name = "DevNodeError";
  /** HTTP status of the node's answer; undefined where there was none. */
  readonly status: number | undefined;
  /** The node's number of the error; undefined where it gave none. */
  readonly code: number | undefined;

  constructor(message: string, { status, code, cause }: DevNodeErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}
