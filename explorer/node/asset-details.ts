/** Names and decimals of assets, asked for together and kept. */
import { useEffect, useState } from "preact/hooks";
import { post } from "./ask.ts";
import type { AssetDetails, AssetId } from "./shapes.ts";

/** What amounts need to be written. */
export interface Denomination {
  readonly name: string;
  readonly decimals: bigint;
}

const waves: Denomination = { name: "WAVES", decimals: 8n };
/** The node answers for so many at once. */
const maxIds = 100;

/** By id; null: there is no such asset (now: it may have left the chain, or not be in it yet). */
const known = new Map<string, Denomination | null>();
/** Who waits for which. */
const awaited = new Map<string, Set<() => void>>();

/** @returns undefined while it is asked for, null where the node knows no such asset */
export function useDenomination(assetId: AssetId): Denomination | null | undefined {
  const [, update] = useState(0);
  useEffect(() => {
    if (assetId === null || known.has(assetId)) return;
    const listener = (): void => update((count) => count + 1);
    listen(assetId, listener);
    return () => void awaited.get(assetId)?.delete(listener);
  }, [assetId]);
  return assetId === null ? waves : known.get(assetId);
}

/** Tells of an asset that need not be asked for: what was only tried out is on no chain. */
export function introduce({ assetId, name, decimals }: Pick<AssetDetails, "assetId" | "name" | "decimals">): void {
  if (known.get(assetId) == null) known.set(assetId, { name, decimals });
}

/** @returns null where the node knows no such asset */
export async function findDenomination(assetId: AssetId): Promise<Denomination | null> {
  if (assetId === null) return waves;
  return known.get(assetId) ?? (await askFor([assetId])).get(assetId) ?? null;
}

function listen(assetId: string, listener: () => void): void {
  if (awaited.size === 0) setTimeout(() => void askForAwaited());
  const listeners = awaited.get(assetId) ?? new Set();
  awaited.set(assetId, listeners.add(listener));
}

async function askForAwaited(): Promise<void> {
  const batch = [...awaited].slice(0, maxIds);
  for (const [id] of batch) awaited.delete(id);
  if (awaited.size > 0) setTimeout(() => void askForAwaited());
  const found = await askFor(batch.map(([id]) => id));
  for (const [id, listeners] of batch) {
    known.set(id, found.get(id) ?? null);
    for (const listener of listeners) listener();
    // What is not there now may be there later.
    if (found.get(id) === undefined) setTimeout(() => known.delete(id), 5_000);
  }
}

/** One unknown id makes the node refuse them all: then each is asked for by itself. */
async function askFor(ids: readonly string[]): Promise<ReadonlyMap<string, Denomination>> {
  try {
    const list = await post<readonly AssetDetails[]>("/assets/details", { ids });
    return new Map(list.map(({ assetId, name, decimals }) => [assetId, { name, decimals }]));
  } catch {
    if (ids.length <= 1) return new Map();
    const parts = await Promise.all(ids.map((id) => askFor([id])));
    return new Map(parts.flatMap((part) => [...part]));
  }
}
