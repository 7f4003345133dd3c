/** A node that this one speaks with, once both have introduced themselves. */
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import type { Handshake } from "../../src/protocol/messages/handshake.ts";
import type { PeerMessage } from "../../src/protocol/messages/message-table.ts";
import type { PeerAddress } from "../../src/protocol/messages/peer-address.ts";

export interface Peer {
  /** Tells it from others as long as this process runs. */
  readonly id: number;
  readonly remote: PeerAddress;
  readonly handshake: Handshake;
  /** Which of the two has dialed. */
  readonly direction: "inbound" | "outbound";
  /**
   * Puts a message behind those that wait for the connection. A peer that reads too slowly for what it is sent is closed; scores,
   * announcements and transactions are left out before. What is sent to one that is closed is dropped.
   */
  send(message: PeerMessage): void;
  /** As `send`, for a frame that many peers get: it is written once. */
  sendFrame(frame: Uint8Array): void;
  /** Resolves when little waits to be sent, or the connection is closed: before a large answer is made. */
  drained(): Promise<void>;
  /** Closes the connection, and has none with its host for a while. @param reason a sentence, for the owner and the log */
  blacklist(reason: string): void;
  /** As `blacklist`, for a shorter time, and without a reason. */
  suspend(): void;
  close(): void;
}

/** Is told of each peer that this node speaks with. */
export interface PeerListener {
  opened(peer: Peer): void;
  /**
   * The next message of this peer is read once this has resolved; large ones of others may wait for it, too, so it waits for
   * nothing that another peer sends. What it throws closes the connection, and is logged.
   * @returns false: there was no room for it, and it may come from another peer
   */
  received(peer: Peer, message: PeerMessage): void | false | Promise<void>;
  /** Whether a block that the peer has sent is there already, and was not asked of it: then it is not read. */
  knowsBlock(peer: Peer, id: BlockId): boolean;
  /** Whether the peer was asked for snapshots: what else it sends of them is not even read. */
  expectsSnapshots(peer: Peer): boolean;
  /** Nothing comes from it any more. */
  closed(peer: Peer): void;
}
