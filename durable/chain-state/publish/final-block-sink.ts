/** Writes of final blocks to KV, counted in Cloudflare's units. */
import type { Env } from "../../../src/env.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import type { ObjectWorkMeter } from "../../object-work.ts";
import type { FinalBlockSink, FinalChain } from "./final-block-writer.ts";

interface FinalBlockStores {
  readonly settings: NetworkSettings;
  readonly database: Pick<Env["DB"], "prepare" | "batch" | "withSession">;
  readonly store: Pick<Env["FINAL"], "put">;
}

/** `FinalBlockSink.write` with the stores to read and write. */
export type WriteFinalBlocks = (
  range: { readonly from: number; readonly to: number },
  chain: FinalChain,
  stores: FinalBlockStores,
) => Promise<number>;

export function finalBlockSink(
  write: WriteFinalBlocks,
  stores: FinalBlockStores,
  meter: ObjectWorkMeter,
): FinalBlockSink {
  const { database, store } = stores;
  const metered: FinalBlockStores = {
    ...stores,
    database: {
      prepare: (sql) => database.prepare(sql),
      withSession: (from) => database.withSession(from),
      batch: async <T = unknown>(statements: D1PreparedStatement[]) => {
        const results = await database.batch<T>(statements);
        meter.d1Batch(results);
        return results;
      },
    },
    store: { put: (key: string, text: string) => meter.kvWrite(() => store.put(key, text)) },
  };
  return { write: (range, chain) => meter.during(() => write(range, chain, metered)) };
}
