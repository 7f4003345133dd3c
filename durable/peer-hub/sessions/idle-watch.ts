/**
 * Timeout of a silent peer. The time runs while this node waits for the peer, and is not reset within a frame: a peer
 * that sends one byte a minute is idle.
 * @source Waves: network/BrokenConnectionDetector.scala, where each byte resets the time
 */
import type { Cancel, Timers } from "../connection.ts";

export class IdleWatch {
  readonly #timers: Timers;
  readonly #timeoutMs: number;
  readonly #isIdle: () => void;
  #remainingMs: number;
  #sinceMs = 0;
  #cancel: Cancel | undefined;

  /** @param isIdle called once */
  constructor(timers: Timers, timeoutMs: number, isIdle: () => void) {
    this.#timers = timers;
    this.#timeoutMs = timeoutMs;
    this.#isIdle = isIdle;
    this.#remainingMs = timeoutMs;
  }

  /** This node starts to wait for the peer. */
  wait(): void {
    this.#cancel?.();
    this.#sinceMs = this.#timers.nowMs();
    this.#cancel = this.#timers.after(this.#remainingMs, this.#isIdle);
  }

  /** Bytes have arrived. */
  pause(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#remainingMs = Math.max(0, this.#remainingMs - (this.#timers.nowMs() - this.#sinceMs));
  }

  /** Resets the time: a frame has started or is complete. */
  renew(): void {
    this.#remainingMs = this.#timeoutMs;
  }

  stop(): void {
    this.#cancel?.();
  }
}
