/**
 * Messages of peers on the wire: a length, a magic number, a code, the length of the payload, and, unless it is empty, the
 * beginning of its hash and the payload itself.
 * @source docs/protocol/consensus-and-finality.md 1.10; Waves: network/LegacyFrameCodec.scala
 */
import { concatBytes, equalBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { ByteReader } from "../codec/byte-reader.ts";
import { encode, i32, u8 } from "../codec/codec.ts";
import { WireError } from "../faults.ts";

export interface Frame {
  /** Which message it is: see `message-table.ts`. */
  readonly code: number;
  readonly payload: Uint8Array;
}

const MAGIC = 0x12345678;
const CHECKSUM_BYTES = 4;
/** Of the length in front, which does not count itself. */
const LENGTH_BYTES = 4;
/** Magic number, code, length of the payload. */
const HEAD_BYTES = 4 + 1 + 4;

/** A frame that has come from a connection. */
export interface ReceivedFrame extends Frame {
  /** BLAKE2b-256 of the payload; of an empty one, which has no checksum, there is none. */
  readonly payloadHash: Uint8Array;
}

/** Why what came is no frame. */
export type FrameFault =
  | { readonly kind: "magic" }
  | { readonly kind: "code"; readonly code: number }
  | { readonly kind: "payload"; readonly code: number; readonly sizeBytes: number; readonly maxBytes: number }
  | { readonly kind: "length"; readonly lengthBytes: number; readonly expectedBytes: number }
  | { readonly kind: "checksum" };

export class FrameError extends WireError {
  readonly fault: FrameFault;
  constructor(fault: FrameFault, offset: number, reason: string) {
    super({ field: `frame.${fault.kind}`, offset, reason });
    this.fault = fault;
  }
}

export function encodeFrame({ code, payload }: Frame): Uint8Array {
  const checksum = payload.length === 0 ? payload : blake2b256(payload).subarray(0, CHECKSUM_BYTES);
  const lengthBytes = encode(i32, HEAD_BYTES + checksum.length + payload.length);
  const head = [encode(i32, MAGIC), encode(u8, code), encode(i32, payload.length)];
  return concatBytes(lengthBytes, ...head, checksum, payload);
}

/** What stands behind the head of a frame. */
interface Rest {
  readonly code: number;
  readonly sizeBytes: number;
  readonly isUnwanted: boolean;
  /** What is kept of it. */
  bytes: Uint8Array;
}

/**
 * Frames out of the pieces in which a connection brings them. What a frame announces is judged before any of its payload is
 * kept, and room is made for what comes, not for what is announced: it holds at most twice as much as has come.
 * Of a message that nobody wants nothing is kept: its frame says that it has come, with neither payload nor hash.
 */
export class FrameReader {
  readonly #maxPayloadBytes: (code: number) => number | undefined;
  readonly #isUnwanted: (code: number) => boolean;
  readonly #head = new Uint8Array(LENGTH_BYTES + HEAD_BYTES);
  /** How much of `#head`, or of `#rest` behind it, there is. */
  #filled = 0;
  #rest: Rest | undefined;

  /**
   * @param maxPayloadBytes of a message with the code; undefined: there is none
   * @param isUnwanted as the beginning of the frame is read
   */
  constructor(
    maxPayloadBytes: (code: number) => number | undefined,
    isUnwanted: (code: number) => boolean = () => false,
  ) {
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#isUnwanted = isUnwanted;
  }

  /** What is kept of a frame that has not come whole. */
  get heldBytes(): number {
    return this.#rest?.bytes.length ?? 0;
  }

  /** Whether a frame has begun and not ended. */
  get isInFrame(): boolean {
    return this.#rest !== undefined || this.#filled > 0;
  }

  /**
   * Takes the next piece. @returns the frames that it completes, each read when it is asked for
   * @throws FrameError when what was sent is no frame: the connection is of no use any more
   */
  *read(piece: Uint8Array): Generator<ReceivedFrame> {
    let offset = 0;
    while (offset < piece.length) {
      const sizeBytes = this.#rest?.sizeBytes ?? this.#head.length;
      const taken = Math.min(sizeBytes - this.#filled, piece.length - offset);
      if (this.#rest?.isUnwanted !== true)
        this.#targetFor(this.#filled + taken).set(piece.subarray(offset, offset + taken), this.#filled);
      this.#filled += taken;
      offset += taken;
      const frame = this.#filled === sizeBytes ? this.#completed() : undefined;
      if (frame !== undefined) yield frame;
    }
  }

  /** Where bytes are put, with room for so many. */
  #targetFor(filledBytes: number): Uint8Array {
    const rest = this.#rest;
    if (rest === undefined) return this.#head;
    if (rest.bytes.length < filledBytes) {
      const grown = new Uint8Array(Math.min(rest.sizeBytes, Math.max(filledBytes, 2 * rest.bytes.length)));
      grown.set(rest.bytes);
      rest.bytes = grown;
    }
    return rest.bytes;
  }

  /** What is complete is a head or the rest behind it. */
  #completed(): ReceivedFrame | undefined {
    this.#filled = 0;
    const rest = this.#rest ?? this.#restOf(this.#head);
    if (this.#rest === undefined && rest.sizeBytes > 0) {
      this.#rest = rest;
      return undefined;
    }
    this.#rest = undefined;
    return { code: rest.code, ...payloadOf(rest.bytes) };
  }

  /** What stands behind the head. @throws FrameError */
  #restOf(head: Uint8Array): Rest {
    const from = new ByteReader(head);
    const lengthBytes = from.i32();
    if (from.i32() !== MAGIC) throw new FrameError({ kind: "magic" }, LENGTH_BYTES, "not the magic number");
    const code = from.u8();
    const maxBytes = this.#maxPayloadBytes(code);
    if (maxBytes === undefined)
      throw new FrameError({ kind: "code", code }, from.offset - 1, `there is no message ${code}`);
    const sizeBytes = from.i32();
    if (sizeBytes < 0 || sizeBytes > maxBytes) {
      const reason = `message ${code} has ${maxBytes} bytes at most, got ${sizeBytes}`;
      throw new FrameError({ kind: "payload", code, sizeBytes, maxBytes }, from.offset - 4, reason);
    }
    const restBytes = sizeBytes === 0 ? 0 : CHECKSUM_BYTES + sizeBytes;
    const expectedBytes = HEAD_BYTES + restBytes;
    if (lengthBytes !== expectedBytes) {
      const reason = `${expectedBytes} expected for a payload of ${sizeBytes}, got ${lengthBytes}`;
      throw new FrameError({ kind: "length", lengthBytes, expectedBytes }, 0, reason);
    }
    return { code, sizeBytes: restBytes, isUnwanted: this.#isUnwanted(code), bytes: new Uint8Array(0) };
  }
}

/** @throws FrameError when the payload is not the one of the checksum before it */
function payloadOf(rest: Uint8Array): Pick<ReceivedFrame, "payload" | "payloadHash"> {
  if (rest.length === 0) return { payload: rest, payloadHash: rest };
  const payload = rest.subarray(CHECKSUM_BYTES);
  const payloadHash = blake2b256(payload);
  if (!equalBytes(payloadHash.subarray(0, CHECKSUM_BYTES), rest.subarray(0, CHECKSUM_BYTES)))
    throw new FrameError({ kind: "checksum" }, LENGTH_BYTES + HEAD_BYTES, "not the payload's");
  return { payload, payloadHash };
}
