/** Thread of a reader (`reader.ts`), so that its parent's work for an attack does not count as response time. */
import { parentPort, workerData } from "node:worker_threads";
import { readUntil } from "./reader.ts";

const end = new AbortController();
parentPort?.once("message", () => end.abort());
parentPort?.postMessage(await readUntil(workerData as string, end.signal));
