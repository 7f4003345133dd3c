/** Thread of `RequestLoad`: sockets that send prepared bytes, each the next request after a response. */
import net from "node:net";
import { parentPort } from "node:worker_threads";
import { percentile } from "./percentile.ts";
import type { LoadOptions, LoadResult } from "./request-load.ts";
import { ResponseReader } from "./response-reader.ts";

const chunkBytes = 65_536;
const maxPrintedBytes = 300;

if (parentPort === null) throw new Error("this is a thread's code");
const port = parentPort;
port.on("message", (order: LoadOptions) => void run(order).then((result) => port.postMessage(result)));

async function run(order: LoadOptions): Promise<LoadResult> {
  const { bytes, ends, isOnce, connections, durationMs } = order;
  const latenciesMs: number[] = [];
  const sockets: net.Socket[] = [];
  const failures: string[] = [];
  let next = 0;
  let waiting = 0;
  let endMs = Number.POSITIVE_INFINITY;
  let startedMs = 0;
  let lastMs = 0;
  const finished = Promise.withResolvers<void>();

  /** Undefined when no requests are left. */
  const nextRequest = (): Uint8Array | undefined => {
    if (next === ends.length) {
      if (isOnce) return undefined;
      next = 0;
    }
    const start = next === 0 ? 0 : (ends[next - 1] as number);
    return bytes.subarray(start, ends[next++]);
  };

  const connect = (): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const reader = new ResponseReader();
      const buffer = Buffer.alloc(chunkBytes);
      let sentMs = 0;
      let isSent = false;
      const send = (): void => {
        const request = performance.now() < endMs ? nextRequest() : undefined;
        isSent = request !== undefined;
        if (request === undefined) {
          if (--waiting === 0) finished.resolve();
          return;
        }
        sentMs = performance.now();
        socket.write(request);
      };
      const onResponse = (length: number): void => {
        if (reader.push(buffer.subarray(0, length)) === 0) return;
        const nowMs = performance.now();
        if (nowMs <= endMs) {
          lastMs = nowMs;
          latenciesMs.push(nowMs - sentMs);
          if (reader.status < 200 || reader.status > 299)
            failures.push(
              `${reader.status}: ${buffer.toString("utf8", Math.max(length - maxPrintedBytes, 0), length)}`,
            );
        }
        send();
      };
      const socket = net.connect({
        host: order.host,
        port: order.port,
        noDelay: true,
        onread: {
          buffer,
          callback: (length) => {
            onResponse(length);
            return true;
          },
        },
      });
      sockets.push(socket);
      socket.once("connect", () => resolve(send));
      socket.once("error", reject);
      socket.once("close", () => {
        if (!isSent || performance.now() > endMs) return;
        failures.push("the connection was closed");
        if (--waiting === 0) finished.resolve();
      });
    });

  const starts = await Promise.all(Array.from({ length: connections }, connect));
  startedMs = performance.now();
  endMs = startedMs + durationMs;
  waiting = connections;
  for (const start of starts) start();
  // A server that does not respond is not waited for.
  const timer = setTimeout(() => finished.resolve(), durationMs);
  await finished.promise;
  clearTimeout(timer);
  const isCutShort = isOnce && next === ends.length && lastMs < endMs;
  const seconds = ((isCutShort ? lastMs : Math.min(performance.now(), endMs)) - startedMs) / 1_000;
  endMs = 0;
  for (const socket of sockets) socket.destroy();
  return {
    responses: latenciesMs.length,
    errors: failures.length,
    errorText: failures[0],
    seconds,
    p50Ms: percentile(latenciesMs, 0.5) ?? Number.NaN,
    p99Ms: percentile(latenciesMs, 0.99) ?? Number.NaN,
  };
}
