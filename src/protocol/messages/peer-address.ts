/** Where a peer listens. @source docs/protocol/consensus-and-finality.md 1.10 */
import { bytes, type Codec, i32, list, struct } from "../codec/codec.ts";

export interface PeerAddress {
  /** 4 bytes, or 16. */
  readonly ip: Uint8Array;
  readonly port: number;
}

const IPV4_BYTES = 4;
/** Of a list. */
export const MAX_PEER_ADDRESSES = 1_000;

/** @param ipBytes size of its address */
export function peerAddress(ipBytes: number): Codec<PeerAddress> {
  return struct({ ip: bytes(ipBytes), port: i32 });
}

/** What message 2 holds: addresses of the older kind alone. */
export const peerAddresses: Codec<readonly PeerAddress[]> = list(i32, peerAddress(IPV4_BYTES), MAX_PEER_ADDRESSES);
