/** Clients that read while others load the node: they measure response times, delays of blocks, and health. */
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { privateNetwork } from "../../src/network/networks/private.ts";
import type { Reading } from "./compare-readings.ts";

const READERS = 8;
const PAUSE_MS = 20;
const LIMIT_MS = 60_000;
export const BLOCK_MS = privateNetwork.blockchain.genesis.averageBlockDelayMs;
const HEALTH = "/health";

interface Header {
  readonly height: number;
  readonly timestamp: number;
}

/** Reads in a thread of its own. @param signal ends it */
export async function read(url: string, signal: AbortSignal): Promise<Reading> {
  const thread = new Worker(path.join(import.meta.dirname, "reading-thread.ts"), { workerData: url });
  signal.addEventListener("abort", () => thread.postMessage("end"), { once: true });
  const [reading] = (await once(thread, "message")) as [Reading];
  await thread.terminate();
  return reading;
}

/** @param signal ends it */
export async function readUntil(url: string, signal: AbortSignal): Promise<Reading> {
  const waitsMs: number[] = [];
  const latenessMs: number[] = [];
  let failed = 0;
  let height: number | undefined;
  let healthyMs = performance.now();
  let longestSilenceMs = 0;
  const noteHealth = (isHealthy: boolean): void => {
    const nowMs = performance.now();
    longestSilenceMs = Math.max(longestSilenceMs, nowMs - healthyMs);
    if (isHealthy) healthyMs = nowMs;
  };
  let number = 0;
  const reader = async (): Promise<void> => {
    while (!signal.aborted) {
      number++;
      // A unique query, so that no cache responds.
      const paths = [`/blocks/height?${number}`, HEALTH, `/blocks/headers/last?${number}`];
      const path = paths[number % paths.length] as string;
      const startMs = performance.now();
      try {
        const response = await fetch(url + path, { signal: AbortSignal.timeout(LIMIT_MS) });
        const json = (await response.json()) as Partial<Header>;
        if (!response.ok) failed++;
        if (path === HEALTH) noteHealth(response.ok);
        if (json.timestamp !== undefined && json.height !== undefined) {
          if (height !== undefined && json.height > height) latenessMs.push(Date.now() - json.timestamp);
          height = Math.max(height ?? 0, json.height);
        }
      } catch {
        failed++;
      }
      waitsMs.push(performance.now() - startMs);
      await wait(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  noteHealth(false);
  return { waitsMs, failed, latenessMs, longestSilenceMs, blockMs: BLOCK_MS };
}
