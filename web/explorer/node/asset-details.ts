/** Names and decimals of assets, read from the node that serves this page. */
import { useEffect, useState } from "preact/hooks";
import { useChain } from "./chain-feed.ts";
import { type Denomination, DenominationCache, type FetchDenominations } from "./denomination-cache.ts";
import { NodeError, post } from "./node-request.ts";
import type { AssetDetails, AssetId, StateChanges } from "./shapes.ts";

const waves: Denomination = { name: "WAVES", decimals: 8n };

/** The node refuses a whole list for one unknown id, so a refused list is requested in halves. */
const fetchDenominations: FetchDenominations = async (ids) => {
  try {
    const list = await post<readonly AssetDetails[]>("/assets/details", { ids });
    return new Map(list.map(({ assetId, name, decimals }) => [assetId, { name, decimals }]));
  } catch (error) {
    if (!(error instanceof NodeError) || (error.status !== 400 && error.status !== 404)) throw error;
    if (ids.length <= 1) return new Map();
    const middle = Math.ceil(ids.length / 2);
    const halves = await Promise.all([ids.slice(0, middle), ids.slice(middle)].map(fetchDenominations));
    return new Map(halves.flatMap((half) => [...half]));
  }
};

const cache = new DenominationCache(fetchDenominations);

/** @returns undefined while it is being fetched, null when there is no such asset */
export function useDenomination(assetId: AssetId): Denomination | null | undefined {
  const [, update] = useState(0);
  const tipId = useChain()?.tipId;
  useEffect(() => {
    if (assetId === null || tipId === undefined) return;
    return cache.subscribe(assetId, tipId, () => update((count) => count + 1));
  }, [assetId, tipId]);
  return assetId === null ? waves : cache.find(assetId);
}

/** Registers the assets that a tried call, and the calls within it, would issue. */
export function introduceIssued({ issues, invokes }: StateChanges): void {
  for (const { assetId, ...denomination } of issues) cache.introduce(assetId, denomination);
  for (const { stateChanges } of invokes) introduceIssued(stateChanges);
}

/** Fetches from the node. @returns null when there is no such asset @throws NodeError */
export async function findDenomination(assetId: AssetId): Promise<Denomination | null> {
  return assetId === null ? waves : ((await fetchDenominations([assetId])).get(assetId) ?? null);
}
