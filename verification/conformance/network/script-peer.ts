/**
 * A peer that is only a connection: it completes the handshake, reports received messages, and sends messages on
 * request.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { encodeFrame, FrameReader } from "../../../src/protocol/messages/frame.ts";
import { encodeHandshake, HandshakeReader } from "../../../src/protocol/messages/handshake.ts";
import {
  frameOf,
  type MessageContext,
  maxPayloadBytes,
  type PeerMessage,
  parseMessage,
} from "../../../src/protocol/messages/message-table.ts";

export interface ReceivedMessage {
  readonly message: PeerMessage;
  /** Arrival on the clock of `performance.now`. */
  readonly atMs: number;
}

type Listener = (received: ReceivedMessage) => void;

const handshakeTimeoutMs = 10_000;

export class ScriptPeer {
  readonly #socket: Socket;
  readonly #context: MessageContext;
  readonly #frames = new FrameReader(maxPayloadBytes);
  readonly #handshake = new HandshakeReader();
  readonly #listeners = new Set<Listener>();
  #isIntroduced = false;
  #introduced: () => void = () => {};

  private constructor(socket: Socket, context: MessageContext) {
    this.#socket = socket;
    this.#context = context;
  }

  /**
   * @param address `host:port`
   * @param localAddress of this end, which nodes blacklist; by default that of all peers on this machine
   * @throws Error when no peer responds there
   */
  static async connected(
    address: string,
    context: MessageContext,
    name: string,
    localAddress?: string,
  ): Promise<ScriptPeer> {
    const [host = "", port = ""] = address.split(":");
    const socket = connect({
      host,
      port: Number(port),
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    });
    await once(socket, "connect");
    const peer = new ScriptPeer(socket, context);
    const introduced = new Promise<void>((resolve, reject) => {
      peer.#introduced = resolve;
      socket.once("close", () => reject(new Error(`${address} closed the connection`)));
      setTimeout(() => reject(new Error(`${address} did not introduce itself`)), handshakeTimeoutMs).unref();
    });
    socket.on("data", (piece) => peer.#read(piece));
    socket.on("error", () => {});
    socket.write(
      encodeHandshake({
        applicationName: `waves${String.fromCharCode(context.chainId)}`,
        version: { major: 1, minor: 5, patch: 7 },
        nodeName: name,
        nonce: randomBytes(8).readBigInt64BE(),
        declaredAddress: undefined,
        timeSeconds: BigInt(Math.floor(Date.now() / 1_000)),
      }),
    );
    await introduced;
    return peer;
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(message: PeerMessage): void {
    this.#socket.write(encodeFrame(frameOf(message, this.#context)));
  }

  /** @returns a function that removes the listener */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The first message for which `find` returns a value. @returns undefined if none came in time */
  async next<T>(find: (received: ReceivedMessage) => T | undefined, timeoutMs: number): Promise<T | undefined> {
    return new Promise((resolve) => {
      const done = (found: T | undefined): void => {
        clearTimeout(timer);
        stop();
        this.#socket.off("close", closed);
        resolve(found);
      };
      const closed = (): void => done(undefined);
      const timer = setTimeout(closed, timeoutMs);
      const stop = this.listen((received) => {
        const found = find(received);
        if (found !== undefined) done(found);
      });
      this.#socket.once("close", closed);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(piece: Uint8Array): void {
    const atMs = performance.now();
    let rest: Uint8Array = piece;
    if (!this.#isIntroduced) {
      const read = this.#handshake.read(piece);
      if (read === undefined) return;
      this.#isIntroduced = true;
      this.#introduced();
      rest = read.rest;
    }
    for (const frame of this.#frames.read(rest)) {
      const message = parseMessage(frame, this.#context);
      for (const listener of this.#listeners) listener({ message, atMs });
    }
  }
}
