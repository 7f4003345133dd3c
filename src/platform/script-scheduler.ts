/**
 * Precedence of short requests over scripts run for clients: an isolate has one thread, and a script may hold it for a
 * second. Requests share no promise, since the runtime drops those that belong to a cancelled request.
 */

/** Complexity after which requests that have arrived meanwhile run first. */
const UNINTERRUPTED_COMPLEXITY = 10_000;
const ROUND_MS = 5;
/** Rounds without another script: in the first one the runtime reads arrived requests. */
const QUIET_ROUNDS = 2;
/** Rounds of waiting for other requests in flight: scripts must make progress under constant reads. */
const MAX_WAIT_ROUNDS = 20;
/** A request that runs longer than this waits for something else or was cancelled. */
const SHORT_MS = 1_000;

/** Permission of a request to run scripts. */
export interface ScriptSlot {
  /** Waits until a script may run, which must then begin at once. @throws WorkExceeded if the work is counted */
  begin(): Promise<void>;
  /** Counts complexity that the script has spent. */
  spent(complexity: number): void;
}

/** Slot of one request, which has precedence until it runs scripts itself. */
export interface RequestSlot extends ScriptSlot {
  /** To be called when the request has its response. */
  end(): void;
}

export class ScriptScheduler {
  readonly #nowMs: () => number;
  readonly #pause: (ms: number) => Promise<void>;
  /** Start time of each request in flight, the oldest first. */
  readonly #requests = new Map<object, number>();
  #complexity = 0;
  #scripts = 0;

  constructor(nowMs: () => number, pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))) {
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  enter(): RequestSlot {
    const request = {};
    this.#requests.set(request, this.#nowMs());
    return {
      begin: async () => {
        this.#requests.delete(request);
        if (this.#complexity >= UNINTERRUPTED_COMPLEXITY) await this.#untilQuiet();
      },
      spent: (complexity) => {
        this.#complexity += complexity;
        this.#scripts += 1;
      },
      end: () => void this.#requests.delete(request),
    };
  }

  async #untilQuiet(): Promise<void> {
    let scripts = this.#scripts;
    let quietRounds = 0;
    do {
      await this.#pause(ROUND_MS);
      if (this.#complexity < UNINTERRUPTED_COMPLEXITY && scripts === this.#scripts) return;
      quietRounds = scripts === this.#scripts ? quietRounds + 1 : 0;
      scripts = this.#scripts;
    } while (quietRounds < QUIET_ROUNDS || (quietRounds < MAX_WAIT_ROUNDS && this.#hasRequests()));
    // Shows other waiting requests that a script begins.
    this.#scripts += 1;
    this.#complexity = 0;
  }

  #hasRequests(): boolean {
    const oldestMs = this.#nowMs() - SHORT_MS;
    for (const [request, beganMs] of this.#requests) {
      if (beganMs >= oldestMs) return true;
      this.#requests.delete(request);
    }
    return false;
  }
}
