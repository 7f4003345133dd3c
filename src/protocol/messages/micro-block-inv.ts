/**
 * The announcement of a micro-block to peers (message 26).
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: network/messages.scala, BasicMessagesRepo.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { concatBytes } from "../../crypto/bytes.ts";
import { sign, verify } from "../../crypto/curve25519.ts";
import type { KeyPair, PublicKey, Signature } from "../../crypto/identities.ts";
import type { RandomSource } from "../../crypto/random.ts";
import type { BlockId } from "../blocks/block.ts";
import { bytes, type Codec, decode, encode, struct } from "../codec/codec.ts";
import { WireError } from "../errors.ts";

export interface MicroBlockInv {
  readonly sender: PublicKey;
  readonly totalBlockId: BlockId;
  /** Total block id of the liquid block that the micro-block extends. */
  readonly reference: BlockId;
  readonly signature: Signature;
}

const layoutOf = (blockIdSize: number): Codec<MicroBlockInv> =>
  struct({
    sender: bytes<PublicKey>(32),
    totalBlockId: bytes<BlockId>(blockIdSize),
    reference: bytes<BlockId>(blockIdSize),
    signature: bytes<Signature>(64),
  });
/** Layouts by total size: ids are signatures before version 5 and hashes from then on. */
const layouts: ReadonlyMap<number, Codec<MicroBlockInv>> = new Map([
  [32 + 2 * 64 + 64, layoutOf(64)],
  [32 + 2 * 32 + 64, layoutOf(32)],
]);

/** @throws WireError */
export function parseMicroBlockInv(input: Uint8Array): MicroBlockInv {
  const layout = layouts.get(input.length);
  if (layout !== undefined) return decode(layout, input);
  const reason = `${[...layouts.keys()].join(" or ")} bytes expected, got ${input.length}`;
  throw new WireError({ field: "microBlockInv", offset: 0, reason });
}

/** Encodes an announcement. Both ids must have the same size. */
export function encodeMicroBlockInv(inv: MicroBlockInv): Uint8Array {
  return encode(layoutOf(inv.totalBlockId.length), inv);
}

/** Builds a signed announcement. */
export function buildMicroBlockInv(
  { totalBlockId, reference }: Pick<MicroBlockInv, "totalBlockId" | "reference">,
  { publicKey, privateKey }: KeyPair,
  random: RandomSource,
  chainId: number,
): MicroBlockInv {
  const unsigned = { sender: publicKey, totalBlockId, reference };
  return { ...unsigned, signature: sign(privateKey, invSignedBytes(unsigned, chainId), random(64)) };
}

export function hasValidMicroBlockInvSignature(inv: MicroBlockInv, chainId: number): boolean {
  return verify(inv.signature, invSignedBytes(inv, chainId), inv.sender);
}

function invSignedBytes(inv: Omit<MicroBlockInv, "signature">, chainId: number): Uint8Array {
  return concatBytes(addressOfPublicKey(inv.sender, chainId), inv.totalBlockId, inv.reference);
}
