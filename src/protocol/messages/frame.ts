/**
 * Frames of peer messages: a length, a magic number, a code, the length of the payload, and, unless it is empty, the
 * beginning of its hash and the payload itself.
 * @source docs/protocol/consensus-and-finality.md 1.10; Waves: network/LegacyFrameCodec.scala
 */
import { concatBytes, equalBytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import { ByteReader } from "../codec/byte-reader.ts";
import { encode, i32, u8 } from "../codec/codec.ts";
import { WireError } from "../errors.ts";

export interface Frame {
  /** Kind of message: see `message-table.ts`. */
  readonly code: number;
  readonly payload: Uint8Array;
}

const MAGIC = 0x12345678;
const CHECKSUM_BYTES = 4;
/** Size of the length prefix, which does not count itself. */
const LENGTH_BYTES = 4;
/** Magic number, code, length of the payload. */
const HEAD_BYTES = 4 + 1 + 4;

/** A received frame. */
export interface ReceivedFrame extends Frame {
  /** BLAKE2b-256 of the payload; empty for an empty one, which has no checksum. */
  readonly payloadHash: Uint8Array;
}

/** Reason why bytes are not a frame. */
export type FrameErrorDetails =
  | { readonly kind: "magic" }
  | { readonly kind: "code"; readonly code: number }
  | { readonly kind: "payload"; readonly code: number; readonly sizeBytes: number; readonly maxBytes: number }
  | { readonly kind: "length"; readonly lengthBytes: number; readonly expectedBytes: number }
  | { readonly kind: "checksum" };

export class FrameError extends WireError {
  readonly details: FrameErrorDetails;
  constructor(details: FrameErrorDetails, offset: number, reason: string) {
    super({ field: `frame.${details.kind}`, offset, reason });
    this.details = details;
  }
}

export function encodeFrame({ code, payload }: Frame): Uint8Array {
  const checksum = payload.length === 0 ? payload : blake2b256(payload).subarray(0, CHECKSUM_BYTES);
  const lengthBytes = encode(i32, HEAD_BYTES + checksum.length + payload.length);
  const head = [encode(i32, MAGIC), encode(u8, code), encode(i32, payload.length)];
  return concatBytes(lengthBytes, ...head, checksum, payload);
}

/** Partially received body of a frame: the bytes after its head. */
interface PartialBody {
  readonly code: number;
  readonly sizeBytes: number;
  readonly isIgnored: boolean;
  /** Received bytes; none for an ignored message. */
  bytes: Uint8Array;
}

/**
 * Frames from the chunks of a connection. The head is validated before any of the payload is buffered. The buffer grows
 * with the received bytes, not with the announced size: it is at most twice as large as they are. Messages that the
 * node ignores are not buffered: their frame has neither payload nor hash.
 */
export class FrameReader {
  readonly #maxPayloadBytes: (code: number) => number | undefined;
  readonly #isIgnored: (code: number) => boolean;
  readonly #head = new Uint8Array(LENGTH_BYTES + HEAD_BYTES);
  /** Number of bytes received of `#head`, or of `#rest` after it. */
  #filled = 0;
  #body: PartialBody | undefined;

  /**
   * @param maxPayloadBytes for a message code; undefined for unknown codes
   * @param isIgnored whether to ignore messages of a code; called for each frame's head
   */
  constructor(
    maxPayloadBytes: (code: number) => number | undefined,
    isIgnored: (code: number) => boolean = () => false,
  ) {
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#isIgnored = isIgnored;
  }

  /** Buffered bytes of an incomplete frame. */
  get bufferedBytes(): number {
    return this.#body?.bytes.length ?? 0;
  }

  /** Whether a frame is incomplete. */
  get isInFrame(): boolean {
    return this.#body !== undefined || this.#filled > 0;
  }

  /**
   * Takes the next chunk.
   * @returns the frames that it completes, each parsed when the caller iterates to it
   * @throws FrameError when the bytes are not a frame: the connection is unusable then
   */
  *read(chunk: Uint8Array): Generator<ReceivedFrame> {
    let offset = 0;
    while (offset < chunk.length) {
      const sizeBytes = this.#body?.sizeBytes ?? this.#head.length;
      const taken = Math.min(sizeBytes - this.#filled, chunk.length - offset);
      if (this.#body?.isIgnored !== true)
        this.#targetFor(this.#filled + taken).set(chunk.subarray(offset, offset + taken), this.#filled);
      this.#filled += taken;
      offset += taken;
      const frame = this.#filled === sizeBytes ? this.#completed() : undefined;
      if (frame !== undefined) yield frame;
    }
  }

  /** Buffer with room for that many bytes. */
  #targetFor(filledBytes: number): Uint8Array {
    const body = this.#body;
    if (body === undefined) return this.#head;
    if (body.bytes.length < filledBytes) {
      const grown = new Uint8Array(Math.min(body.sizeBytes, Math.max(filledBytes, 2 * body.bytes.length)));
      grown.set(body.bytes);
      body.bytes = grown;
    }
    return body.bytes;
  }

  /** Handles a complete head or body. */
  #completed(): ReceivedFrame | undefined {
    this.#filled = 0;
    const body = this.#body ?? this.#bodyOf(this.#head);
    if (this.#body === undefined && body.sizeBytes > 0) {
      this.#body = body;
      return undefined;
    }
    this.#body = undefined;
    return { code: body.code, ...payloadOf(body.bytes) };
  }

  /** Body announced by the head. @throws FrameError */
  #bodyOf(head: Uint8Array): PartialBody {
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
    const bodyBytes = sizeBytes === 0 ? 0 : CHECKSUM_BYTES + sizeBytes;
    const expectedBytes = HEAD_BYTES + bodyBytes;
    if (lengthBytes !== expectedBytes) {
      const reason = `${expectedBytes} expected for a payload of ${sizeBytes}, got ${lengthBytes}`;
      throw new FrameError({ kind: "length", lengthBytes, expectedBytes }, 0, reason);
    }
    return { code, sizeBytes: bodyBytes, isIgnored: this.#isIgnored(code), bytes: new Uint8Array(0) };
  }
}

/** @throws FrameError when the checksum is not that of the payload */
function payloadOf(body: Uint8Array): Pick<ReceivedFrame, "payload" | "payloadHash"> {
  if (body.length === 0) return { payload: body, payloadHash: body };
  const payload = body.subarray(CHECKSUM_BYTES);
  const payloadHash = blake2b256(payload);
  if (!equalBytes(payloadHash.subarray(0, CHECKSUM_BYTES), body.subarray(0, CHECKSUM_BYTES)))
    throw new FrameError({ kind: "checksum" }, LENGTH_BYTES + HEAD_BYTES, "not the payload's");
  return { payload, payloadHash };
}
