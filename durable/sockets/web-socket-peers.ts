/** Connections with edge nodes that are known by the URL of a WebSocket: each is made anew when it is over. */
import type { Cancel, Timers } from "../peers/connection.ts";
import type { WebSocketConnection } from "./web-socket-connection.ts";

export interface WebSocketPeersFacts {
  readonly urls: readonly string[];
  /** @throws Error nobody answers there */
  readonly dial: (url: string) => Promise<WebSocketConnection>;
  /** Takes a connection that this node has made. */
  readonly accept: (connection: WebSocketConnection) => void;
  readonly timers: Timers;
}

/** Until the next attempt: at first, and at most when one after the other fails. */
const RETRY_MS = { first: 5_000, longest: 5 * 60_000 } as const;

export class WebSocketPeers {
  readonly #facts: WebSocketPeersFacts;
  readonly #pauses = new Set<Cancel>();
  #isStopped = false;

  constructor(facts: WebSocketPeersFacts) {
    this.#facts = facts;
  }

  start(): void {
    for (const url of this.#facts.urls) void this.#connect(url, RETRY_MS.first);
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#pauses) cancel();
  }

  async #connect(url: string, retryMs: number): Promise<void> {
    const { dial, accept, timers } = this.#facts;
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
    // One that was of use is missed at once; one that is shut out comes back late.
    const isOfUse = timers.nowMs() - fromMs > retryMs;
    const pauseMs = isOfUse ? RETRY_MS.first : retryMs;
    if (this.#isStopped) return;
    const cancel = timers.after(pauseMs, () => {
      this.#pauses.delete(cancel);
      void this.#connect(url, Math.min(2 * pauseMs, RETRY_MS.longest));
    });
    this.#pauses.add(cancel);
  }
}
