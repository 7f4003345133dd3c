/** A node that is killed at random instants and restarted. */
import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { NetworkNode } from "./network-node.ts";

/** Maximum time before a kill, and maximum downtime, milliseconds. */
export interface KillTimes {
  readonly upMs: number;
  readonly downMs: number;
}

/** Kills the node (SIGKILL) after a random time, and restarts it after another one. */
export async function killAndStart(node: NetworkNode, random: SeededRandom, most: KillTimes): Promise<void> {
  await pause(random.below(most.upMs));
  await node.kill();
  await pause(random.below(most.downMs));
  await node.start();
}
