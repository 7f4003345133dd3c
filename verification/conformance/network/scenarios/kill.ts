/**
 * Kills of our node at random instants while it forges with others, syncs from one, or heals: it rejoins and agrees.
 */
import { waitForHeight, waitUntil } from "../agreement.ts";
import { BusyNetwork, timeForMs } from "../busy-network.ts";
import { forgeFile } from "../forged-file.ts";
import { poolTransactionGenerators } from "../go-transaction-generators.ts";
import { killAndStart } from "../killed-node.ts";
import { headersOf, heightOf } from "../read-chain.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { firstBusyHeight, type NodeKind } from "../short-network.ts";
import { cutAndHealed } from "./heal.ts";
import { syncedFromReference } from "./sync.ts";

const whileForging = { upMs: 12_000, downMs: 8_000 } as const;
/** Short times: a sync of some hundred blocks begins and ends within seconds. */
const whileSyncing = { upMs: 5_000, downMs: 500 } as const;
const rejoinTimeoutMs = 120_000;
/** Maximum lag of a rejoined node behind the other, blocks. */
const maxLagAfterRejoin = 2;
/** Blocks forged after the last kill. */
const blocksAfter = 5;
/** Number of scenarios that share the kills, apart from `kill` itself. */
const otherScenarios = 4;

export const kill: Scenario = {
  name: "kill",
  about: "ours is killed at random instants while it forges with the reference: it rejoins and agrees",
  needs: ["reference"],
  play: (stage) => killedWhileForging(stage, ["reference", "ours"], stage.sizes.kills),
};

export const killGo: Scenario = {
  name: "kill-go",
  about: "ours is killed at random instants while it forges with the Go node",
  needs: ["go"],
  play: (stage) => killedWhileForging(stage, ["go", "ours"], someKills(stage)),
};

export const killThree: Scenario = {
  name: "kill-three",
  about: "ours is killed at random instants while nodes of three kinds forge",
  needs: ["reference", "go"],
  play: (stage) => killedWhileForging(stage, ["reference", "go", "ours"], someKills(stage)),
};

export const killHeal: Scenario = {
  name: "kill-heal",
  about: "ours is killed while the link to the reference is cut, once in each cut",
  needs: ["reference"],
  play: (stage) =>
    cutAndHealed(stage, ["reference", "ours"], someKills(stage), (busy) =>
      killAndStart(busy.group.node("ours"), stage.random, whileForging),
    ),
};

export const killSync: Scenario = {
  name: "kill-sync",
  about: "ours is killed at random instants while it syncs from the reference",
  needs: ["reference"],
  play: (stage) =>
    syncedFromReference(stage, forgeFile(stage, stage.sizes.syncBlocks), {
      meanwhile: async (ours) => {
        for (let count = 1; count <= someKills(stage); count++) {
          await killAndStart(ours, stage.random, whileSyncing);
          stage.log(`kill ${count}: ours has ${await heightOf(ours.url)} blocks at its start`);
        }
      },
    }),
};

function someKills({ sizes }: Stage): number {
  return Math.ceil(sizes.kills / otherScenarios);
}

async function killedWhileForging(stage: Stage, kinds: readonly NodeKind[], kills: number): Promise<string[]> {
  const { random, log } = stage;
  const members = kinds.map((kind) => ({ kind, isMining: true }));
  const busy = await BusyNetwork.started(
    stage,
    members,
    kinds.includes("go") ? { transactionGenerators: poolTransactionGenerators() } : {},
  );
  try {
    const ours = busy.group.node("ours");
    let isOver = false;
    const killed = async (): Promise<void> => {
      await waitForHeight(busy.first, firstBusyHeight, timeForMs(firstBusyHeight));
      for (let count = 1; count <= kills; count++) {
        await killAndStart(ours, random, whileForging);
        const startMs = performance.now();
        const startHeight = await heightOf(busy.first.url);
        await waitUntil(`ours rejoins after kill ${count}`, rejoinTimeoutMs, async () => {
          const height = await heightOf(busy.first.url);
          const shared = Math.max(startHeight, height - maxLagAfterRejoin);
          const [left, right] = await Promise.all([busy.first, ours].map(({ url }) => headersOf(url, shared, shared)));
          return left?.[0] !== undefined && left[0].id === right?.[0]?.id;
        });
        const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
        log(`kill ${count} at height ${startHeight}: rejoined ${seconds} s after its start`);
      }
    };
    const over = killed().finally(() => (isOver = true));
    await Promise.all([over, busy.sendUntil(() => isOver)]);
    const height = (await heightOf(busy.first.url)) + blocksAfter;
    await busy.sendUntil((now) => now >= height);
    return await busy.findDifferences(height);
  } finally {
    await busy.stop();
  }
}
