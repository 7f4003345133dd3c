/**
 * Sends requests to a server from a thread of its own. It must be cheap, because it shares the machine with the server.
 */
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";

/** Requests, target and duration of a load. */
export interface LoadOptions {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Encoded requests, concatenated. */
  readonly bytes: Uint8Array;
  /** End offset of each request. */
  readonly ends: Uint32Array;
  /** Sends each request once and ends with the last one; otherwise the requests repeat. */
  readonly isOnce: boolean;
}

/** Result of a load. */
export interface LoadResult {
  readonly responses: number;
  /** Responses with a status other than 2xx, and closed connections. */
  readonly errors: number;
  /** The first error. */
  readonly errorText: string | undefined;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Request of a load. */
export interface LoadRequest {
  readonly path: string;
  /** JSON body, which makes the request a POST. */
  readonly body?: string;
}

export class RequestLoad {
  readonly #thread = new Worker(path.join(import.meta.dirname, "request-load-thread.ts"));

  /** @param url of the server */
  async run(
    url: string,
    loadRequests: readonly LoadRequest[],
    { connections, durationMs, isOnce = false }: { connections: number; durationMs: number; isOnce?: boolean },
  ): Promise<LoadResult> {
    const { hostname, port, host } = new URL(url);
    const requests = loadRequests.map((each) => requestBytes(host, each));
    let end = 0;
    const ends = Uint32Array.from(requests, ({ length }) => (end += length));
    const order: LoadOptions = {
      ...{ host: hostname, port: Number(port), connections, durationMs, isOnce, ends },
      bytes: Buffer.concat(requests),
    };
    this.#thread.postMessage(order);
    const [outcome] = (await once(this.#thread, "message")) as [LoadResult];
    return outcome;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}

function requestBytes(host: string, { path, body }: LoadRequest): Buffer {
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  return Buffer.from(head + body);
}
