/** Sync of a chain with transactions of every type and their scripts from one node to another. */
import path from "node:path";
import { freePort } from "../../../local-node.ts";
import { importIntoReference, type ReferenceOptions } from "../../reference-node.ts";
import { differencesTo, waitForHeight } from "../agreement.ts";
import { type ForgedFile, forgeFile } from "../forged-file.ts";
import type { NetworkNode } from "../network-node.ts";
import { type Member, NodeGroup } from "../node-group.ts";
import { callsOf } from "../read-chain.ts";
import { refusalsIn } from "../refusals.ts";
import type { Scenario, Stage } from "../scenario.ts";

const timeoutMs = 120_000;
/** Challenges per chain. */
const challenges = 2;
const sampledCalls = 50;

export const sync: Scenario = {
  name: "sync",
  about: "ours syncs a chain from the reference, and the reference one of ours",
  needs: ["reference"],
  play: async (stage) => {
    const forged = forgeFile(stage, stage.sizes.syncBlocks, { challenges });
    const away = await syncedFromReference(stage, forged);
    const back = await synced(stage, forged, "from ours", [
      { kind: "ours", isMining: false, flags: importFlags(stage, forged) },
      { kind: "reference", isMining: false },
    ]);
    return [...away, ...back];
  },
};

export const light: Scenario = {
  name: "light",
  about: "the reference in light mode syncs a chain from ours, with change sets instead of running transactions",
  needs: ["reference"],
  play: async (stage) => {
    const forged = forgeFile(stage, stage.sizes.syncBlocks, { challenges });
    return synced(stage, forged, "from ours, light", [
      { kind: "ours", isMining: false, flags: importFlags(stage, forged) },
      { kind: "reference", isMining: false, isLight: true },
    ]);
  },
};

export const ownLight: Scenario = {
  name: "own-light",
  about: "ours in light mode syncs a chain from the reference, with its change sets instead of running transactions",
  needs: ["reference"],
  play: async (stage) => {
    const forged = forgeFile(stage, stage.sizes.syncBlocks, { challenges });
    return syncedFromReference(stage, forged, { isLight: true, check: runsNoCalls });
  },
};

/** Effects of calls are known only to nodes that have run them. */
async function runsNoCalls({ url }: NetworkNode): Promise<string[]> {
  const calls = await callsOf(url, sampledCalls);
  const run = calls.filter(({ stateChanges }) => stateChanges !== null);
  if (calls.length === 0) return ["the chain has no calls"];
  return run.length === 0 ? [] : [`ours has run ${run.length} of ${calls.length} calls`];
}

interface SyncWishes {
  readonly isLight?: boolean;
  /** Disturbance of the syncing node, until it is done. */
  readonly meanwhile?: ((taker: NetworkNode) => Promise<void>) | undefined;
  /** Further violations of that node once it is done. */
  readonly check?: (taker: NetworkNode) => Promise<readonly string[]>;
}

/** Syncs a chain from the reference to our node. */
export async function syncedFromReference(
  stage: Stage,
  forged: ForgedFile,
  { isLight = false, ...wishes }: SyncWishes = {},
): Promise<string[]> {
  const folder = path.join(stage.folder, "reference-with-blocks");
  const refusal = await imported(stage, forged, folder);
  if (refusal !== undefined) return [refusal];
  const members: readonly [Member, Member] = [
    { kind: "reference", isMining: false, folder },
    { kind: "ours", isMining: false, isLight },
  ];
  return synced(stage, forged, isLight ? "from the reference, light" : "from the reference", members, wishes);
}

/** Flags with which our node first imports the blocks. */
export function importFlags({ sizes }: Stage, { file }: ForgedFile): string[] {
  return ["--import", file, "--to-height", String(sizes.syncBlocks)];
}

/**
 * Starts the first node with the blocks and the second without any, and waits for the sync.
 * @returns differences and violations
 */
export async function synced(
  { programs, folder, sizes, log }: Stage,
  { network }: ForgedFile,
  name: string,
  members: readonly [Member, Member],
  { meanwhile, check }: Omit<SyncWishes, "isLight"> = {},
): Promise<string[]> {
  const place = path.join(folder, name.replaceAll(/\W+/g, "-"));
  const group = await NodeGroup.started({ programs, network, folder: place, members });
  try {
    const [giver, taker] = group.nodes;
    if (giver === undefined || taker === undefined) throw new Error("two nodes expected");
    await waitForHeight(giver, sizes.syncBlocks, timeoutMs);
    const startMs = performance.now();
    await meanwhile?.(taker);
    await waitForHeight(taker, sizes.syncBlocks, timeoutMs);
    const seconds = (performance.now() - startMs) / 1_000;
    // The hashes of the last block come with the next one.
    const differences = await differencesTo(group.nodes, sizes.syncBlocks - 1);
    log(`${name}: ${sizes.syncBlocks} blocks in ${seconds.toFixed(1)} s behind the start`);
    const checked = (await check?.(taker)) ?? [];
    return [...differences, ...checked, ...(await refusalsIn(group.nodes))].map((text) => `${name}: ${text}`);
  } finally {
    await group.stop();
  }
}

async function imported(
  { programs, sizes, log }: Stage,
  { network, file }: ForgedFile,
  folder: string,
): Promise<string | undefined> {
  const options: ReferenceOptions = {
    library: programs.library ?? "",
    folder,
    network: network.json as unknown as ReferenceOptions["network"],
    restPort: await freePort(),
    peerPort: await freePort(),
  };
  const { appended, refusal } = await importIntoReference(options, file);
  if (refusal === undefined && appended >= sizes.syncBlocks - 1) {
    log(`the reference imported ${appended} blocks`);
    return undefined;
  }
  return `the reference refused the block at height ${appended + 2}: ${refusal ?? "it does not say why"}`;
}
