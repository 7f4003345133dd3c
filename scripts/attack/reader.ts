/** A client that reads while others load the node: how long it waits, and how late it sees blocks. */
import { setTimeout as wait } from "node:timers/promises";
import { privateNetwork } from "../../src/network/networks/private.ts";
import type { Reading } from "./compare-readings.ts";

const PAUSE_MS = 50;
const LIMIT_MS = 60_000;
const BLOCK_MS = privateNetwork.blockchain.genesis.averageBlockDelayMs;

interface Header {
  readonly height: number;
  readonly timestamp: number;
}

/** @param signal ends it */
export async function read(url: string, signal: AbortSignal): Promise<Reading> {
  const waitsMs: number[] = [];
  const latenessMs: number[] = [];
  let failed = 0;
  let height: number | undefined;
  for (let number = 0; !signal.aborted; number++) {
    // A query of its own: the same one would be answered from a cache.
    const paths = [`/blocks/height?${number}`, "/health", `/blocks/headers/last?${number}`];
    const path = paths[number % paths.length] as string;
    const startMs = performance.now();
    try {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(LIMIT_MS) });
      const json = (await response.json()) as Partial<Header>;
      if (!response.ok) failed++;
      if (json.timestamp !== undefined && json.height !== undefined) {
        if (height !== undefined && json.height > height) latenessMs.push(Date.now() - json.timestamp);
        height = json.height;
      }
    } catch {
      failed++;
    }
    waitsMs.push(performance.now() - startMs);
    await wait(PAUSE_MS);
  }
  return { waitsMs, failed, latenessMs, blockMs: BLOCK_MS };
}
