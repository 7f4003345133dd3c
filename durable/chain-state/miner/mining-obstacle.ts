/** Texts for the reasons why the node can make no block. */
import { addressText } from "../../../src/crypto/address.ts";
import type { MiningObstacle, MiningSchedule } from "./mining-schedule.ts";

/** @returns obstacle of the first account; undefined: one of the accounts has its turn */
export function findObstacle({ next, accounts }: MiningSchedule): string | undefined {
  if (next !== undefined) return undefined;
  const [obstacle] = accounts.filter((account): account is MiningObstacle => account.code !== "turn");
  return obstacle === undefined ? "the wallet has no accounts" : obstacleText(obstacle);
}

function obstacleText(obstacle: MiningObstacle): string {
  const account = addressText(obstacle.address);
  switch (obstacle.code) {
    case "noPlaceForStateHash":
      return "the next block would need a state hash, for which its version has no place";
    case "generatorHasScript":
      return `Account(${account}) is scripted and not allowed to forge blocks`;
    case "generatingBalanceTooLow":
      return `Balance ${obstacle.got} of ${account} is lower than required for generation`;
    case "generatorNotAllowed":
      return `${account} is not allowed to generate a block: others have committed to generation for this period`;
    case "neverItsTurn":
      return `the turn of ${account} never comes`;
  }
}
