import { WorkRefused } from "../../ride/work-refused.ts";
import type { StateView } from "./state-view.ts";

/**
 * A script needs data below the first block of this node, which began with a checkpoint. Failing is better than a wrong
 * result: the pool does not accept such a transaction, and the node cannot validate a block with one.
 */
export class HistoryMissing extends WorkRefused {
  override readonly name = "HistoryMissing";
}

/**
 * Call it for an item that was not found in the chain.
 * @param item description, for people
 * @throws HistoryMissing the item may be below the first known block
 */
export function assertHistory({ historyFrom }: Pick<StateView, "historyFrom">, item: string): void {
  if (historyFrom > 1)
    throw new HistoryMissing(
      `${item} may stand below block ${historyFrom}, the first one that this node has: it began with a checkpoint`,
    );
}
