/**
 * Whether a peer sends anything. The time runs while this node waits for it, and does not begin anew within a frame: who sends
 * one byte a minute is idle.
 * @source Waves: network/BrokenConnectionDetector.scala, where each byte begins it anew
 */
import type { Cancel, Timers } from "../connection.ts";

export class IdleWatch {
  readonly #timers: Timers;
  readonly #timeoutMs: number;
  readonly #isIdle: () => void;
  #leftMs: number;
  #sinceMs = 0;
  #cancel: Cancel | undefined;

  /** @param isIdle called once */
  constructor(timers: Timers, timeoutMs: number, isIdle: () => void) {
    this.#timers = timers;
    this.#timeoutMs = timeoutMs;
    this.#isIdle = isIdle;
    this.#leftMs = timeoutMs;
  }

  /** This node waits for the peer. */
  wait(): void {
    this.#cancel?.();
    this.#sinceMs = this.#timers.nowMs();
    this.#cancel = this.#timers.after(this.#leftMs, this.#isIdle);
  }

  /** Something has come. */
  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (this.#timers.nowMs() - this.#sinceMs));
  }

  /** What has come is worth the whole time once more. */
  renew(): void {
    this.#leftMs = this.#timeoutMs;
  }

  stop(): void {
    this.#cancel?.();
  }
}
