/** Requests and results of dev chain controls. */
import * as z from "zod";
import { int32, int64 } from "../../http/schema.ts";
import { LAST_TIME_MS } from "../../network/dev-settings.ts";
import { address, timestamp } from "./values.ts";

const lastTimeMs = BigInt(LAST_TIME_MS);
const maxBlocks = 10_000n;

/** Maximum interval of automatic blocks: a year. `null` turns them off. */
const maxIntervalMs = 365n * 24n * 3_600_000n;

/** A duration, ms. */
const milliseconds = () => int64().min(0n).max(lastTimeMs);

export const snapshotInfo = () => z.strictObject({ name: z.string(), height: int32() });

/** An invalid Unicode text would not be found again: the database stores it as another one. */
const snapshotName = () =>
  z
    .string()
    .refine((name) => name.isWellFormed(), "is not valid Unicode")
    .meta({ description: "1 to 200 characters." });

export const newSnapshot = () => z.object({ name: snapshotName().optional() });

export const namedSnapshot = () => z.object({ name: snapshotName() });

export const devStatus = () =>
  z.strictObject({
    height: int32(),
    time: timestamp().meta({ description: "Time of the chain's clock." }),
    automine: z.boolean().meta({ description: "Whether each transaction gets a block at once." }),
    interval: int64().nullable().meta({ description: "Delay from a block to the next automatic one, ms." }),
    snapshots: z.array(snapshotInfo()).meta({ description: "Oldest first." }),
    impersonated: z.array(address()).meta({ description: "Accounts whose transactions need no proofs." }),
    fork: z
      .strictObject({ url: z.string(), height: int32() })
      .nullable()
      .meta({ description: "Source node of a fork, and height of the last common block." }),
  });

export const devTip = () =>
  z.strictObject({ height: int32(), time: timestamp().meta({ description: "Time of the chain's clock." }) });

export const blocksToMine = () =>
  z.object({
    blocks: int32().min(1n).max(maxBlocks).optional().meta({ description: "1 by default." }),
    interval: milliseconds().optional().meta({ description: "Least difference of the timestamps, ms." }),
  });

export const automining = () => z.object({ enabled: z.boolean() });

export const interval = () => z.object({ milliseconds: int64().min(1n).max(maxIntervalMs).nullable() });

export const time = () => z.object({ time: int64().min(0n).max(lastTimeMs) });

export const increase = () => z.object({ milliseconds: milliseconds() });
