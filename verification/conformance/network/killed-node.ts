/** A node that is killed at instants which the seed draws, and started again. */
import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { NetworkNode } from "./network-node.ts";

/** At most so long before a kill, and so long down, milliseconds. */
export interface KillTimes {
  readonly upMs: number;
  readonly downMs: number;
}

/** Kills it (SIGKILL) after a while, and starts it again after another one. */
export async function killAndStart(node: NetworkNode, random: SeededRandom, most: KillTimes): Promise<void> {
  await pause(random.below(most.upMs));
  await node.kill();
  await pause(random.below(most.downMs));
  await node.start();
}
