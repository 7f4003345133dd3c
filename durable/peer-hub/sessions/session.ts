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
import type { ErrorLog } from "../error-log.ts";
import type { Peer, PeerListener } from "../peer.ts";
import type { BlacklistLog } from "./blacklist-log.ts";
import type { FrameBudget } from "./frame-budget.ts";
import { IdleWatch } from "./idle-watch.ts";
import type { MessageBudget } from "./message-budget.ts";
import { OutboundQueue } from "./outbound-queue.ts";
import type { PeerBook } from "./peer-book.ts";
import { PeersExchange } from "./peers-exchange.ts";
import { HANDSHAKE_TIMEOUT, invalidMessage, invalidPort, malformedMessage } from "./reasons.ts";
import type { ReceivedTransactions } from "./received-transactions.ts";
import type { SharedBytes } from "./shared-bytes.ts";
import { findHandshakeError } from "./validate-handshake.ts";
import type { Yielder } from "./yielder.ts";

/** Services shared by all sessions. */
export interface SessionServices {
  readonly settings: PeerSettings;
  readonly context: MessageContext;
  readonly timers: Timers;
  readonly book: PeerBook;
  readonly listener: PeerListener;
  readonly frameBudget: FrameBudget;
  readonly yielder: Yielder;
  readonly messageBudget: MessageBudget;
  readonly received: ReceivedTransactions;
  readonly errorLog: ErrorLog;
  readonly blacklistLog: BlacklistLog;
  readonly shared: SharedBytes;
  /** Handshake of this node. */
  readonly ours: () => Handshake;
  readonly knownPeersFrame: () => Uint8Array;
  /** Whether this is the one connection with that node, after both handshakes. */
  readonly admit: (session: Session) => "one" | "another" | "itself";
}

export interface SessionOptions {
  readonly id: number;
  readonly connection: Connection;
  readonly direction: Peer["direction"];
  readonly services: SessionServices;
  /** Called once. */
  readonly ended: (session: Session) => void;
}

