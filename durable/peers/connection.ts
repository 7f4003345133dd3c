/**
 * What stands between the protocol of peers and the world: a way to reach them, and a clock with timers. On Cloudflare these are
 * sockets of TCP and WebSockets, in a simulation calls within one process.
 */
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";

/** Bytes in both directions, in order. */
export interface Connection {
  /** Where the other end is, as the connection shows it; nothing that the peer says of itself. */
  readonly remote: PeerAddress;
  /** What the peer sends, until it or this node closes. What is not read yet keeps the peer from sending much more. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more. Rejects once the connection is closed. */
  write(bytes: Uint8Array): Promise<void>;
  /** Can be called more than once. */
  close(): void;
}

export interface Transport {
  /**
   * The addresses that a name stands for; of an address in digits that one.
   * @throws Error there is no such name
   */
  resolve(host: string): Promise<readonly Uint8Array[]>;
  /** @throws Error nobody answers there */
  connect(address: PeerAddress): Promise<Connection>;
}

/** Takes a timer back. */
export type Cancel = () => void;

export interface Timers {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Calls once, after so many ms. */
  after(delayMs: number, run: () => void): Cancel;
}
