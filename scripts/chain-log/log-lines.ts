/**
 * Writes the log of a dev chain. Lines wait for a moment and go out together: whoever asks a thousand times a second waits for no
 * terminal, and what repeats itself is one line.
 */
import type { LogEvent } from "./log-event.ts";

export interface LogLinesFacts {
  readonly write: (text: string) => void;
  readonly lineOf: (event: LogEvent) => string;
  /** Whether each event is a line, for programs; else equal requests that follow each other are one. */
  readonly isComplete: boolean;
  /** Calls back after a while. */
  readonly later: (run: () => void, milliseconds: number) => void;
}

const PAUSE_MS = 50;
/** Of more lines than this at a time the rest are only counted. */
const MAX_LINES = 500;

interface Waiting {
  readonly event: LogEvent;
  times: number;
}

export class LogLines {
  readonly #facts: LogLinesFacts;
  #waiting: Waiting[] = [];
  #left = 0;
  #isDue = false;

  constructor(facts: LogLinesFacts) {
    this.#facts = facts;
  }

  add(event: LogEvent): void {
    const last = this.#waiting.at(-1);
    const { isComplete, later } = this.#facts;
    if (!isComplete && last !== undefined && isRepeated(event, last.event)) last.times++;
    else if (!isComplete && this.#waiting.length >= MAX_LINES) this.#left++;
    else this.#waiting.push({ event, times: 1 });
    if (this.#isDue) return;
    this.#isDue = true;
    later(() => this.flush(), PAUSE_MS);
  }

  /** Writes what waits. */
  flush(): void {
    this.#isDue = false;
    const lines = this.#waiting.map(({ event, times }) => {
      const line = this.#facts.lineOf(event);
      return times === 1 ? line : `${line} ×${times}`;
    });
    if (this.#left > 0) lines.push(`... and ${this.#left} more`);
    this.#waiting = [];
    this.#left = 0;
    if (lines.length > 0) this.#facts.write(`${lines.join("\n")}\n`);
  }
}

/** Whether a request is the same as the one before, with the same outcome. */
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
