/** A peer that sends the attack's bytes after its handshake. */
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { encodeFrame, FrameReader } from "../../src/protocol/messages/frame.ts";
import { encodeHandshake, HandshakeReader } from "../../src/protocol/messages/handshake.ts";
import { frameOf, maxPayloadBytes, type PeerMessage, parseMessage } from "../../src/protocol/messages/message-table.ts";
import { fromPeers } from "../../src/rules/blocks/from-peers.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Load } from "./attack.ts";
import { chainId } from "./attacked-node.ts";
import { ended, type SocketLoadOptions, socketLoad } from "./socket-load.ts";

/** Messages sent without a pause in a flood. */
const WITHOUT_PAUSE = 16;
const LOOK_MS = 5;
const context = { chainId, source: fromPeers };

export interface PeerLoadOptions extends Omit<SocketLoadOptions, "use"> {
  readonly random: SeededRandom;
  /** Whether it reads beyond the node's handshake; by default true. */
  readonly reads?: (number: number) => boolean;
  /** Called with each message of the node. */
  readonly heard?: (message: PeerMessage, peer: AttackingPeer) => void;
  /** Uses a peer until it is done. @returns name of the result */
  readonly use: (peer: AttackingPeer, number: number, signal: AbortSignal) => Promise<string> | string;
}

/** Load of peers that have completed the handshake. */
export function peerLoad({ random, reads = () => true, heard, use, ...options }: PeerLoadOptions): Load {
  return socketLoad({
    ...options,
    use: async (socket, number, signal) => {
      const peer = new AttackingPeer(socket, random);
      const isMet = await peer.greet(reads(number), heard && ((message) => heard(message, peer)), signal);
      return isMet ? use(peer, number, signal) : "not let in";
    },
  });
}

/** The handshake that a peer sends. */
export function greeting(random: SeededRandom): Uint8Array {
  return encodeHandshake({
    ...{ applicationName: `waves${String.fromCharCode(chainId)}`, version: { major: 1, minor: 5, patch: 7 } },
    ...{ nodeName: random.text(8), nonce: BigInt(random.below(2 ** 31)), declaredAddress: undefined },
    timeSeconds: BigInt(Math.floor(Date.now() / 1_000)),
  });
}

export function frameBytes(message: PeerMessage): Uint8Array {
  return encodeFrame(frameOf(message, context));
}

export class AttackingPeer {
  readonly socket: Socket;
  readonly #random: SeededRandom;

  constructor(socket: Socket, random: SeededRandom) {
    this.socket = socket;
    this.#random = random;
  }

  /**
   * @param heard called with each message after the handshake; undefined: messages are read and ignored
   * @returns whether the node has completed the handshake, too
   */
  async greet(
    reads: boolean,
    heard: ((message: PeerMessage) => void) | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const [handshakes, frames] = [new HandshakeReader(), new FrameReader(maxPayloadBytes)];
    let isMet = false;
    const met = new Promise<void>((resolve) => {
      this.socket.on("data", (bytes: Buffer) => {
        const read = isMet ? { rest: bytes } : handshakes.read(bytes);
        if (read === undefined) return;
        isMet = true;
        resolve();
        if (!reads) this.socket.pause();
        else if (heard !== undefined) for (const frame of frames.read(read.rest)) heard(parseMessage(frame, context));
      });
    });
    this.socket.write(greeting(this.#random));
    await Promise.race([met, ended(this.socket, signal)]);
    return isMet;
  }

  send(message: PeerMessage): void {
    this.write(frameBytes(message));
  }

  write(bytes: Uint8Array): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  /**
   * Writes repeatedly, as fast as the node reads.
   * @param next bytes; undefined: the end
   * @returns number of writes
   */
  async flood(next: () => Uint8Array | undefined, signal: AbortSignal): Promise<number> {
    let times = 0;
    for (let bytes = next(); bytes !== undefined && this.socket.writable && !signal.aborted; bytes = next()) {
      times++;
      if (!this.socket.write(bytes)) await this.#drained(signal);
      else if (times % WITHOUT_PAUSE === 0) await nextTurn();
    }
    return times;
  }

  /** Resolves once this many bytes have arrived since the connection was made, or it has ended. */
  async hasReceived(bytes: number, signal: AbortSignal): Promise<void> {
    while (this.socket.bytesRead < bytes && !this.socket.destroyed && !signal.aborted) await wait(LOOK_MS);
  }

  #drained(signal: AbortSignal): Promise<void> {
    const drained = new Promise<void>((resolve) => this.socket.once("drain", () => resolve()));
    return Promise.race([drained, ended(this.socket, signal)]);
  }
}
