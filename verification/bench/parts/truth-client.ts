/** One connection to a node with one request at a time; records requests, responses and their times. */
import http from "node:http";

const requestTimeoutMs = 30_000;

export interface Exchanged {
  readonly path: string;
  /** Status; 0 without a complete response. */
  readonly status: number;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Time by `performance.now()`. */
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON body, which makes the request a POST. */
  readonly body?: string;
}

export class TruthClient {
  readonly #url: URL;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  request(path: string, { headers = {}, body }: Sent = {}): Promise<Exchanged> {
    const sentMs = performance.now();
    return new Promise((resolve) => {
      const end = (result: Pick<Exchanged, "status" | "text" | "headers">): void =>
        resolve({ ...result, path, sentMs, receivedMs: performance.now() });
      const failed = (error: Error): void => end({ status: 0, text: error.message, headers: {} });
      const ofBody =
        body === undefined
          ? {}
          : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
      const { hostname, port } = this.#url;
      const outgoing = http.request(
        {
          ...{ agent: this.#agent, hostname, port, path },
          method: body === undefined ? "GET" : "POST",
          headers: { ...headers, ...ofBody },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.on("end", () =>
            end({
              status: incoming.statusCode ?? 0,
              text: Buffer.concat(chunks).toString(),
              headers: incoming.headers,
            }),
          );
          incoming.on("error", failed);
        },
      );
      outgoing.setTimeout(requestTimeoutMs, () => outgoing.destroy(new Error("no answer")));
      outgoing.on("error", failed);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
