import { WorkRefused } from "../../ride/work-refused.ts";
import type { StateView } from "./state-view.ts";

/**
 * A script asks for what stands below the first block that this node has: it began with a checkpoint, and cannot tell. No answer is
 * better than a wrong one: a transaction that needs it is not taken, and a block that has one cannot be judged here.
 */
export class HistoryMissing extends WorkRefused {
  override readonly name = "HistoryMissing";
}

/**
 * To be called where something was not found in the chain.
 * @param what was looked for, for people
 * @throws HistoryMissing it may stand below the first block that is known
 */
export function expectHistory({ historyFrom }: Pick<StateView, "historyFrom">, what: string): void {
  if (historyFrom > 1)
    throw new HistoryMissing(
      `${what} may stand below block ${historyFrom}, the first one that this node has: it began with a checkpoint`,
    );
}
