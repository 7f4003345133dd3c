/** The thread of a reader (`reader.ts`): what its parent computes for an attack does not count as waiting. */
import { parentPort, workerData } from "node:worker_threads";
import { readUntil } from "./reader.ts";

const end = new AbortController();
parentPort?.once("message", () => end.abort());
parentPort?.postMessage(await readUntil(workerData as string, end.signal));
