/** Final blocks in KV for readers: the publisher builds them from the read model like any response. */
import type { NetworkSettings } from "../../network/settings.ts";
import { type ChainName, hasSameFinal, isFinal } from "../../read-model/chain.ts";
import type { Database } from "../../read-model/database.ts";
import { type FinalStore, storedObject } from "../../read-model/final-objects.ts";
import { LatestState } from "../../read-model/latest-state.ts";
import { ReadModel } from "../../read-model/read-model.ts";
import { finalBlock, finalBlockName } from "../json/final-block.ts";
import { readBlockRun } from "./block-run.ts";

export interface FinalBlocksOptions {
  readonly settings: Pick<NetworkSettings, "blockchain">;
  /** The database that the publisher writes to. */
  readonly database: Database;
  readonly store: Pick<FinalStore, "put">;
}

/**
 * Writes blocks from a height on concurrently, up to the read limit.
 * @param name name of their chain
 * @returns last written height, as far as the chain has blocks; below `from` if the read model does not show them as
 *   final blocks of that chain
 * @throws errors of the read model, and of the store; after the latter any of the blocks may be there
 */
export async function writeFinalBlocks(
  range: { readonly from: number; readonly to: number },
  name: ChainName,
  { settings: { blockchain: settings }, database, store }: FinalBlocksOptions,
): Promise<number> {
  const model = new ReadModel({
    ...{ database, settings, hasCopies: false, bookmark: undefined, latest: new LatestState(() => 0) },
    // The publisher is the caller.
    publish: async () => {},
  });
  const { chain, blocks, next } = await readBlockRun(range, { model, settings });
  if (!hasSameFinal(chain, name) || !isFinal(range.to, chain)) return range.from - 1;
  await Promise.all(
    blocks.map(async (block) => {
      const { height } = block;
      const { key, text, isTooLong } = storedObject(finalBlockName({ height }), finalBlock(block), chain);
      if (!isTooLong) await store.put(key, text);
    }),
  );
  // A chain that began with a checkpoint has no blocks below it.
  return next === undefined ? range.to : next - 1;
}
