/**
 * Activity of the node, in the reference's terms.
 * @source Waves: api/http/DebugApiRoute.scala (info), network/RxExtensionLoader.scala
 */
import type { NodeActivity, SyncActivity } from "../../env.ts";
import type { JsonObject } from "../../protocol/json.ts";

/** @param sync undefined: the node has no peers */
export function activityJson({ height, score, minerState }: NodeActivity, sync: SyncActivity | undefined): JsonObject {
  return {
    stateHeight: height,
    extensionLoaderState: `State(${loaderText(sync)},${sync?.isApplying ? "Applying" : "Idle"})`,
    historyReplierCacheSizes: { blocks: sync?.cachedBlocks ?? 0, microBlocks: sync?.cachedMicroBlocks ?? 0 },
    microBlockSynchronizerCacheSizes: {
      microBlockOwners: sync?.microBlocks.announced ?? 0,
      nextInvs: sync?.microBlocks.bases ?? 0,
      awaiting: sync?.microBlocks.awaited ?? 0,
      successfullyReceived: sync?.microBlocks.validated ?? 0,
    },
    scoreObserverStats: {
      localScore: score,
      currentBestChannel: sync?.best === undefined ? "None" : `Some(${sync.best.address})`,
      scoresCacheSize: sync?.scores ?? 0,
    },
    minerState,
  };
}

function loaderText(sync: SyncActivity | undefined): string {
  if (sync?.best === undefined) return "Idle";
  const channel = `BestChannel([${sync.best.address}],${sync.best.score})`;
  if (sync.missingBlocks > 0) return `ExpectingBlocks(${channel},expected=${sync.missingBlocks})`;
  return sync.isRequestingIds ? `ExpectingSignatures(${channel})` : "Idle";
}
