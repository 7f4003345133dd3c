/** What tests over HTTP need beside a node. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder that goes away with the test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "node-test-"));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function getJson<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
