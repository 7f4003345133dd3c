/** Peer controlled by a test. Messages to it are read from the frames, as on the wire. */
import type { Peer, PeerListener } from "../../../durable/peer-hub/peer.ts";
import type { Block, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeFrame, FrameReader } from "../../../src/protocol/messages/frame.ts";
import {
  frameOf,
  type MessageKind,
  maxPayloadBytes,
  messageTable,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { chainId } from "../builders/test-block.ts";
import { type FakeChain, WEIGHT } from "./fake-chain.ts";

const context = { chainId, source: ownRecords };

type Message<Kind extends MessageKind> = Extract<PeerMessage, { readonly kind: Kind }>;

export interface FakePeerOptions {
  readonly version?: Peer["handshake"]["version"];
  /** Another peer on the same host. */
  readonly host?: Peer;
  /** Chain from which it responds to requests by itself. */
  readonly serves?: FakeChain;
  /** Response to a request for snapshots; by default as many as the block has transactions. */
  readonly snapshotsOf?: (block: Block) => readonly string[] | undefined;
  /** Delays its responses with blocks. */
  readonly respondsAfter?: (respond: () => void) => void;
}

let nextId = 1;

export class FakePeer implements Peer {
  readonly id = nextId++;
  readonly remote: Peer["remote"];
  readonly direction = "outbound";
  readonly handshake: Peer["handshake"];
  readonly sent: PeerMessage[] = [];
  readonly reasons: string[] = [];
  suspensions = 0;
  isClosed = false;
  /** Promise that `drained` waits for. */
  drains: Promise<void> | undefined;
  /** Ids of blocks that it does not send. */
  readonly withheld = new Set<Uint8Array>();
  readonly #listener: PeerListener;
  readonly #serves: FakeChain | undefined;
  readonly #snapshotsOf: NonNullable<FakePeerOptions["snapshotsOf"]>;
  readonly #respondsAfter: (respond: () => void) => void;
  readonly #frames = new FrameReader(maxPayloadBytes);

  constructor(listener: PeerListener, options: FakePeerOptions = {}) {
    // No response comes before the request was sent.
    const { version = { major: 1, minor: 5, patch: 7 }, serves, host, respondsAfter = queueMicrotask } = options;
    this.remote = { ip: host?.remote.ip ?? Uint8Array.of(10, 0, 0, this.id % 256), port: 6868 };
    this.#listener = listener;
    this.#serves = serves;
    this.#respondsAfter = respondsAfter;
    this.#snapshotsOf = options.snapshotsOf ?? (({ transactions }) => transactions.map(() => `of ${this.id}`));
    this.handshake = {
      applicationName: "wavesR",
      version,
      nodeName: `peer ${this.id}`,
      nonce: BigInt(this.id),
      declaredAddress: undefined,
      timeSeconds: 0n,
    };
    listener.opened(this);
    if (serves !== undefined) void this.emit({ kind: "score", value: serves.now.score });
  }

  /** Sends a message of the peer. @returns whether there was room for it */
  async emit(message: PeerMessage): Promise<boolean> {
    return !this.isClosed && (await this.#listener.received(this, message)) !== false;
  }

  emitSnapshots(
    kind: "blockSnapshot" | "microBlockSnapshot",
    blockId: BlockId,
    texts: readonly string[],
  ): Promise<boolean> {
    return this.emit({ kind, value: { blockId, snapshots: texts.map((text) => new TextEncoder().encode(text)) } });
  }

  /** Announces the score of a chain of this height. */
  announceHeight(height: number): Promise<boolean> {
    return this.emit({ kind: "score", value: BigInt(height) * WEIGHT });
  }

  send(message: PeerMessage): void {
    this.sendFrame(encodeFrame(frameOf(message, context)));
  }

  sendFrame(frame: Uint8Array): void {
    if (this.isClosed) return;
    for (const { code, payload } of this.#frames.read(frame)) {
      // The content of snapshots does not matter in these tests.
      const isSnapshot = code === messageTable.blockSnapshot.code || code === messageTable.microBlockSnapshot.code;
      const message = isSnapshot
        ? ({
            kind: code === messageTable.blockSnapshot.code ? "blockSnapshot" : "microBlockSnapshot",
            value: { blockId: payload as BlockId, snapshots: [] },
          } as const)
        : parseMessage({ code, payload }, context);
      this.sent.push(message);
      if (this.#serves !== undefined) void this.#respond(message, this.#serves);
    }
  }

  drained(): Promise<void> {
    return this.drains ?? Promise.resolve();
  }

  blacklist(reason: string): void {
    this.reasons.push(reason);
    this.close();
  }

  suspend(): void {
    this.suspensions += 1;
    this.close();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#listener.closed(this);
  }

  /** Received messages of one kind. */
  got<Kind extends MessageKind>(kind: Kind): Message<Kind>["value"][] {
    return this.sent.filter((message) => message.kind === kind).map(({ value }) => value as Message<Kind>["value"]);
  }

  async #respond(message: PeerMessage, chain: FakeChain): Promise<void> {
    if (message.kind === "getBlockIds") {
      const value = (await chain.blockIdsAfter(message.value, 100)) as BlockId[];
      await this.emit({ kind: "blockIds", value });
    } else if (message.kind === "getBlock") {
      const { value: id } = message;
      const block = chain.blocks.find((each) => Buffer.from(each.id).equals(id));
      if (block === undefined || this.withheld.has(block.id)) return;
      this.#respondsAfter(() => void this.emit({ kind: "block", value: block }));
    } else if (message.kind === "getBlockSnapshot") {
      const { value: blockId } = message;
      const block = chain.blocks.find((each) => Buffer.from(each.id).equals(blockId));
      const texts = block && this.#snapshotsOf(block);
      if (texts !== undefined) this.#respondsAfter(() => void this.emitSnapshots("blockSnapshot", blockId, texts));
    }
  }
}
