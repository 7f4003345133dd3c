/** Transfers that a node accepts: real keys, real signatures. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { privateNetwork, privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { signedBy } from "./signed-by.ts";

const { chainId } = privateNetwork.blockchain;

/** Account of the private network's wallet; number 0 owns all WAVES. */
export function walletKey(nonce: number): KeyPair {
  return keyPairOfAccountSeed(accountSeed(privateNetworkSecrets.walletSeed, nonce));
}
export const richKey = walletKey(0);
export const poorKey = walletKey(1);

/** Transfer of WAVES by the rich account to the poor one, with the given fields replaced. */
export function signedTransfer({
  key = richKey,
  to = poorKey,
  ...fields
}: {
  readonly timestamp: bigint;
  /** Version 3 is in protobuf. */
  readonly version?: 2 | 3;
  readonly key?: KeyPair;
  readonly to?: KeyPair;
  readonly amount?: bigint;
  readonly fee?: bigint;
  readonly attachment?: Uint8Array;
}): TransferTransaction {
  const unsigned = buildTransaction({
    type: TransactionType.Transfer,
    version: 3,
    chainId,
    sender: key.publicKey,
    feeAsset: null,
    asset: null,
    fee: 100_000n,
    amount: 1n,
    attachment: new Uint8Array(),
    recipient: { kind: "address", address: addressOfPublicKey(to.publicKey, chainId) },
    proofs: [],
    ...fields,
  });
  return signedBy(key, unsigned);
}
