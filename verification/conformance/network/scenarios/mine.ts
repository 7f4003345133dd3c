/** Nodes of two or three kinds forge one chain while all of them receive transactions of every type. */
import type { TransactionGenerator } from "../../../chain-generator/transaction-generator.ts";
import { BusyNetwork } from "../busy-network.ts";
import type { Member } from "../node-group.ts";
import type { Scenario, Stage } from "../scenario.ts";
import type { NodeKind } from "../short-network.ts";

export const mine: Scenario = {
  name: "mine",
  about: "ours and the reference forge one chain, with transactions of every type sent to both",
  needs: ["reference"],
  play: (stage) => forgeAndCompare(stage, ["reference", "ours"], stage.sizes.mineBlocks),
};

/** @param makers generators of the transactions; by default of all types */
export async function forgeAndCompare(
  stage: Stage,
  kinds: readonly NodeKind[],
  blocks: number,
  makers?: readonly TransactionGenerator[],
): Promise<string[]> {
  const members: Member[] = kinds.map((kind) => ({ kind, isMining: true }));
  const busy = await BusyNetwork.started(stage, members, {
    quorum: 1,
    ...(makers !== undefined && { transactionGenerators: makers }),
  });
  try {
    await busy.sendUntil((height) => height >= blocks);
    return await busy.findDifferences(blocks);
  } finally {
    await busy.stop();
  }
}
