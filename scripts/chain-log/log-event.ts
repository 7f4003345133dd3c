/** What the log of a dev chain tells of. */

export interface BlockEvent {
  readonly event: "block";
  readonly height: number;
  /** So far: a block that still grows gets more. */
  readonly transactions: number;
  readonly generator: string;
}

/** Many blocks that are not told of one by one. */
export interface BlocksEvent {
  readonly event: "blocks";
  /** Whether it is known that they have no transactions. */
  readonly areEmpty: boolean;
  readonly fromHeight: number;
  readonly toHeight: number;
}

/** The chain was taken back. */
export interface BackEvent {
  readonly event: "back";
  readonly height: number;
}

export interface TransactionEvent {
  readonly event: "transaction";
  /** Undefined: it was refused. */
  readonly height: number | undefined;
  readonly id: string;
  /** In words: `mass transfer`. */
  readonly type: string;
  readonly sender: string;
  /** What it does, in a few words. */
  readonly what: string;
  /** In words, with its asset. */
  readonly fee: string;
  /** That its scripts took; 0: none ran. */
  readonly complexity: number;
  readonly status: "succeeded" | "failed" | "elided" | "refused";
  /** Why it failed or was refused, where the node says it. */
  readonly error: string | undefined;
}

export interface RequestEvent {
  readonly event: "request";
  readonly method: string;
  readonly path: string;
  /** 0: the client went before the answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** What the node says against it. */
  readonly error: string | undefined;
}

export type LogEvent = BlockEvent | BlocksEvent | BackEvent | TransactionEvent | RequestEvent;
