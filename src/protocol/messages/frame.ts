/**
 * Messages of peers on the wire: a length, a magic number, a code, the length of the payload, and, unless it is empty, the
 * beginning of its hash and the payload itself.
 * @source spec/consensus-and-finality.md 1.10; Waves: network/LegacyFrameCodec.scala
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

export function encodeFrame({ code, payload }: Frame): Uint8Array {
  const checksum = payload.length === 0 ? payload : checksumOf(payload);
  const lengthBytes = encode(i32, HEAD_BYTES + checksum.length + payload.length);
  const head = [encode(i32, MAGIC), encode(u8, code), encode(i32, payload.length)];
  return concatBytes(lengthBytes, ...head, checksum, payload);
}

/**
 * Frames out of the pieces in which a connection brings them. What a frame announces is judged before any of its payload is
 * kept: it holds no more than one allowed payload, and the piece that was given last.
 */
export class FrameReader {
  readonly #maxPayloadBytes: (code: number) => number | undefined;
  readonly #head = new Uint8Array(LENGTH_BYTES + HEAD_BYTES);
  /** How much of `#head`, or of `#rest` behind it, there is. */
  #filled = 0;
  #rest: { readonly code: number; readonly bytes: Uint8Array } | undefined;

  /** @param maxPayloadBytes of a message with the code; undefined: there is none */
  constructor(maxPayloadBytes: (code: number) => number | undefined) {
    this.#maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * Takes the next piece. @returns the frames that it completes, each read when it is asked for
   * @throws WireError when what was sent is no frame: the connection is of no use any more
   */
  *read(piece: Uint8Array): Generator<Frame> {
    let offset = 0;
    while (offset < piece.length) {
      const target = this.#rest?.bytes ?? this.#head;
      const taken = Math.min(target.length - this.#filled, piece.length - offset);
      target.set(piece.subarray(offset, offset + taken), this.#filled);
      this.#filled += taken;
      offset += taken;
      const frame = this.#filled === target.length ? this.#completed() : undefined;
      if (frame !== undefined) yield frame;
    }
  }

  /** What is complete is a head or the rest behind it. */
  #completed(): Frame | undefined {
    this.#filled = 0;
    const rest = this.#rest ?? this.#restOf(this.#head);
    if (this.#rest === undefined && rest.bytes.length > 0) {
      this.#rest = rest;
      return undefined;
    }
    this.#rest = undefined;
    return { code: rest.code, payload: payloadOf(rest.bytes) };
  }

  /** Room for what stands behind the head. @throws WireError */
  #restOf(head: Uint8Array): { readonly code: number; readonly bytes: Uint8Array } {
    const from = new ByteReader(head);
    const lengthBytes = from.i32();
    if (from.i32() !== MAGIC) throw wrong("magic", LENGTH_BYTES, "not the magic number");
    const code = from.u8();
    const maxBytes = this.#maxPayloadBytes(code);
    if (maxBytes === undefined) throw wrong("code", from.offset - 1, `there is no message ${code}`);
    const sizeBytes = from.i32();
    if (sizeBytes < 0 || sizeBytes > maxBytes)
      throw wrong("payload", from.offset - 4, `message ${code} has ${maxBytes} bytes at most, got ${sizeBytes}`);
    const restBytes = sizeBytes === 0 ? 0 : CHECKSUM_BYTES + sizeBytes;
    if (lengthBytes !== HEAD_BYTES + restBytes)
      throw wrong("length", 0, `${HEAD_BYTES + restBytes} expected for a payload of ${sizeBytes}, got ${lengthBytes}`);
    return { code, bytes: new Uint8Array(restBytes) };
  }
}

/** @throws WireError when the payload is not the one of the checksum before it */
function payloadOf(rest: Uint8Array): Uint8Array {
  if (rest.length === 0) return rest;
  const payload = rest.subarray(CHECKSUM_BYTES);
  if (!equalBytes(checksumOf(payload), rest.subarray(0, CHECKSUM_BYTES)))
    throw wrong("checksum", LENGTH_BYTES + HEAD_BYTES, "not the payload's");
  return payload;
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return blake2b256(payload).subarray(0, CHECKSUM_BYTES);
}

function wrong(field: string, offset: number, reason: string): WireError {
  return new WireError({ field: `frame.${field}`, offset, reason });
}
