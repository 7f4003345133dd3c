/** Remote end of a connection, which sends what a test wants. */
import type { Connection } from "../../../durable/peer-hub/connection.ts";
import { encodeFrame, FrameReader } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake, type Handshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import {
  frameOf,
  type MessageContext,
  maxPayloadBytes,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";

export const testContext: MessageContext = { chainId: 82, source: ownRecords };

export const rawPeerHandshake: Handshake = {
  applicationName: "wavesR",
  version: { major: 1, minor: 5, patch: 7 },
  nodeName: "stranger",
  nonce: 1_000n,
  declaredAddress: undefined,
  timeSeconds: 1_700_000_000n,
};

export class RawPeer {
  readonly connection: Connection;
  /** Messages received after the handshake. */
  readonly messages: PeerMessage[] = [];
  handshake: Handshake | undefined;
  isClosed = false;

  constructor(connection: Connection, { reads = true } = {}) {
    this.connection = connection;
    if (reads) void this.read();
  }

  /** @returns kind of each message */
  get kinds(): string[] {
    return this.messages.map(({ kind }) => kind);
  }

  greet(handshake: Partial<Handshake> = {}): this {
    return this.write(encodeHandshake({ ...rawPeerHandshake, ...handshake }));
  }

  write(...chunks: readonly Uint8Array[]): this {
    for (const chunk of chunks)
      this.connection.write(chunk).catch(() => {
        this.isClosed = true;
      });
    return this;
  }

  send(...messages: readonly PeerMessage[]): this {
    return this.write(...messages.map((message) => encodeFrame(frameOf(message, testContext))));
  }

  async read(): Promise<void> {
    const greeting = new HandshakeReader();
    const frames = new FrameReader(maxPayloadBytes);
    for await (const chunk of this.connection.incoming) {
      let rest: Uint8Array | undefined = chunk;
      if (this.handshake === undefined) {
        const read = greeting.read(chunk);
        this.handshake = read?.handshake;
        rest = read?.rest;
      }
      for (const frame of frames.read(rest ?? new Uint8Array(0))) this.messages.push(parseMessage(frame, testContext));
    }
    this.isClosed = true;
  }
}
