/** Responses to the node's owner. @source docs/protocol/rest-api.md 2.6, 2.9 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { address, id, timestamp } from "./values.ts";

const count = () => int32();

export const activity = named("NodeActivity", () =>
  z.strictObject({
    stateHeight: int32(),
    extensionLoaderState: z.string().meta({
      description: "`State(…,…)`: request to the best peer, and whether the chain is applying its blocks.",
    }),
    historyReplierCacheSizes: z.strictObject({ blocks: count(), microBlocks: count() }),
    microBlockSynchronizerCacheSizes: z.strictObject({
      microBlockOwners: count(),
      nextInvs: count(),
      awaiting: count(),
      successfullyReceived: count(),
    }),
    scoreObserverStats: z.strictObject({
      localScore: z
        .bigint()
        .meta({ type: "integer", description: "Sum of the weights of all blocks: an integer of any size." }),
      currentBestChannel: z
        .string()
        .meta({ description: "The peer with a heavier chain than this node's, or `None`." }),
      scoresCacheSize: count(),
    }),
    minerState: z.string().meta({ description: "`mining blocks`, `disabled`, or `error: …`." }),
  }),
);

export const miningAccounts = () =>
  z.array(z.strictObject({ address: address(), miningBalance: int64(), timestamp: timestamp() }));

export const configuration = named("Configuration", () =>
  z
    .strictObject({ waves: z.record(z.string(), z.unknown()) })
    .meta({ description: "Settings by the names of the reference's configuration files." }),
);

export const rollback = () =>
  z.object({
    rollbackTo: int32().meta({ description: "The height that becomes the last one." }),
    returnTransactionsToUtx: z
      .boolean()
      .meta({ description: "Whether the transactions of the blocks return to the pool." }),
  });

export const rolledBack = () => z.strictObject({ BlockId: id().meta({ description: "Id of the new last block." }) });

export const message = () => z.object({ message: z.string() });

export const peerAddress = () => z.object({ host: z.string(), port: int32() });

export const connecting = () => z.strictObject({ hostname: z.string(), status: z.string() });

export const knownPeers = () =>
  z.strictObject({ peers: z.array(z.strictObject({ address: z.string(), lastSeen: timestamp() })) });

export const connectedPeers = () =>
  z.strictObject({
    peers: z.array(
      z.strictObject({
        address: z.string(),
        declaredAddress: z.string(),
        peerName: z.string(),
        peerNonce: int64(),
        applicationName: z.string(),
        applicationVersion: z.string(),
      }),
    ),
  });

export const suspendedPeers = () => z.array(z.strictObject({ hostname: z.string(), timestamp: timestamp() }));

export const blacklistedPeers = () =>
  z.array(z.strictObject({ hostname: z.string(), timestamp: timestamp(), reason: z.string() }));

export const clearedBlacklist = () => z.strictObject({ result: z.literal("blacklist cleared") });

export const stopped = () =>
  z.strictObject({
    stopped: z.literal(true),
    notice: z
      .string()
      .optional()
      .meta({ description: "Present for a deployed node, which still responds to requests." }),
  });
