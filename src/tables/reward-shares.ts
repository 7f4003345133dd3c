/** Shares of a block's reward as one column: recipients and amounts. */
import { concatBytes, i64Bytes } from "../crypto/bytes.ts";
import type { Address } from "../crypto/identities.ts";
import { encodedBytes } from "./schema/column.ts";

export interface RewardShare {
  readonly address: Address;
  /** Amount in wavelets, boost included. */
  readonly amount: bigint;
}

const ADDRESS_SIZE = 26;
const SHARE_SIZE = ADDRESS_SIZE + 8;

export const rewardShares = encodedBytes<readonly RewardShare[]>(
  (shares) => concatBytes(...shares.flatMap(({ address, amount }) => [address, i64Bytes(amount)])),
  decodeShares,
  "(address of 26 bytes, amount as 8 bytes big-endian) repeated, boost included, by address bytes",
);

/** @throws Error if a share is truncated */
function decodeShares(bytes: Uint8Array): readonly RewardShare[] {
  if (bytes.length % SHARE_SIZE !== 0) throw new Error(`shares of ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: bytes.length / SHARE_SIZE }, (_, index) => {
    const start = index * SHARE_SIZE;
    return {
      address: bytes.subarray(start, start + ADDRESS_SIZE) as Address,
      amount: view.getBigInt64(start + ADDRESS_SIZE),
    };
  });
}
