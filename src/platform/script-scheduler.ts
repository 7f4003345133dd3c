/**
 * Precedence of requests that compute little over scripts that clients have run: an isolate has one thread, and a script may
 * hold it for a second. No promise is shared between requests, since the runtime drops what belongs to a cancelled one.
 */

/** Complexity after which the requests that came meanwhile go first. */
const UNINTERRUPTED_COMPLEXITY = 10_000;
const ROUND_MS = 5;
/** Rounds without another script: in the first one the runtime reads what has arrived. */
const QUIET_ROUNDS = 2;
/** Rounds for which other requests in flight are waited for: scripts must go on under constant reads. */
const PATIENT_ROUNDS = 20;
/** A request that has not ended by then waits for something else, or was cancelled. */
const SHORT_MS = 1_000;

/** What a request that runs scripts waits for. */
export interface ScriptTurn {
  /** Waits until a script may run; it must begin at once. @throws WorkExceeded, where the work is counted */
  begin(): Promise<void>;
  /** Counts complexity that the script has spent. */
  spent(complexity: number): void;
}

/** One request: it goes first until it runs scripts itself. */
export interface RequestTurn extends ScriptTurn {
  /** The request has its response. */
  end(): void;
}

export class WorkTurns {
  readonly #nowMs: () => number;
  readonly #pause: (ms: number) => Promise<void>;
  /** Begin of each request in flight, the oldest first. */
  readonly #requests = new Map<object, number>();
  #complexity = 0;
  #scripts = 0;

  constructor(nowMs: () => number, pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))) {
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  enter(): RequestTurn {
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
    } while (quietRounds < QUIET_ROUNDS || (quietRounds < PATIENT_ROUNDS && this.#hasRequests()));
    // Others that wait see that one begins.
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
