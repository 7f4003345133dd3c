/** Takes down each request once it is answered: in the counters of this isolate, and where the deployment wants it. */
import { RequestCounters } from "./request-counters.ts";
import { type RequestLog, recordOf } from "./request-log.ts";
import type { RequestWork } from "./request-work.ts";

export class RequestRecorder {
  readonly counters: RequestCounters;
  readonly #log: RequestLog | undefined;
  readonly #nowMs: () => number;

  constructor(log: RequestLog | undefined, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.counters = new RequestCounters(nowMs());
  }

  record(work: RequestWork, status: number): void {
    // A clock that was put back makes no time negative.
    const milliseconds = Math.max(0, this.#nowMs() - work.startedMs);
    this.counters.count(work, { status, milliseconds });
    this.#log?.write(recordOf(work, { status, milliseconds }));
  }
}
