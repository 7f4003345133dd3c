/** Connections to a node that ask without a pause, each for itself, and count what comes back. */
import http from "node:http";

/** A request takes longer only when something is wrong. */
const requestTimeoutMs = 30_000;
/** Texts of errors that are kept, to be shown. */
const keptErrors = 5;

export interface Answer {
  /** 0: there was none. */
  readonly status: number;
  readonly text: string;
}

/** How the requests of one kind went. */
export interface Tally {
  done: number;
  /** Refused for a reason that this load means to meet. */
  refused: number;
  errors: number;
  readonly latenciesMs: number[];
  readonly errorTexts: string[];
}

export function newTally(): Tally {
  return { done: 0, refused: 0, errors: 0, latenciesMs: [], errorTexts: [] };
}

/** One connection, kept open: one request at a time. */
export class LoadClient {
  readonly #url: URL;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  get(path: string): Promise<Answer> {
    return this.#send("GET", path, undefined);
  }

  post(path: string, body: string, contentType = "application/json"): Promise<Answer> {
    return this.#send("POST", path, { body, contentType });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, sent: { body: string; contentType: string } | undefined): Promise<Answer> {
    return new Promise((resolve) => {
      const failed = (error: Error): void => resolve({ status: 0, text: error.message });
      const headers =
        sent === undefined ? {} : { "Content-Type": sent.contentType, "Content-Length": Buffer.byteLength(sent.body) };
      const { hostname, port } = this.#url;
      const outgoing = http.request({ agent: this.#agent, hostname, port, method, path, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
        answer.on("error", failed);
      });
      outgoing.setTimeout(requestTimeoutMs, () => outgoing.destroy(new Error("no answer")));
      outgoing.on("error", failed);
      outgoing.end(sent?.body);
    });
  }
}

/** Counts an answer. @param isMeant whether a refusal is one that the load means to meet */
export function count(tally: Tally, answer: Answer, latencyMs: number, isMeant: (answer: Answer) => boolean): void {
  tally.latenciesMs.push(latencyMs);
  if (answer.status >= 200 && answer.status < 300) tally.done++;
  else if (isMeant(answer)) tally.refused++;
  else {
    tally.errors++;
    if (tally.errorTexts.length < keptErrors) tally.errorTexts.push(`${answer.status} ${answer.text.slice(0, 300)}`);
  }
}
