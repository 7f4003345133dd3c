/** One connection to a node, one request at a time: what was sent and answered, and when. */
import http from "node:http";

const requestTimeoutMs = 30_000;

export interface Exchanged {
  readonly path: string;
  /** 0: there was no whole answer. */
  readonly status: number;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
  /** By `performance.now()`. */
  readonly sentMs: number;
  readonly answeredMs: number;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; makes it a POST. */
  readonly body?: string;
}

export class TruthClient {
  readonly #url: URL;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  ask(path: string, { headers = {}, body }: Sent = {}): Promise<Exchanged> {
    const sentMs = performance.now();
    return new Promise((resolve) => {
      const end = (answer: Pick<Exchanged, "status" | "text" | "headers">): void =>
        resolve({ ...answer, path, sentMs, answeredMs: performance.now() });
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
        (answer) => {
          const pieces: Buffer[] = [];
          answer.on("data", (piece: Buffer) => pieces.push(piece));
          answer.on("end", () =>
            end({
              status: answer.statusCode ?? 0,
              text: Buffer.concat(pieces).toString(),
              headers: answer.headers,
            }),
          );
          answer.on("error", failed);
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
