/** Connections with edge nodes by WebSocket URL. A connection that ends is opened again. */
import type { Cancel, Timers } from "../connection.ts";
import type { WebSocketConnection } from "./web-socket-connection.ts";

export interface WebSocketPeersOptions {
  readonly urls: readonly string[];
  /** @throws Error no connection */
  readonly dial: (url: string) => Promise<WebSocketConnection>;
  /** Takes over a connection that this node has opened. */
  readonly accept: (connection: WebSocketConnection) => void;
  readonly timers: Timers;
}

/** Delay before the next attempt: at first, and at most after repeated failures. */
const RETRY_MS = { first: 5_000, longest: 5 * 60_000 } as const;

export class WebSocketPeers {
  readonly #options: WebSocketPeersOptions;
  readonly #pauses = new Set<Cancel>();
  #isStopped = false;

  constructor(options: WebSocketPeersOptions) {
    this.#options = options;
  }

  start(): void {
    for (const url of this.#options.urls) void this.#connect(url, RETRY_MS.first);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#pauses) cancel();
  }

  async #connect(url: string, retryMs: number): Promise<void> {
    const { dial, accept, timers } = this.#options;
    const connection = await dial(url).catch(() => undefined);
    if (this.#isStopped) {
      connection?.close();
      return;
    }
    const fromMs = timers.nowMs();
    if (connection !== undefined) {
      accept(connection);
      await connection.closed;
    }
    // After a long connection the retry is soon; a peer that refuses this node is retried late.
    const wasUseful = timers.nowMs() - fromMs > retryMs;
    const pauseMs = wasUseful ? RETRY_MS.first : retryMs;
    if (this.#isStopped) return;
    const cancel = timers.after(pauseMs, () => {
      this.#pauses.delete(cancel);
      void this.#connect(url, Math.min(2 * pauseMs, RETRY_MS.longest));
    });
    this.#pauses.add(cancel);
  }
}
