/** Peers that the node still counts as connected after all of the attack's have disconnected. */
import { setTimeout as wait } from "node:timers/promises";
import type { AttackedNode } from "./attacked-node.ts";

const PATIENCE_MS = 30_000;
const LOOK_MS = 500;

/** @returns a message if some remain after a while */
export async function leftPeers({ url }: AttackedNode): Promise<readonly string[]> {
  for (const endMs = performance.now() + PATIENCE_MS; ; await wait(LOOK_MS)) {
    const response = await fetch(`${url}/peers/connected`);
    const { peers } = (await response.json()) as { readonly peers: readonly unknown[] };
    if (peers.length === 0) return [];
    if (performance.now() > endMs) return [`${peers.length} peers are taken for connected that are gone`];
  }
}
