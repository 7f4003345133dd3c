/** Speaks with a node byte by byte, as nobody does who means well: what is sent is up to whoever holds it. */
import type { Connection } from "../../../durable/peers/connection.ts";
import { WireError } from "../../../src/protocol/faults.ts";
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
  /** What to do once the other one has introduced itself. */
  readonly began: (speaker: WireSpeaker) => void;
  readonly heard: (message: PeerMessage, speaker: WireSpeaker) => void;
}

export class WireSpeaker {
  readonly #facts: SpeakerFacts;
  #isOver = false;

  constructor(facts: SpeakerFacts) {
    this.#facts = facts;
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
    // Whoever is shut out hears of it by the end of what it reads.
    this.#facts.connection.write(bytes).catch(() => {});
  }

  async #read(): Promise<void> {
    const { connection, began, heard, context } = this.#facts;
    const frames = new FrameReader(maxPayloadBytes);
    const handshakes = new HandshakeReader();
    let hasBegun = false;
    for await (const piece of connection.incoming) {
      let rest = piece;
      if (!hasBegun) {
        const read = handshakes.read(piece);
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
