/** Connected node after both handshakes. */
import type { BlockId, SignedHeader } from "../../src/protocol/blocks/block.ts";
import type { Handshake } from "../../src/protocol/messages/handshake.ts";
import type { PeerMessage } from "../../src/protocol/messages/message-table.ts";
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";

export interface Peer {
  /** Number that is unique while this process runs. */
  readonly id: number;
  readonly remote: PeerAddress;
  readonly handshake: Handshake;
  /** Side that dialed. */
  readonly direction: "inbound" | "outbound";
  /**
   * Queues a message for the connection. A peer that reads too slowly is disconnected; before that, scores,
   * announcements and transactions to it are dropped. Messages to a closed connection are dropped.
   */
  send(message: PeerMessage): void;
  /** Like `send`, for a frame to many peers, which is encoded once. */
  sendFrame(frame: Uint8Array): void;
  /** Resolves when little waits to be sent, or the connection is closed. Awaited before a large response is built. */
  drained(): Promise<void>;
  /** Closes the connection and refuses the host for a while. @param reason for the owner and the log */
  blacklist(reason: string): void;
  /** Like `blacklist`, for a shorter time, and without a reason. */
  suspend(): void;
  close(): void;
}

/** Receiver of the events of connected peers. */
export interface PeerListener {
  opened(peer: Peer): void;
  /**
   * Handles a message. The peer's next message is read once this has resolved, and large messages of other peers may
   * wait as well, so it must not wait for a message of another peer. An exception closes the connection and is logged.
   * @returns false: no room for the message, which may come from another peer
   */
  received(peer: Peer, message: PeerMessage): void | false | Promise<void>;
  /** Whether a block from the peer is known already and was not requested from that peer: then it is not parsed. */
  knowsBlock(peer: Peer, id: BlockId): boolean;
  /**
   * Whether to parse a large block of the peer: its header is validated before, at a hundredth of the cost. The peer
   * is held responsible for an invalid one.
   */
  acceptsHeader(peer: Peer, head: SignedHeader): Promise<boolean>;
  /** Whether snapshots were requested from the peer: others from it are not even read. */
  expectsSnapshots(peer: Peer): boolean;
  /** The peer sends nothing any more. */
  closed(peer: Peer): void;
}
