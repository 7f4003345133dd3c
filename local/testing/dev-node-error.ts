/** Details of an error between a test and its node. */
export interface DevNodeErrorOptions {
  /** HTTP status of the node's response. */
  readonly status?: number | undefined;
  /** The node's error code, such as 112; `error` in its responses. */
  readonly code?: number | undefined;
  readonly cause?: unknown;
}

/** An error response of the node, or a node that could not be started or reached. */
export class DevNodeError extends Error {
  override readonly name = "DevNodeError";
  /** HTTP status of the node's response; undefined without one. */
  readonly status: number | undefined;
  /** The node's error code; undefined without one. */
  readonly code: number | undefined;

  constructor(message: string, { status, code, cause }: DevNodeErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}
