/**
 * First message of each peer, which has no frame.
 * @source docs/protocol/consensus-and-finality.md 1.10; Waves: network/Handshake.scala
 */
import { concatBytes } from "../../crypto/bytes.ts";
import { ByteReader } from "../codec/byte-reader.ts";
import { bytesWithLength, type Codec, decode, encode, i32, i64, mapped, struct, u8 } from "../codec/codec.ts";
import { utf8Bytes, utf8TextWithReplacements } from "../codec/utf8.ts";
import { WireError } from "../errors.ts";
import { type PeerAddress, peerAddress } from "./peer-address.ts";

/** Release of a node. */
export interface NodeVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export interface Handshake {
  /** `waves` and the network's scheme character, different for peers of another network. */
  readonly applicationName: string;
  readonly version: NodeVersion;
  readonly nodeName: string;
  /** Random at the node's start: a connection to itself has its own nonce. */
  readonly nonce: bigint;
  /** Address at which peers can connect, if any. */
  readonly declaredAddress: PeerAddress | undefined;
  /** Seconds since the epoch; ignored. */
  readonly timeSeconds: bigint;
}

/** The length of a name is a signed byte. */
const MAX_NAME_BYTES = 127;
const VERSION_BYTES = 3 * 4;
const NONCE_BYTES = 8;
/** The names in order, each with the number of bytes after it. */
const NAMES = [
  ["application", VERSION_BYTES],
  ["node", NONCE_BYTES],
] as const;
const ADDRESS_SIZE_BYTES = 4;
const TIME_BYTES = 8;
const PORT_BYTES = 4;
/** Sizes of no address, and of an IPv4 or IPv6 address with a port. */
const ADDRESS_SIZES: ReadonlySet<number> = new Set([0, 4 + PORT_BYTES, 16 + PORT_BYTES]);

const name: Codec<string> = mapped(bytesWithLength(u8, MAX_NAME_BYTES), utf8TextWithReplacements, utf8Bytes);

/** Address after its size, which is 0 without one. */
const optionalAddress: Codec<PeerAddress | null> = {
  read: (from) => {
    const sizeBytes = i32.read(from);
    return sizeBytes === 0 ? null : peerAddress(sizeBytes - PORT_BYTES).read(from);
  },
  write: (address, to) => {
    i32.write(address === null ? 0 : address.ip.length + PORT_BYTES, to);
    if (address !== null) peerAddress(address.ip.length).write(address, to);
  },
};

const layout = struct({
  applicationName: name,
  version: struct({ major: i32, minor: i32, patch: i32 }),
  nodeName: name,
  nonce: i64,
  declaredAddress: optionalAddress,
  timeSeconds: i64,
});

export function encodeHandshake({ declaredAddress, ...handshake }: Handshake): Uint8Array {
  return encode(layout, { ...handshake, declaredAddress: declaredAddress ?? null });
}

/** Handshake from the chunks of a connection. */
export class HandshakeReader {
  /** Received bytes; at most a handshake and the last chunk. */
  #bytes: Uint8Array = new Uint8Array(0);

  /**
   * Takes the next chunk.
   * @returns undefined until the handshake is complete; `rest`: the bytes after it
   * @throws WireError when the bytes are not a handshake
   */
  read(chunk: Uint8Array): { readonly handshake: Handshake; readonly rest: Uint8Array } | undefined {
    this.#bytes = concatBytes(this.#bytes, chunk);
    const sizeBytes = findSize(this.#bytes);
    if (sizeBytes === undefined || sizeBytes > this.#bytes.length) return undefined;
    const { declaredAddress, ...handshake } = decode(layout, this.#bytes.subarray(0, sizeBytes));
    return {
      handshake: { ...handshake, declaredAddress: declaredAddress ?? undefined },
      rest: this.#bytes.subarray(sizeBytes),
    };
  }
}

/**
 * Size of the whole handshake; undefined until its sizes are received.
 * @throws WireError for invalid sizes, with the reference's reason
 */
function findSize(bytes: Uint8Array): number | undefined {
  let end = 0;
  for (const [named, followingBytes] of NAMES) {
    const nameBytes = bytes[end];
    if (nameBytes === undefined) return undefined;
    if (nameBytes > MAX_NAME_BYTES) throw wrong(end, `An invalid ${named} name's size: ${nameBytes - 256}`);
    end += 1 + nameBytes + followingBytes;
  }
  if (bytes.length < end + ADDRESS_SIZE_BYTES) return undefined;
  const addressBytes = i32.read(new ByteReader(bytes, end));
  if (!ADDRESS_SIZES.has(addressBytes)) throw wrong(end, `An invalid declared address length: ${addressBytes}`);
  return end + ADDRESS_SIZE_BYTES + addressBytes + TIME_BYTES;
}

function wrong(offset: number, reason: string): WireError {
  return new WireError({ field: "handshake", offset, reason });
}
