/**
 * Entries that a call writes: their number, sizes and keys.
 * @source Waves: state/diffs/invoke/InvokeDiffsCommon.scala (checkDataEntries);
 *   transaction/validation/impl/DataTxValidator.scala
 */

import { Feature } from "../../../network/features.ts";
import { encode } from "../../../protocol/codec/codec.ts";
import { utf8SizeBytes } from "../../../protocol/codec/utf8.ts";
import { dataEntry } from "../../../protocol/transactions/data-entry.ts";
import type { DataEntry } from "../../../protocol/transactions/transaction.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { StateView } from "../../state/state-view.ts";
import { payloadBytes } from "../checks/data-size.ts";
import { allowsEmptyKeys } from "./invocation.ts";
import { maxCallDataBytes, maxDataEntries, maxKeyBytes } from "./limits.ts";

/** Size for the limits; before feature 17 that of the old binary form. */
export function writtenBytes(entries: readonly DataEntry[], view: StateView): number {
  if (view.has(Feature.RideV6)) return payloadBytes(entries);
  return entries.reduce((total, entry) => total + oldFormBytes(entry), 0);
}

function oldFormBytes(entry: DataEntry): number {
  // Only here deletions have an encoding: the key and one byte.
  if (entry.value === null) return 2 + utf8SizeBytes(entry.key) + 1;
  return encode(dataEntry, entry).length;
}

/** Error in the entries of one call, if any. */
export function findDataError(
  entries: readonly DataEntry[],
  libraryVersion: number,
  root: ScriptInvoke,
  view: StateView,
): string | undefined {
  if (entries.length > maxDataEntries) return `WriteSet can't contain more than ${maxDataEntries} entries`;
  if (!allowsEmptyKeys(root) && entries.some(({ key }) => key === "")) {
    return "Empty keys aren't allowed in tx version >= 2";
  }
  const limit = maxKeyBytes(libraryVersion);
  for (const { key } of entries) {
    const sizeBytes = utf8SizeBytes(key);
    if (sizeBytes > limit) return `Data entry key size = ${sizeBytes} bytes must be less than ${limit}`;
    if (key === "" && libraryVersion >= 4) return "Data entry key should not be empty";
  }
  const total = writtenBytes(entries, view);
  if (total > maxCallDataBytes) {
    return `WriteSet size can't exceed ${maxCallDataBytes} bytes, actual: ${total} bytes`;
  }
  return undefined;
}
