/** Both nodes rolled back by their owner, and what they are asked then. */
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import { type NodeRequest, requestsAbout } from "./node-requests.ts";
import { patientFetch } from "./patient-fetch.ts";

const headers = { "X-API-Key": privateNetworkSecrets.apiKey, "Content-Type": "application/json" };

/** @throws Error when a node refuses */
export async function rollBack(urls: readonly string[], height: number): Promise<void> {
  const body = JSON.stringify({ rollbackTo: height, returnTransactionsToUtx: false });
  for (const url of urls) {
    const { ok, text } = await patientFetch(`${url}/debug/rollback`, { method: "POST", headers, body });
    if (!ok) throw new Error(`${url} does not roll back to height ${height}: ${text}`);
  }
}

/**
 * Everything that was asked about the chain before, also what is gone.
 * @param before the chain as it was
 */
export function* requestsAfterRollback(
  before: ChainInventory,
  height: number,
  random: SeededRandom,
): Iterable<NodeRequest> {
  const blockTimestamps = before.blockTimestamps.slice(0, height);
  for (const question of requestsAbout({ ...before, height, blockTimestamps }, random)) {
    // The reference goes on with a script that was set and taken back (docs/protocol/compared/state.md).
    const { route } = question;
    yield route === "assets/details?full" ? { ...question, skipped: ["scriptDetails"] } : question;
  }
}
