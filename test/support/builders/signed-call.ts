/** Calls that a node accepts: real keys, real signatures. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { InvokeScriptTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { signedBy } from "./signed-by.ts";
import { poorKey, richKey } from "./signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;

/** Call of `call` of the rich account's dApp by the poor one, with the given fields replaced. */
export function signedCall({
  key = poorKey,
  ...fields
}: Partial<Omit<InvokeScriptTransaction, "timestamp">> & {
  readonly key?: KeyPair;
  readonly timestamp: bigint;
}): InvokeScriptTransaction {
  const unsigned = buildTransaction({
    ...{ type: TransactionType.InvokeScript, version: 2, chainId, sender: key.publicKey, feeAsset: null, proofs: [] },
    dApp: { kind: "address", address: addressOfPublicKey(richKey.publicKey, chainId) },
    ...{ call: { function: "call", args: [] }, payments: [], fee: 500_000n },
    ...fields,
  });
  return signedBy(key, unsigned as InvokeScriptTransaction);
}
