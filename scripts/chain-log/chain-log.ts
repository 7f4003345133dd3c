/** The log of a dev chain: what clients ask, and what becomes of the chain. */
import { type ParsedJson, parseJson } from "../../src/protocol/parse-json.ts";
import { exactJson } from "../../testing/exact-json.ts";
import type { OperatorRequest } from "../runner/chain-operator.ts";
import { ChainFollower } from "./chain-follower.ts";
import { eventLine, paintFor } from "./event-line.ts";
import type { LogEvent } from "./log-event.ts";
import { LogLines } from "./log-lines.ts";
import { readRefusal } from "./refusal.ts";
import { transactionSummary } from "./transaction-summary.ts";

export interface ChainLogFacts {
  readonly stream: { readonly isTTY?: boolean | undefined; write(text: string): unknown };
  /** Lines of JSON instead of text. */
  readonly isJson: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Asks the node. @throws where it does not answer */
  readonly get: (path: string) => Promise<ParsedJson>;
}

/** As the front server tells of it. */
interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly refusal: string | undefined;
}

/**
 * The log of this process's node, on its output.
 * @param ask the node, past the server that is listened to
 */
export async function openChainLog({
  isJson,
  ask,
}: {
  readonly isJson: boolean;
  readonly ask: OperatorRequest;
}): Promise<ChainLog> {
  const get = async (path: string): Promise<ParsedJson> => {
    const { status, text } = await ask("GET", path);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
    return parseJson(text);
  };
  const log = new ChainLog({ stream: process.stdout, isJson, environment: process.env, get });
  await log.begin();
  return log;
}

export class ChainLog {
  readonly #lines: LogLines;
  readonly #follower: ChainFollower;

  constructor({ stream, isJson, environment, get }: ChainLogFacts) {
    const paint = paintFor(stream, environment);
    const later = (run: () => void, milliseconds: number): void => void setTimeout(run, milliseconds);
    this.#lines = new LogLines({
      write: (text) => stream.write(text),
      lineOf: isJson ? exactJson : (event) => eventLine(event, paint),
      isComplete: isJson,
      later,
    });
    this.#follower = new ChainFollower({ get, tell: (event) => this.#tell(event), later });
  }

  /** What is on the chain by now is not told of. */
  begin(): Promise<void> {
    return this.#follower.begin();
  }

  /** A request has its answer. */
  answered({ method, path, status, milliseconds, refusal }: Answered): void {
    const refused = refusal === undefined ? undefined : readRefusal(refusal);
    const error = refused?.message;
    const request = { event: "request", method, path, status, milliseconds } as const;
    if (refused?.transaction === undefined) {
      this.#tell({ ...request, error });
      return;
    }
    this.#tell({ ...request, error: undefined });
    const summary = transactionSummary(refused.transaction);
    this.#tell({ event: "transaction", height: undefined, ...summary, status: "refused", error });
  }

  /** The chain may have changed. */
  changed(): void {
    this.#follower.changed();
  }

  /** Writes what waits. */
  flush(): void {
    this.#lines.flush();
  }

  #tell(event: LogEvent): void {
    this.#lines.add(event);
  }
}
