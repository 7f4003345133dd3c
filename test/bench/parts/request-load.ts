/** Requests put to a server by a thread of their own, which is cheap, for it shares the machine with the server. */
import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";

/** What a load asks, whom, and how long. */
export interface LoadOrder {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  readonly durationMs: number;
  /** Requests as they are sent, one behind the other. */
  readonly bytes: Uint8Array;
  /** Where each of them ends. */
  readonly ends: Uint32Array;
  /** Each request once, and the load ends with the last one; otherwise they come again and again. */
  readonly isOnce: boolean;
}

/** How it went. */
export interface LoadOutcome {
  readonly answers: number;
  /** Answers with another status than 2xx, and connections that ended. */
  readonly errors: number;
  /** The first of them. */
  readonly errorText: string | undefined;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A request as the load takes it. */
export interface Asked {
  readonly path: string;
  /** JSON; with it the request is a POST. */
  readonly body?: string;
}

export class RequestLoad {
  readonly #thread = new Worker(path.join(import.meta.dirname, "request-load-thread.ts"));

  /** @param url of the server */
  async run(
    url: string,
    asked: readonly Asked[],
    { connections, durationMs, isOnce = false }: { connections: number; durationMs: number; isOnce?: boolean },
  ): Promise<LoadOutcome> {
    const { hostname, port, host } = new URL(url);
    const requests = asked.map((each) => requestBytes(host, each));
    let end = 0;
    const ends = Uint32Array.from(requests, ({ length }) => (end += length));
    const order: LoadOrder = {
      ...{ host: hostname, port: Number(port), connections, durationMs, isOnce, ends },
      bytes: Buffer.concat(requests),
    };
    this.#thread.postMessage(order);
    const [outcome] = (await once(this.#thread, "message")) as [LoadOutcome];
    return outcome;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}

function requestBytes(host: string, { path, body }: Asked): Buffer {
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  return Buffer.from(head + body);
}
