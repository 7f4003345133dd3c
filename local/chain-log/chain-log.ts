/** The log of a dev chain: requests of clients, and events of the chain. */
import { type ParsedJson, parseJson } from "../../src/protocol/parse-json.ts";
import type { OperatorRequest } from "../runtime/chain-operator.ts";
import { exactJson } from "../testing/exact-json.ts";
import { ChainFollower } from "./chain-follower.ts";
import { eventLine, paintFor } from "./event-line.ts";
import type { LogEvent } from "./log-event.ts";
import { LogLines } from "./log-lines.ts";
import { readRefusal } from "./refusal.ts";
import { transactionSummary } from "./transaction-summary.ts";

export interface ChainLogOptions {
  readonly stream: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
  /** JSON lines instead of text. */
  readonly isJson: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sends a GET request to the node. @throws the node does not respond */
  readonly get: (path: string) => Promise<ParsedJson>;
}

/** Completed request, as the front server reports it. */
interface CompletedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly refusal: string | undefined;
}

/**
 * Opens the log of this process's node, on its output.
 * @param request sends a request to the node directly, without the front server
 */
export async function openChainLog({
  isJson,
  request,
}: {
  readonly isJson: boolean;
  readonly request: OperatorRequest;
}): Promise<ChainLog> {
  const get = async (path: string): Promise<ParsedJson> => {
    const { status, text } = await request("GET", path);
    if (status !== 200) throw new Error(`${path}: status ${status}`);
    return parseJson(text);
  };
  const log = new ChainLog({ stream: process.stdout, isJson, environment: process.env, get });
  await log.begin();
  return log;
}

export class ChainLog {
  readonly #lines: LogLines;
  readonly #follower: ChainFollower;

  constructor({ stream, isJson, environment, get }: ChainLogOptions) {
    const paint = paintFor(stream, environment);
    const later = (run: () => void, milliseconds: number): void => void setTimeout(run, milliseconds);
    this.#lines = new LogLines({
      write: (text) => stream.write(text),
      lineOf: isJson ? exactJson : (event) => eventLine(event, paint),
      isComplete: isJson,
      later,
    });
    this.#follower = new ChainFollower({ get, onEvent: (event) => this.#log(event), later });
  }

  /** Begins at the current tip; earlier blocks are not logged. */
  begin(): Promise<void> {
    return this.#follower.begin();
  }

  /** Logs a request with its response. */
  requestCompleted({ method, path, status, milliseconds, refusal }: CompletedRequest): void {
    const refused = refusal === undefined ? undefined : readRefusal(refusal);
    const error = refused?.message;
    const request = { event: "request", method, path, status, milliseconds } as const;
    if (refused?.transaction === undefined) {
      this.#log({ ...request, error });
      return;
    }
    this.#log({ ...request, error: undefined });
    const summary = transactionSummary(refused.transaction);
    this.#log({ event: "transaction", height: undefined, ...summary, status: "refused", error });
  }

  /** Notifies the log that the chain may have changed. */
  changed(): void {
    this.#follower.changed();
  }

  /** Writes the pending lines. */
  flush(): void {
    this.#lines.flush();
  }

  #log(event: LogEvent): void {
    this.#lines.add(event);
  }
}
