/**
 * Final blocks in KV, where readers look for them: made of the read model as any answer is, by whoever publishes the chain.
 */
import type { NetworkSettings } from "../network/settings.ts";
import { type ChainName, hasSameFinal, isFinal } from "../read-model/chain.ts";
import type { Database } from "../read-model/database.ts";
import { type FinalStore, storedObject } from "../read-model/final-objects.ts";
import { LatestState } from "../read-model/latest-state.ts";
import { ReadModel } from "../read-model/read-model.ts";
import { readBlockRun } from "./block-run.ts";
import { keptBlock, keptBlockName } from "./json/kept-block.ts";

export interface FinalBlocksFacts {
  readonly settings: Pick<NetworkSettings, "blockchain">;
  /** The one that is written to. */
  readonly database: Database;
  readonly store: Pick<FinalStore, "put">;
}

/**
 * Writes blocks from a height on, all at once: as many of the range as may be held at a time.
 * @param name of the chain that they are of
 * @returns up to which height they are there, as far as the chain has them; below `from` where the read model does not show them
 *   as final blocks of that chain
 * @throws the read model's error; the store's, and then any of them may be there
 */
export async function writeFinalBlocks(
  range: { readonly from: number; readonly to: number },
  name: ChainName,
  { settings: { blockchain: settings }, database, store }: FinalBlocksFacts,
): Promise<number> {
  const model = new ReadModel({
    ...{ database, settings, hasCopies: false, bookmark: undefined, latest: new LatestState(() => 0) },
    // Whoever publishes knows what is published.
    publish: async () => {},
  });
  const { chain, blocks, next } = await readBlockRun(range, { model, settings });
  if (!hasSameFinal(chain, name) || !isFinal(range.to, chain)) return range.from - 1;
  await Promise.all(
    blocks.map(async (block) => {
      const { height } = block;
      const { key, text, isTooLong } = storedObject(keptBlockName({ height }), keptBlock(block), chain);
      if (!isTooLong) await store.put(key, text);
    }),
  );
  // A chain that began with a checkpoint has no blocks below it.
  return next === undefined ? range.to : next - 1;
}
