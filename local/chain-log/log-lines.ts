/**
 * Writes the log of a dev chain. Lines are buffered for a moment and written in batches: a client with a thousand
 * requests a second does not wait for the terminal, and repeated requests become one line.
 */
import type { LogEvent } from "./log-event.ts";

export interface LogLinesOptions {
  readonly write: (text: string) => void;
  readonly lineOf: (event: LogEvent) => string;
  /** Each event is a line, for programs; otherwise equal consecutive requests share one. */
  readonly isComplete: boolean;
  /** Calls back after a delay. */
  readonly later: (run: () => void, milliseconds: number) => void;
}

const PAUSE_MS = 50;
/** Limit of lines in a batch; further ones are only counted. */
const MAX_LINES = 500;

interface Waiting {
  readonly event: LogEvent;
  times: number;
}

export class LogLines {
  readonly #options: LogLinesOptions;
  #waiting: Waiting[] = [];
  #omitted = 0;
  #isDue = false;

  constructor(options: LogLinesOptions) {
    this.#options = options;
  }

  add(event: LogEvent): void {
    const last = this.#waiting.at(-1);
    const { isComplete, later } = this.#options;
    if (!isComplete && last !== undefined && isRepeated(event, last.event)) last.times++;
    else if (!isComplete && this.#waiting.length >= MAX_LINES) this.#omitted++;
    else this.#waiting.push({ event, times: 1 });
    if (this.#isDue) return;
    this.#isDue = true;
    later(() => this.flush(), PAUSE_MS);
  }

  /** Writes the pending lines. */
  flush(): void {
    this.#isDue = false;
    const lines = this.#waiting.map(({ event, times }) => {
      const line = this.#options.lineOf(event);
      return times === 1 ? line : `${line} ×${times}`;
    });
    if (this.#omitted > 0) lines.push(`... and ${this.#omitted} more`);
    this.#waiting = [];
    this.#omitted = 0;
    if (lines.length > 0) this.#options.write(`${lines.join("\n")}\n`);
  }
}

/** True for the same request with the same outcome as the last one. */
function isRepeated(event: LogEvent, last: LogEvent): boolean {
  return (
    event.event === "request" &&
    last.event === "request" &&
    event.status === last.status &&
    event.path === last.path &&
    event.method === last.method &&
    event.error === last.error
  );
}
