/** Address at which a peer listens. @source docs/protocol/consensus-and-finality.md 1.10 */
import { bytes, type Codec, i32, list, struct } from "../codec/codec.ts";

export interface PeerAddress {
  /** IPv4 or IPv6: 4 or 16 bytes. */
  readonly ip: Uint8Array;
  readonly port: number;
}

const IPV4_BYTES = 4;
/** Maximum of addresses in a list. */
export const MAX_PEER_ADDRESSES = 1_000;

/** @param ipBytes size of the IP address */
export function peerAddress(ipBytes: number): Codec<PeerAddress> {
  return struct({ ip: bytes(ipBytes), port: i32 });
}

/** Content of message 2: IPv4 addresses only. */
export const peerAddresses: Codec<readonly PeerAddress[]> = list(i32, peerAddress(IPV4_BYTES), MAX_PEER_ADDRESSES);
