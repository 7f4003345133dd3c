/** Leases as the interface prints them. @source spec/rest-api.md 3.8 */
import { leasesQuery, type StoredLease } from "../../read-model/lease.ts";
import type { ReadModel } from "../../read-model/read-model.ts";

/** The leases of the ids, in their order; nothing is asked when there are none. */
export async function leasesOf(
  ids: readonly (Uint8Array | undefined)[],
  model: ReadModel,
): Promise<readonly (StoredLease | undefined)[]> {
  if (ids.every((id) => id === undefined)) return [];
  const { values } = await model.read(leasesQuery(ids.map((id) => id ?? new Uint8Array(0))));
  return values[0];
}
