/** Rollback of both nodes by their owner, and the requests after it. */
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import { type NodeRequest, requestsAbout } from "./node-requests.ts";
import { patientFetch } from "./patient-fetch.ts";

const headers = { "X-API-Key": privateNetworkSecrets.apiKey, "Content-Type": "application/json" };

/** @throws Error when a node rejects the rollback */
export async function rollBack(urls: readonly string[], height: number): Promise<void> {
  const body = JSON.stringify({ rollbackTo: height, returnTransactionsToUtx: false });
  for (const url of urls) {
    const { ok, text } = await patientFetch(`${url}/debug/rollback`, { method: "POST", headers, body });
    if (!ok) throw new Error(`${url} does not roll back to height ${height}: ${text}`);
  }
}

/**
 * Every request about the earlier chain, also about what no longer exists.
 * @param before the chain before the rollback
 */
export function* requestsAfterRollback(
  before: ChainInventory,
  height: number,
  random: SeededRandom,
): Iterable<NodeRequest> {
  const blockTimestamps = before.blockTimestamps.slice(0, height);
  for (const request of requestsAbout({ ...before, height, blockTimestamps }, random)) {
    // The reference keeps using a script that was set and rolled back (docs/protocol/compared/state.md).
    const { route } = request;
    yield route === "assets/details?full" ? { ...request, skipped: ["scriptDetails"] } : request;
  }
}
