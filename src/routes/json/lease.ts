/** Leases as the interface prints them. @source docs/protocol/rest-api.md 3.8 */
import { bytesKey } from "../../crypto/bytes.ts";
import { leasesQuery, type StoredLease } from "../../read-model/lease.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/**
 * Leases of the ids, in their order; queries only unknown ones.
 * @param known leases already read from the same state
 */
export async function leasesOf(
  ids: readonly (Uint8Array | undefined)[],
  model: ReadModel,
  known: readonly (StoredLease | undefined)[] = [],
): Promise<readonly (StoredLease | undefined)[]> {
  const byId = new Map(known.flatMap((lease) => (lease === undefined ? [] : [[bytesKey(lease.id), lease] as const])));
  const unknown = ids.filter((id) => id !== undefined && !byId.has(bytesKey(id))) as Uint8Array[];
  if (unknown.length > 0) {
    const { values } = await model.read(leasesQuery(unknown));
    for (const lease of values[0]) if (lease !== undefined) byId.set(bytesKey(lease.id), lease);
  }
  return ids.map((id) => id && byId.get(bytesKey(id)));
}
