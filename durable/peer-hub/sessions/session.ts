/** Connection with another node, from its first byte to its end. */
import type { PeerSettings } from "../../../src/network/peer-settings.ts";
import type { SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { splitProtobufBlock } from "../../../src/protocol/blocks/protobuf-block.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { encodeFrame, FrameError, FrameReader, type ReceivedFrame } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake, type Handshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import {
  findKind,
  frameOf,
  type MessageContext,
  maxPayloadBytes,
  messageTable,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";
import { isOnProtobufBlock } from "../../../src/protocol/messages/micro-block.ts";
import type { PeerAddress } from "../../../src/protocol/messages/peer-address.ts";
import { peerAddressText, plainIp } from "../../../src/protocol/messages/peer-address-text.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import type { Cancel, Connection, Timers } from "../connection.ts";
import type { FaultLog } from "../error-log.ts";
import type { Peer, PeerListener } from "../peer.ts";
import type { ShutOutLog } from "./blacklist-log.ts";
import type { HeldFrames } from "./frame-budget.ts";
import { IdleWatch } from "./idle-watch.ts";
import type { MessagesInHand } from "./message-budget.ts";
import { OutboundQueue } from "./outbound-queue.ts";
import type { PeerBook } from "./peer-book.ts";
import { PeersExchange } from "./peers-exchange.ts";
import { HANDSHAKE_TIMEOUT, invalidMessage, invalidPort, malformedMessage } from "./reasons.ts";
import type { ReceivedTransactions } from "./received-transactions.ts";
import type { SharedBytes } from "./shared-bytes.ts";
import { findHandshakeFault } from "./validate-handshake.ts";
import type { Breaks } from "./yielder.ts";

/** Services shared by all sessions. */
export interface SessionSurroundings {
  readonly settings: PeerSettings;
  readonly context: MessageContext;
  readonly timers: Timers;
  readonly book: PeerBook;
  readonly listener: PeerListener;
  readonly held: HeldFrames;
  readonly breaks: Breaks;
  readonly inHand: MessagesInHand;
  readonly received: ReceivedTransactions;
  readonly faults: FaultLog;
  readonly shutOuts: ShutOutLog;
  readonly shared: SharedBytes;
  /** Handshake of this node. */
  readonly ours: () => Handshake;
  readonly knownPeersFrame: () => Uint8Array;
  /** Whether this is the one connection with that node, after both handshakes. */
  readonly admit: (session: Session) => "one" | "another" | "itself";
}

export interface SessionFacts {
  readonly id: number;
  readonly connection: Connection;
  readonly direction: Peer["direction"];
  readonly around: SessionSurroundings;
  /** Called once. */
  readonly ended: (session: Session) => void;
}

const MAX_PORT = 65_535;
const LEAVING_MS = 1_000;
/** For a block of this size the header is validated before its transactions are parsed, which takes many times as long. */
const LARGE_BLOCK_BYTES = 16 * 2 ** 10;
const transactionCodes: ReadonlySet<number> = new Set([
  messageTable.legacyTransaction.code,
  messageTable.transaction.code,
]);
/** Messages that only light nodes request. @source Waves: network/DiscardingHandler.scala */
const snapshotCodes: ReadonlySet<number> = new Set([
  messageTable.blockSnapshot.code,
  messageTable.microBlockSnapshot.code,
]);

export class Session implements Peer {
  readonly id: number;
  readonly remote: PeerAddress;
  readonly direction: Peer["direction"];
  readonly #facts: SessionFacts;
  readonly #around: SessionSurroundings;
  readonly #queue: OutboundQueue;
  readonly #idle: IdleWatch;
  readonly #exchange: PeersExchange;
  readonly #handshakes = new HandshakeReader();
  readonly #frames = new FrameReader(
    maxPayloadBytes,
    (code) => snapshotCodes.has(code) && !this.#around.listener.expectsSnapshots(this),
  );
  #handshake: Handshake | undefined;
  /** `leaving`: further bytes from the peer are ignored. */
  #state: "greeting" | "open" | "leaving" | "closed" = "greeting";
  #cancelGreeting: Cancel | undefined;
  /** Time of the peer's handshake. */
  #openedMs: number | undefined;

  constructor(options: SessionFacts) {
    const { connection, around } = options;
    const { settings, timers, book, shared, knownPeersFrame } = around;
    this.#facts = options;
    this.#around = around;
    this.id = options.id;
    this.direction = options.direction;
    this.remote = { ip: plainIp(connection.remote.ip), port: connection.remote.port };
    this.#queue = new OutboundQueue({
      write: (bytes) => connection.write(bytes),
      timers,
      writeTimeoutMs: settings.breakIdleConnectionsTimeoutMs,
      shared,
      failed: () => this.close(),
    });
    this.#idle = new IdleWatch(timers, settings.breakIdleConnectionsTimeoutMs, () => this.close());
    this.#exchange = new PeersExchange({ peer: this, settings, book, timers, knownPeersFrame });
  }

  get handshake(): Handshake {
    if (this.#handshake === undefined) throw new Error(`${this.#name} has sent no handshake`);
    return this.#handshake;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Time since the handshakes, ms; 0: they are not complete. */
  get openMs(): number {
    return this.#openedMs === undefined ? 0 : this.#around.timers.nowMs() - this.#openedMs;
  }

  /** Addresses of the peer: the other end of the connection, and its declared address if the host is the same. */
  get places(): readonly PeerAddress[] {
    const { declared } = this.#exchange;
    return declared === undefined ? [this.remote] : [this.remote, declared];
  }

  /** Bytes that wait to be sent. */
  get waitingBytes(): number {
    return this.#queue.waitingBytes;
  }

  /** Reads the peer's bytes until one of both closes. Never rejects. */
  async run(): Promise<void> {
    const { settings, timers } = this.#around;
    this.#cancelGreeting = timers.after(settings.handshakeTimeoutMs, () => this.#greetsNot());
    // The side that dialed sends its handshake first.
    if (this.direction === "outbound") this.#greet();
    this.#idle.wait();
    try {
      for await (const chunk of this.#facts.connection.incoming) {
        if (this.#isClosed) break;
        this.#idle.pause();
        await this.#around.breaks.before(chunk.length);
        if (this.#isClosed) break;
        await this.#take(chunk);
        if (this.#isClosed) break;
        this.#idle.wait();
      }
    } catch {
      // A broken connection is an ended one.
    }
    this.close();
  }

  send(message: PeerMessage): void {
    if (this.#isClosed) return;
    this.#queue.put(encodeFrame(frameOf(message, this.#around.context)));
  }

  sendFrame(frame: Uint8Array): void {
    this.#queue.put(frame);
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  blacklist(reason: string): void {
    this.#around.book.blacklist(this.remote.ip, reason);
    this.#around.shutOuts.add(this.#name, reason);
    this.close();
  }

  suspend(): void {
    this.#around.book.suspend(this.remote.ip);
    this.close();
  }

  /** Called by the frame budget: this connection holds the oldest of too many frames. */
  giveUp(): void {
    this.suspend();
  }

  close(): void {
    if (this.#isClosed) return;
    const wasOpen = this.#state === "open";
    this.#state = "closed";
    this.#cancelGreeting?.();
    this.#idle.stop();
    this.#exchange.stop();
    this.#queue.close();
    this.#around.held.release(this);
    this.#around.inHand.leave(this);
    this.#facts.connection.close();
    this.#facts.ended(this);
    if (wasOpen) this.#tell("closed");
  }

  get #isClosed(): boolean {
    return this.#state === "closed";
  }

  get #name(): string {
    return peerAddressText(this.remote);
  }

  #greet(): void {
    this.#queue.put(encodeHandshake(this.#around.ours()));
  }

  #greetsNot(): void {
    if (this.direction === "inbound") this.blacklist(HANDSHAKE_TIMEOUT);
    else this.suspend();
  }

  async #take(chunk: Uint8Array): Promise<void> {
    const rest = this.#state === "greeting" ? this.#takeGreeting(chunk) : chunk;
    if (rest !== undefined && this.isOpen) await this.#takeFrames(rest);
  }

  /** @returns bytes after the handshake, once it is complete and accepted */
  #takeGreeting(chunk: Uint8Array): Uint8Array | undefined {
    try {
      const read = this.#handshakes.read(chunk);
      if (read !== undefined) this.#open(read.handshake);
      return read?.rest;
    } catch (error) {
      if (error instanceof WireError) this.blacklist(error.reason);
      else this.#fail("the handshake", error);
      return undefined;
    }
  }

  #open(handshake: Handshake): void {
    const reason = findHandshakeFault(handshake, this.#around.ours());
    if (reason !== undefined) {
      this.blacklist(reason);
      return;
    }
    this.#handshake = handshake;
    const admitted = this.#around.admit(this);
    if (admitted === "itself" && this.direction === "inbound") {
      this.#sayWhoItIs();
      return;
    }
    if (admitted !== "one") {
      this.suspend();
      return;
    }
    this.#state = "open";
    this.#openedMs = this.#around.timers.nowMs();
    this.#cancelGreeting?.();
    if (this.direction === "inbound") this.#greet();
    this.#tell("opened");
    if (this.isOpen) this.#exchange.start();
  }

  /** The other end is this node, too, and needs the handshake to learn that it has dialed itself. */
  #sayWhoItIs(): void {
    this.#state = "leaving";
    this.#greet();
    this.#cancelGreeting?.();
    this.#cancelGreeting = this.#around.timers.after(LEAVING_MS, () => this.close());
  }

  async #takeFrames(chunk: Uint8Array): Promise<void> {
    let isNew = !this.#frames.isInFrame;
    if (isNew) this.#idle.renew();
    try {
      for (const frame of this.#frames.read(chunk)) {
        isNew = true;
        this.#idle.renew();
        this.#exchange.seen();
        await this.#around.breaks.before(frame.payload.length);
        if (this.#isClosed) return;
        await this.#judge(frame);
        if (this.#isClosed) return;
      }
    } catch (error) {
      if (error instanceof FrameError) this.blacklist(malformedMessage(error.fault));
      else this.#fail("a frame", error);
      return;
    }
    this.#around.held.hold(this, this.#frames.heldBytes, isNew);
  }

  /** Never rejects. */
  async #judge(frame: ReceivedFrame): Promise<void> {
    const { held, inHand, received } = this.#around;
    // An unrequested snapshot: the frame reader has skipped its payload.
    if (snapshotCodes.has(frame.code) && frame.payload.length === 0) return;
    const isTransaction = transactionCodes.has(frame.code);
    if (isTransaction && !received.add(frame.payloadHash, this.id)) return;
    held.hold(this, frame.payload.length, true);
    const isHandled = await inHand.run(this, frame.payload.length, async () => {
      held.release(this);
      const isRead = !this.#isClosed && (await this.#takesHead(frame)) && !this.#isClosed;
      const message = isRead ? this.#parse(frame) : undefined;
      return message !== undefined && (await this.#handle(message));
    });
    if (isTransaction && isHandled !== true) received.forget(frame.payloadHash);
  }

  #parse(frame: ReceivedFrame): PeerMessage | undefined {
    try {
      return parseMessage(frame, this.#around.context);
    } catch (error) {
      const isPeersError = error instanceof WireError || error instanceof RuleError || error instanceof FormatError;
      const kind = findKind(frame.code);
      if (kind === "legacyMicroBlock" && isOnProtobufBlock(frame.payload)) return undefined;
      if (isPeersError && kind !== undefined) this.blacklist(invalidMessage(kind, frame.payload, error.message));
      else this.#fail(`message ${frame.code}`, error);
      return undefined;
    }
  }

  /** Whether the transactions of a block are to be read; true for all else. Never rejects. */
  async #takesHead(frame: ReceivedFrame): Promise<boolean> {
    const { listener } = this.#around;
    const head = this.#findHead(frame);
    if (head === undefined) return true;
    return !listener.knowsBlock(this, head.id) && (await listener.takesHead(this, head));
  }

  /** Head of a large block; what is wrong with one that has none is said where it is read. */
  #findHead({ code, payload }: ReceivedFrame): SignedHeader | undefined {
    if (code !== messageTable.block.code || payload.length < LARGE_BLOCK_BYTES) return undefined;
    try {
      return splitProtobufBlock(payload, this.#around.context.chainId).head;
    } catch (error) {
      if (error instanceof WireError || error instanceof RuleError) return undefined;
      throw error;
    }
  }

  /** @returns whether the message was accepted without an error */
  async #handle(message: PeerMessage): Promise<boolean> {
    try {
      if (message.kind === "getPeers") await this.#exchange.answer();
      else if (message.kind === "peers") this.#takePeers(message.value);
      else return (await this.#around.listener.received(this, message)) !== false;
      return true;
    } catch (error) {
      this.#fail(`message ${message.kind}`, error);
      return false;
    }
  }

  #takePeers(addresses: readonly PeerAddress[]): void {
    const invalid = addresses.find(({ port }) => port < 0 || port > MAX_PORT);
    if (invalid === undefined) this.#exchange.told(addresses);
    else this.blacklist(invalidPort(invalid.port));
  }

  #tell(event: "opened" | "closed"): void {
    try {
      this.#around.listener[event](this);
    } catch (error) {
      this.#fail(`its event ${event}`, error);
    }
  }

  /** An error of this node, for which no peer is blacklisted. */
  #fail(subject: string, error: unknown): void {
    this.#around.faults.add(`${subject} was not processed`, error, `peer ${this.#name}`);
    this.close();
  }
}
