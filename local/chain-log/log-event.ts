/** Events in the log of a dev chain. */

export interface BlockEvent {
  readonly event: "block";
  readonly height: number;
  /** Transactions so far: a liquid block gets more. */
  readonly transactions: number;
  readonly generator: string;
}

/** Many blocks in one event. */
export interface BlocksEvent {
  readonly event: "blocks";
  /** True if they are known to have no transactions. */
  readonly areEmpty: boolean;
  readonly fromHeight: number;
  readonly toHeight: number;
}

/** Rollback of the chain. */
export interface RollbackEvent {
  readonly event: "back";
  readonly height: number;
}

export interface TransactionEvent {
  readonly event: "transaction";
  /** Undefined: refused. */
  readonly height: number | undefined;
  readonly id: string;
  /** Readable name: `mass transfer`. */
  readonly type: string;
  readonly sender: string;
  /** Short description of its effect. */
  readonly what: string;
  /** Amount with its asset. */
  readonly fee: string;
  /** Complexity spent by its scripts; 0: none ran. */
  readonly complexity: number;
  readonly status: "succeeded" | "failed" | "elided" | "refused";
  /** Reason for the failure or refusal, if the node gives it. */
  readonly error: string | undefined;
}

export interface RequestEvent {
  readonly event: "request";
  readonly method: string;
  readonly path: string;
  /** 0: the client disconnected before the response. */
  readonly status: number;
  readonly milliseconds: number;
  /** Error message of the node. */
  readonly error: string | undefined;
}

export type LogEvent = BlockEvent | BlocksEvent | RollbackEvent | TransactionEvent | RequestEvent;
