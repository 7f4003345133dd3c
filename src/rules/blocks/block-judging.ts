/** How the transactions of a block are judged by the rules: in one go, or over several calls. */
import type { ScriptWork } from "../../ride/evaluator/script-work.ts";
import { type PlaceTransaction, placing, type TransactionHandling } from "./apply-block.ts";
import { type JudgingWay, RepeatableWays } from "./judging-ways.ts";

export interface BlockJudging {
  /** In which the block may be valid: each time the same ones. */
  readonly ways: RepeatableWays;
  /** @param elides as for `placing` of `apply-block.ts` */
  placing(way: JudgingWay, handling: TransactionHandling, elides?: boolean): PlaceTransaction;
}

/** Judging that ends once a call has done its part of the work, and goes on in the next call. */
export interface PortionedJudging {
  /** Of this call. */
  readonly work: ScriptWork;
  /** @param id of the block; with a micro-block that and the id before it @param ownsTransactions as for `judgingWays` */
  of(id: Uint8Array, ownsTransactions: boolean): BlockJudging;
  /** @param judge finds whether the challenge by the block has a reason: not run again once it has returned */
  justify(id: Uint8Array, judge: (judging: BlockJudging) => void): void;
  /** A block has reached its end: later calls do not judge it again. @param sizeBytes of the block */
  finished(sizeBytes: number): void;
  /** To be called before the next of several blocks. What it throws ends the call. */
  expectRoom(): void;
}

export function judgingInOneGo(ownsTransactions: boolean): BlockJudging {
  return {
    ways: new RepeatableWays(ownsTransactions),
    placing: (way, handling, elides) => placing({ ...handling, ...way }, elides),
  };
}
