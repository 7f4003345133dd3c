/** Ours is killed at random instants while nodes forge together: it rejoins, and agrees. */
import { setTimeout as pause } from "node:timers/promises";
import { waitForHeight, waitUntil } from "../agreement.ts";
import { BusyNetwork, timeForMs } from "../busy-network.ts";
import { headersOf, heightOf } from "../read-chain.ts";
import type { Scenario } from "../scenario.ts";
import { firstBusyHeight } from "../short-network.ts";

/** Between two kills, and while it is down. */
const most = { upMs: 12_000, downMs: 8_000 } as const;
const rejoinTimeoutMs = 120_000;
/** How far behind the other a node that has rejoined may be. */
const rejoinedBehind = 2;
/** Forged after the last kill. */
const blocksAfter = 5;

export const kill: Scenario = {
  name: "kill",
  about: "ours is killed at random instants while it forges with the reference: it rejoins and agrees",
  needs: ["reference"],
  play: async (stage) => {
    const { random, sizes, say } = stage;
    const busy = await BusyNetwork.started(stage, [
      { kind: "reference", isMining: true },
      { kind: "ours", isMining: true },
    ]);
    try {
      const ours = busy.group.node("ours");
      let isOver = false;
      const killed = async (): Promise<void> => {
        await waitForHeight(busy.first, firstBusyHeight, timeForMs(firstBusyHeight));
        for (let count = 1; count <= sizes.kills; count++) {
          await pause(random.below(most.upMs));
          await ours.kill();
          await pause(random.below(most.downMs));
          const downHeight = await heightOf(busy.first.url);
          await ours.start();
          const startMs = performance.now();
          await waitUntil(`ours rejoins after kill ${count}`, rejoinTimeoutMs, async () => {
            const height = await heightOf(busy.first.url);
            const shared = Math.max(downHeight, height - rejoinedBehind);
            const [left, right] = await Promise.all(
              [busy.first, ours].map(({ url }) => headersOf(url, shared, shared)),
            );
            return left?.[0] !== undefined && left[0].id === right?.[0]?.id;
          });
          const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
          say(`kill ${count} at height ${downHeight}: rejoined ${seconds} s after its start`);
        }
      };
      const over = killed().finally(() => (isOver = true));
      await Promise.all([over, busy.sendUntil(() => isOver)]);
      const height = (await heightOf(busy.first.url)) + blocksAfter;
      await busy.sendUntil((now) => now >= height);
      return await busy.judged(height);
    } finally {
      await busy.stop();
    }
  },
};
