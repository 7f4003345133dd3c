/**
 * Access of the peer protocol to the world: connections, and a clock with timers. On Cloudflare the connections are TCP
 * sockets and WebSockets, in a simulation calls within one process.
 */
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";

/** Byte stream in both directions, in order. */
export interface Connection {
  /** Address of the other end as the connection shows it, not one that the peer declares. */
  readonly remote: PeerAddress;
  /** Bytes from the peer, until one of both closes. Unread bytes keep the peer from sending much more. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more. Rejects once the connection is closed. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the connection. Further calls do nothing. */
  close(): void;
}

export interface Transport {
  /**
   * Addresses of a host name; for an IP address, that address.
   * @throws Error unknown name
   */
  resolve(host: string): Promise<readonly Uint8Array[]>;
  /** @throws Error no response from the address */
  connect(address: PeerAddress): Promise<Connection>;
}

/** Cancels a timer. */
export type Cancel = () => void;

export interface Timers {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Calls `run` once after the delay. */
  after(delayMs: number, run: () => void): Cancel;
}
