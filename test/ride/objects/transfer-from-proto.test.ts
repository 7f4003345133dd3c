import { expect, test } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { addressOfEthereumKey } from "../../../src/crypto/ethereum-key.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { encodeSigned, encodeTransactionMessage } from "../../../src/protocol/transactions/signed-transaction.ts";
import { formatOf } from "../../../src/protocol/transactions/table.ts";
import type { TransactionFields, TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { findTransferInProto } from "../../../src/ride/objects/transfer-from-proto.ts";

const chainId = 82;
const plain: TransactionFields<TransferTransaction> = {
  type: TransactionType.Transfer,
  version: 3,
  chainId,
  sender: new Uint8Array(32).fill(1) as PublicKey,
  recipient: { kind: "address", address: addressOfPublicKeyHash(new Uint8Array(20).fill(2), chainId) },
  asset: null,
  amount: 5n,
  feeAsset: null,
  fee: 100_000n,
  attachment: new Uint8Array(3).fill(9),
  timestamp: 1_600_000_000_000n,
  proofs: [new Uint8Array(64).fill(4)],
};

function bytesOf(changes: Partial<typeof plain>): Uint8Array {
  const fields = { ...plain, ...changes };
  return encodeSigned(encodeTransactionMessage(formatOf(fields.type), fields), fields.proofs);
}

test("a transfer of another chain is none", () => {
  expect(findTransferInProto(bytesOf({}), chainId)).toMatchObject({ amount: 5n, version: 3, proofs: plain.proofs });
  expect(findTransferInProto(bytesOf({ chainId: 84 }), chainId)).toBeUndefined();
});

test.each([1, 31, 33, 64])("an asset's id may have %d bytes", (sizeBytes) => {
  const asset = new Uint8Array(sizeBytes).fill(7) as AssetId;
  expect(findTransferInProto(bytesOf({ asset, feeAsset: asset }), chainId)).toMatchObject({ asset, feeAsset: asset });
});

test.each([1, 2, 3, 0, 9, -1])("a sender's key of 64 bytes is one of Ethereum, in version %d too", (version) => {
  const sender = new Uint8Array(64).fill(3) as PublicKey;
  const transfer = findTransferInProto(bytesOf({ sender, version }), chainId);
  expect(transfer).toMatchObject({
    sender: addressOfEthereumKey(sender, chainId),
    senderPublicKey: sender,
    version,
    id: blake2b256(transfer?.bodyBytes as Uint8Array),
  });
  const isLegacy = version === 1 || version === 2;
  expect(transfer?.bodyBytes[0]).toBe(isLegacy ? TransactionType.Transfer : 8);
});

test.each([1, 31, 33, 63, 65])("%d bytes are no sender's key", (sizeBytes) => {
  const sender = new Uint8Array(sizeBytes) as PublicKey;
  expect(findTransferInProto(bytesOf({ sender }), chainId)).toBeUndefined();
});

const nothing = 'Cannot invoke "com.wavesplatform.common.state.ByteStr.arr()" because ';

test.each([
  [3, `${nothing}"$this" is null`],
  [2, `${nothing}the return value of "com.wavesplatform.transaction.transfer.TransferTransaction.sender()" is null`],
])("a transfer of version %d without a sender ends the evaluation", (version, message) => {
  const sender = new Uint8Array(0) as PublicKey;
  expect(() => findTransferInProto(bytesOf({ sender, version }), chainId)).toThrow(message);
});

test("what holds no transfer is none", () => {
  expect(findTransferInProto(new Uint8Array(0), chainId)).toBeUndefined();
  expect(findTransferInProto(bytesOf({ amount: 0n }), chainId)).toBeUndefined();
  expect(findTransferInProto(bytesOf({}).subarray(0, 40), chainId)).toBeUndefined();
});
