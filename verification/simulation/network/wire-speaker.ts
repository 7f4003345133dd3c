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

export interface SpeakerFacts {
  readonly connection: Connection;
  readonly handshake: Handshake;
  readonly context: MessageContext;
  /** Called after the node's handshake. */
  readonly began: (speaker: WireSpeaker) => void;
  readonly heard: (message: PeerMessage, speaker: WireSpeaker) => void;
}

export class WireSpeaker {
  readonly #facts: SpeakerFacts;
  #isOver = false;

  constructor(options: SpeakerFacts) {
    this.#facts = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves at the end of the connection. */
  async run(): Promise<void> {
    const { connection, handshake } = this.#facts;
    this.sendBytes(encodeHandshake(handshake));
    try {
      await this.#read();
    } finally {
      this.#isOver = true;
      connection.close();
    }
  }

  send(message: PeerMessage): void {
    this.sendBytes(encodeFrame(frameOf(message, this.#facts.context)));
  }

  sendBytes(bytes: Uint8Array): void {
    // A blacklisted connection is noticed when reading ends.
    this.#facts.connection.write(bytes).catch(() => {});
  }

  async #read(): Promise<void> {
    const { connection, began, heard, context } = this.#facts;
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
        began(this);
      }
      for (const frame of frames.read(rest)) {
        const message = parsed(() => parseMessage(frame, context));
        if (message !== undefined) heard(message, this);
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
