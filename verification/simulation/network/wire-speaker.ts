/** Raw P2P connection to a node: the caller decides which bytes are sent. */
import type { Connection } from "../../../durable/peer-hub/connection.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { encodeFrame, FrameReader } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake, type Handshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import {
  frameOf,
  type MessageContext,
  maxPayloadBytes,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";

export interface WireSpeakerOptions {
  readonly connection: Connection;
  readonly handshake: Handshake;
  readonly context: MessageContext;
  /** Called after the node's handshake. */
  readonly onHandshake: (speaker: WireSpeaker) => void;
  readonly onMessage: (message: PeerMessage, speaker: WireSpeaker) => void;
}

export class WireSpeaker {
  readonly #options: WireSpeakerOptions;
  #isOver = false;

  constructor(options: WireSpeakerOptions) {
    this.#options = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves at the end of the connection. */
  async run(): Promise<void> {
    const { connection, handshake } = this.#options;
    this.sendBytes(encodeHandshake(handshake));
    try {
      await this.#read();
    } finally {
      this.#isOver = true;
      connection.close();
    }
  }

  send(message: PeerMessage): void {
    this.sendBytes(encodeFrame(frameOf(message, this.#options.context)));
  }

  sendBytes(bytes: Uint8Array): void {
    // A blacklisted connection is noticed when reading ends.
    this.#options.connection.write(bytes).catch(() => {});
  }

  async #read(): Promise<void> {
    const { connection, onHandshake, onMessage, context } = this.#options;
    const frames = new FrameReader(maxPayloadBytes);
    const handshakes = new HandshakeReader();
    let hasBegun = false;
    for await (const chunk of connection.incoming) {
      let rest = chunk;
      if (!hasBegun) {
        const read = handshakes.read(chunk);
        if (read === undefined) continue;
        hasBegun = true;
        rest = read.rest;
        onHandshake(this);
      }
      for (const frame of frames.read(rest)) {
        const message = parsed(() => parseMessage(frame, context));
        if (message !== undefined) onMessage(message, this);
      }
    }
  }
}

function parsed(parse: () => PeerMessage): PeerMessage | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
