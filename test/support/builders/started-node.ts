/** Helpers of tests over HTTP. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { create } from "@waves/node-api-js";
import { pollMs } from "../fixtures/timeouts.ts";

/** Folder that is removed after the test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "node-test-"));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Writes settings of the private network with other block intervals.
 * @param pace `blockMs`: minimum between two blocks; they are twice as far apart on average
 * @returns the file
 */
export function fastNetworkFile(
  folder: string,
  { blockMs, microBlockMs }: { readonly blockMs: number; readonly microBlockMs: number },
): string {
  const settings = JSON.parse(readFileSync("test/fixtures/networks/private.json", "utf8"));
  settings.waves.blockchain.custom.functionality["min-block-time"] = `${blockMs}ms`;
  settings.waves.blockchain.custom.genesis["average-block-delay"] = `${2 * blockMs}ms`;
  settings.waves.miner["micro-block-interval"] = `${microBlockMs}ms`;
  const file = path.join(folder, "fast.json");
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

export async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Sends the transaction and waits until it is in a block. @returns its JSON then */
export async function sentAndConfirmed(url: string, tx: { readonly id: string }): Promise<Record<string, unknown>> {
  await create(url).transactions.broadcast(tx as never);
  return eventually(async () => {
    const { status } = await getJson<{ status: string }>(`${url}/transactions/status/${tx.id}`);
    return status === "confirmed" ? getJson(`${url}/transactions/info/${tx.id}`) : undefined;
  });
}

/** First defined result. @param ask is called again while it returns undefined */
export async function eventually<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (const startedMs = Date.now(); Date.now() - startedMs < pollMs; ) {
    const result = await ask();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no answer within ${pollMs / 1_000} s`);
}
