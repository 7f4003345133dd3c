/** Building a block: the transactions root, the signature and the id. */

import { sign } from "../../crypto/curve25519.ts";
import type { PrivateKey } from "../../crypto/identities.ts";
import type { RandomSource } from "../../crypto/random.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { Block, BlockHeader } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { blockId, signedBytes } from "./parse-block.ts";
import { transactionsRoot } from "./transactions-root.ts";

/** Header fields that a generator chooses; the transactions root is computed. */
export type HeaderFields = Omit<BlockHeader, "transactionsRoot">;

/**
 * Builds and signs a block. Other random bytes give another signature, and before version 5 another id.
 * @param header with the public key of `privateKey` as `generator`
 */
export function buildBlock({
  header,
  transactions,
  privateKey,
  chainId,
  random,
}: {
  readonly header: HeaderFields;
  readonly transactions: readonly Transaction[];
  readonly privateKey: PrivateKey;
  readonly chainId: number;
  readonly random: RandomSource;
}): Block {
  const root = header.version >= BlockVersion.Protobuf ? transactionsRoot(transactions) : undefined;
  return signBlock({ header: { ...header, transactionsRoot: root }, transactions, privateKey, chainId, random });
}

/** Signs a block whose header is complete. */
export function signBlock({
  header,
  transactions,
  privateKey,
  chainId,
  random,
}: {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  readonly privateKey: PrivateKey;
  readonly chainId: number;
  readonly random: RandomSource;
}): Block {
  const signature = sign(privateKey, signedBytes({ header, transactions }, chainId), random(64));
  return { header, signature, id: blockId({ header, signature }, chainId), transactions };
}
