/** Connections that send requests without pause, one at a time each, and count the responses. */
import http from "node:http";

/** A request takes longer only after an error. */
const requestTimeoutMs = 30_000;
/** Limit of stored error texts. */
const maxErrorTexts = 5;

export interface LoadResponse {
  /** Status; 0 without a response. */
  readonly status: number;
  readonly text: string;
}

/** Results of the requests of one kind. */
export interface Tally {
  done: number;
  /** Refusals that the load expects. */
  refused: number;
  errors: number;
  readonly latenciesMs: number[];
  readonly errorTexts: string[];
}

export function newTally(): Tally {
  return { done: 0, refused: 0, errors: 0, latenciesMs: [], errorTexts: [] };
}

/** One keep-alive connection with one request at a time. */
export class LoadClient {
  readonly #url: URL;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get(path: string): Promise<LoadResponse> {
    return this.#send("GET", path, undefined);
  }

  post(path: string, body: string, contentType = "application/json"): Promise<LoadResponse> {
    return this.#send("POST", path, { body, contentType });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, sent: { body: string; contentType: string } | undefined): Promise<LoadResponse> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => resolve({ status: 0, text: error.message });
      const headers =
        sent === undefined ? {} : { "Content-Type": sent.contentType, "Content-Length": Buffer.byteLength(sent.body) };
      const { hostname, port } = this.#url;
      const outgoing = http.request({ agent: this.#agent, hostname, port, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
        incoming.on("error", failed);
      });
      outgoing.setTimeout(requestTimeoutMs, () => outgoing.destroy(new Error("no answer")));
      outgoing.on("error", failed);
      outgoing.end(sent?.body);
    });
  }
}

/** Counts a response. @param isExpected true for a refusal that the load expects */
export function count(
  tally: Tally,
  response: LoadResponse,
  latencyMs: number,
  isExpected: (response: LoadResponse) => boolean,
): void {
  tally.latenciesMs.push(latencyMs);
  if (response.status >= 200 && response.status < 300) tally.done++;
  else if (isExpected(response)) tally.refused++;
  else {
    tally.errors++;
    if (tally.errorTexts.length < maxErrorTexts)
      tally.errorTexts.push(`${response.status} ${response.text.slice(0, 300)}`);
  }
}
