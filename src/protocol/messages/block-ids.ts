/**
 * Ids of blocks in peer messages. An id is a block's signature before version 5, and a hash from then on.
 * @source docs/protocol/consensus-and-finality.md 1.10; Waves: network/BasicMessagesRepo.scala
 */
import type { Signature } from "../../crypto/identities.ts";
import type { BlockId } from "../blocks/block.ts";
import { bytes, bytesWithLength, type Codec, i32, list, mapped, u8 } from "../codec/codec.ts";

const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MAX_IDS = 200;

function checkSize(sizeBytes: number, fail: (reason: string) => never): void {
  if (sizeBytes !== HASH_BYTES && sizeBytes !== SIGNATURE_BYTES)
    fail(`an id of ${HASH_BYTES} or ${SIGNATURE_BYTES} bytes expected, got ${sizeBytes}`);
}

/** One id as the whole message: 22, 27, 34, 35. */
export const blockId: Codec<BlockId> = {
  read: (from) => {
    checkSize(from.remaining, (reason) => from.fail(reason));
    return from.bytesOf(from.remaining) as BlockId;
  },
  write: (id, to) => to.bytes(id),
};

/** Ids of messages 32 and 33. */
export const blockIds: Codec<readonly BlockId[]> = list(
  i32,
  mapped(
    bytesWithLength<BlockId>(u8, SIGNATURE_BYTES),
    (id, from) => {
      checkSize(id.length, (reason) => from.fail(reason, from.offset - id.length));
      return id;
    },
    (id) => id,
  ),
  MAX_IDS,
);

/** Ids of messages 20 and 21, of peers before release 1.2, which have no hashes. */
export const blockSignatures: Codec<readonly Signature[]> = list(i32, bytes<Signature>(SIGNATURE_BYTES), MAX_IDS);

export const maxBytesOfIds = {
  one: SIGNATURE_BYTES,
  many: 4 + MAX_IDS * (1 + SIGNATURE_BYTES),
  signatures: 4 + MAX_IDS * SIGNATURE_BYTES,
} as const;
