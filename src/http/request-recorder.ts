/** Records each request after its response: in the counters of this isolate, and in the deployment's log. */
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
    // A clock set back must not make a duration negative.
    const milliseconds = Math.max(0, this.#nowMs() - work.startedMs);
    this.counters.count(work, { status, milliseconds });
    this.#log?.write(recordOf(work, { status, milliseconds }));
  }
}