const MAX_PORT = 65_535;
const CLOSING_MS = 1_000;
/**
 * For a block of this size the header is validated before its transactions are parsed, which takes many times as long.
 */
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
  readonly #options: SessionOptions;
  readonly #services: SessionServices;
  readonly #queue: OutboundQueue;
  readonly #idle: IdleWatch;
  readonly #exchange: PeersExchange;
  readonly #handshakes = new HandshakeReader();
  readonly #frames = new FrameReader(
    maxPayloadBytes,
    (code) => snapshotCodes.has(code) && !this.#services.listener.expectsSnapshots(this),
  );
  #handshake: Handshake | undefined;
  /** `leaving`: further bytes from the peer are ignored. */
  #state: "greeting" | "open" | "leaving" | "closed" = "greeting";
  #cancelGreeting: Cancel | undefined;
  /** Time of the peer's handshake. */
  #openedMs: number | undefined;

  constructor(options: SessionOptions) {
    const { connection, services } = options;
    const { settings, timers, book, shared, knownPeersFrame } = services;
    this.#options = options;
    this.#services = services;
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
    return this.#openedMs === undefined ? 0 : this.#services.timers.nowMs() - this.#openedMs;
  }

  /** Addresses of the peer: the other end of the connection, and its declared address if the host is the same. */
  get addresses(): readonly PeerAddress[] {
    const { declared } = this.#exchange;
    return declared === undefined ? [this.remote] : [this.remote, declared];
  }

  /** Bytes that wait to be sent. */
  get waitingBytes(): number {
    return this.#queue.waitingBytes;
  }

  /** Reads the peer's bytes until one of both closes. Never rejects. */
  async run(): Promise<void> {
    const { settings, timers } = this.#services;
    this.#cancelGreeting = timers.after(settings.handshakeTimeoutMs, () => this.#handshakeTimedOut());
    // The side that dialed sends its handshake first.
    if (this.direction === "outbound") this.#greet();
    this.#idle.wait();
    try {
      for await (const chunk of this.#options.connection.incoming) {
        if (this.#isClosed) break;
        this.#idle.pause();
        await this.#services.yielder.yieldIfDue(chunk.length);
        if (this.#isClosed) break;
        await this.#receive(chunk);
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
    this.#queue.put(encodeFrame(frameOf(message, this.#services.context)));
  }

  sendFrame(frame: Uint8Array): void {
    this.#queue.put(frame);
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  blacklist(reason: string): void {
    this.#services.book.blacklist(this.remote.ip, reason);
    this.#services.blacklistLog.add(this.#name, reason);
    this.close();
  }

  suspend(): void {
    this.#services.book.suspend(this.remote.ip);
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
    this.#services.frameBudget.release(this);
    this.#services.messageBudget.cancel(this);
    this.#options.connection.close();
    this.#options.ended(this);
    if (wasOpen) this.#notify("closed");
  }

  get #isClosed(): boolean {
    return this.#state === "closed";
  }

  get #name(): string {
    return peerAddressText(this.remote);
  }

  #greet(): void {
    this.#queue.put(encodeHandshake(this.#services.ours()));
  }

  #handshakeTimedOut(): void {
    if (this.direction === "inbound") this.blacklist(HANDSHAKE_TIMEOUT);
    else this.suspend();
  }

  async #receive(chunk: Uint8Array): Promise<void> {
    const rest = this.#state === "greeting" ? this.#receiveHandshake(chunk) : chunk;
    if (rest !== undefined && this.isOpen) await this.#receiveFrames(rest);
  }

  /** @returns bytes after the handshake, once it is complete and accepted */
  #receiveHandshake(chunk: Uint8Array): Uint8Array | undefined {
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
    const reason = findHandshakeError(handshake, this.#services.ours());
    if (reason !== undefined) {
      this.blacklist(reason);
      return;
    }
    this.#handshake = handshake;
    const admitted = this.#services.admit(this);
    if (admitted === "itself" && this.direction === "inbound") {
      this.#greetItself();
      return;
    }
    if (admitted !== "one") {
      this.suspend();
      return;
    }
    this.#state = "open";
    this.#openedMs = this.#services.timers.nowMs();
    this.#cancelGreeting?.();
    if (this.direction === "inbound") this.#greet();
    this.#notify("opened");
    if (this.isOpen) this.#exchange.start();
  }

  /** The other end is this node, too, and needs the handshake to learn that it has dialed itself. */
  #greetItself(): void {
    this.#state = "leaving";
    this.#greet();
    this.#cancelGreeting?.();
    this.#cancelGreeting = this.#services.timers.after(CLOSING_MS, () => this.close());
  }

  async #receiveFrames(chunk: Uint8Array): Promise<void> {
    let isNew = !this.#frames.isInFrame;
    if (isNew) this.#idle.renew();
    try {
      for (const frame of this.#frames.read(chunk)) {
        isNew = true;
        this.#idle.renew();
        this.#exchange.seen();
        await this.#services.yielder.yieldIfDue(frame.payload.length);
        if (this.#isClosed) return;
        await this.#process(frame);
        if (this.#isClosed) return;
      }
    } catch (error) {
      if (error instanceof FrameError) this.blacklist(malformedMessage(error.details));
      else this.#fail("a frame", error);
      return;
    }
    this.#services.frameBudget.reserve(this, this.#frames.bufferedBytes, isNew);
  }

  /** Never rejects. */
  async #process(frame: ReceivedFrame): Promise<void> {
    const { frameBudget, messageBudget, received } = this.#services;
    // An unrequested snapshot: the frame reader has skipped its payload.
    if (snapshotCodes.has(frame.code) && frame.payload.length === 0) return;
    const isTransaction = transactionCodes.has(frame.code);
    if (isTransaction && !received.add(frame.payloadHash, this.id)) return;
    frameBudget.reserve(this, frame.payload.length, true);
    const isHandled = await messageBudget.run(this, frame.payload.length, async () => {
      frameBudget.release(this);
      const isRead = !this.#isClosed && (await this.#acceptsHeader(frame)) && !this.#isClosed;
      const message = isRead ? this.#parse(frame) : undefined;
      return message !== undefined && (await this.#handle(message));
    });
    if (isTransaction && isHandled !== true) received.forget(frame.payloadHash);
  }

  #parse(frame: ReceivedFrame): PeerMessage | undefined {
    try {
      return parseMessage(frame, this.#services.context);
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
  async #acceptsHeader(frame: ReceivedFrame): Promise<boolean> {
    const { listener } = this.#services;
    const head = this.#findHead(frame);
    if (head === undefined) return true;
    return !listener.knowsBlock(this, head.id) && (await listener.acceptsHeader(this, head));
  }

  /** Head of a large block; what is wrong with one that has none is said where it is read. */
  #findHead({ code, payload }: ReceivedFrame): SignedHeader | undefined {
    if (code !== messageTable.block.code || payload.length < LARGE_BLOCK_BYTES) return undefined;
    try {
      return splitProtobufBlock(payload, this.#services.context.chainId).head;
    } catch (error) {
      if (error instanceof WireError || error instanceof RuleError) return undefined;
      throw error;
    }
  }

  /** @returns whether the message was accepted without an error */
  async #handle(message: PeerMessage): Promise<boolean> {
    try {
      if (message.kind === "getPeers") await this.#exchange.respond();
      else if (message.kind === "peers") this.#receivePeers(message.value);
      else return (await this.#services.listener.received(this, message)) !== false;
      return true;
    } catch (error) {
      this.#fail(`message ${message.kind}`, error);
      return false;
    }
  }

  #receivePeers(addresses: readonly PeerAddress[]): void {
    const invalid = addresses.find(({ port }) => port < 0 || port > MAX_PORT);
    if (invalid === undefined) this.#exchange.received(addresses);
    else this.blacklist(invalidPort(invalid.port));
  }

  #notify(event: "opened" | "closed"): void {
    try {
      this.#services.listener[event](this);
    } catch (error) {
      this.#fail(`its event ${event}`, error);
    }
  }

  /** An error of this node, for which no peer is blacklisted. */
  #fail(subject: string, error: unknown): void {
    this.#services.errorLog.add(`${subject} was not processed`, error, `peer ${this.#name}`);
    this.close();
  }
}
