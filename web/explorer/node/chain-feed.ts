/** The newest blocks, polled while the tab is visible. */
import { useEffect, useState } from "preact/hooks";
import { fetchJson } from "./node-request.ts";
import type { Header } from "./shapes.ts";

/** Number of newest blocks held. */
export const windowBlocks = 40n;

/** Requests cost money on Cloudflare and nothing on the user's own machine. */
const isOwnMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
const intervalMs = isOwnMachine ? 1_000 : 5_000;

export interface ChainNow {
  readonly height: bigint;
  /** Id of the state; every block and micro-block changes it. */
  readonly tipId: string;
  /** Newest first. */
  readonly headers: readonly Header[];
  /** False after a request failed. */
  readonly isReached: boolean;
}

let now: ChainNow | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isRequesting = false;
const listeners = new Set<(chain: ChainNow) => void>();

/** The newest blocks; undefined before the first response. A hidden tab sends no requests. */
export function useChain(): ChainNow | undefined {
  const [chain, setChain] = useState(now);
  useEffect(() => {
    listeners.add(setChain);
    if (now !== undefined) setChain(now);
    if (listeners.size === 1) start();
    return () => {
      listeners.delete(setChain);
      if (listeners.size === 0) stop();
    };
  }, []);
  return chain;
}

/** Id of a block of any version. Before version 5 it is the signature. */
export function blockId({ id, signature }: Pick<Header, "id" | "signature">): string {
  return id ?? signature;
}

/** Polls at once, for example after a transaction was sent. */
export function refresh(): void {
  clearTimeout(timer);
  if (!document.hidden && listeners.size > 0) void tick();
}

function start(): void {
  document.addEventListener("visibilitychange", refresh);
  refresh();
}

function stop(): void {
  document.removeEventListener("visibilitychange", refresh);
  clearTimeout(timer);
}

async function tick(): Promise<void> {
  if (isRequesting) return;
  isRequesting = true;
  try {
    publish(await newest());
  } catch {
    if (now !== undefined) publish({ ...now, isReached: false });
  } finally {
    isRequesting = false;
  }
  clearTimeout(timer);
  if (!document.hidden && listeners.size > 0) timer = setTimeout(() => void tick(), intervalMs);
}

async function newest(): Promise<ChainNow> {
  const tip = await fetchJson<Header>("/blocks/headers/last");
  const tipId = blockId(tip);
  if (now?.tipId === tipId) return now.isReached ? now : { ...now, isReached: true };
  const from = tip.height > windowBlocks ? tip.height - windowBlocks + 1n : 1n;
  const headers = await fetchJson<readonly Header[]>(`/blocks/headers/seq/${from}/${tip.height}`);
  return { height: tip.height, tipId, headers: headers.toReversed(), isReached: true };
}

function publish(chain: ChainNow): void {
  if (chain === now) return;
  now = chain;
  for (const listener of listeners) listener(chain);
}
