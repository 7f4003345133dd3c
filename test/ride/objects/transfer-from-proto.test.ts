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
import { type ScriptTransfer, transferObject } from "../../../src/ride/objects/transfer.ts";
import { findTransferInProto as findTransfer } from "../../../src/ride/objects/transfer-from-proto.ts";
import { unit } from "../../../src/ride/values/value.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const chainId = 82;
/** Finds the transfer in a message of the chain. */
const findTransferInProto = (bytes: Uint8Array, chainId: number) => findTransfer(bytes, pureEnvironment({ chainId }));
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

test("scripts see no asset whose id is too long for a value", () => {
  const shown = [32_767, 32_768].map((sizeBytes) => {
    const asset = new Uint8Array(sizeBytes) as AssetId;
    const transfer = findTransferInProto(bytesOf({ asset, feeAsset: asset }), chainId) as ScriptTransfer;
    const { fields } = transferObject(transfer, { libraryVersion: 5, hasProofs: true, hasFixedScriptField: true });
    return [fields.get("assetId"), fields.get("feeAssetId")];
  });
  expect(shown).toEqual([
    [new Uint8Array(32_767), new Uint8Array(32_767)],
    [unit, unit],
  ]);
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

test("a message without a transfer gives none", () => {
  expect(findTransferInProto(new Uint8Array(0), chainId)).toBeUndefined();
  expect(findTransferInProto(bytesOf({ amount: 0n }), chainId)).toBeUndefined();
  expect(findTransferInProto(bytesOf({}).subarray(0, 40), chainId)).toBeUndefined();
});

const field = (number: number, content: number[]) => {
  const length = content.length < 128 ? [content.length] : [(content.length & 127) | 128, content.length >> 7];
  return [((number * 8 + 2) & 127) | 128, (number * 8 + 2) >> 7, ...length, ...content];
};
const copies = (count: number, item: number[]): number[] => Array.from({ length: count }, () => item).flat();

test.each([
  ["an exchange of three orders", field(107, copies(3, [0x2a, 0]))],
  ["two exchanges of two orders each", copies(2, field(107, copies(2, [0x2a, 0])))],
  ["an order of nine proofs", field(107, [0x2a, 18, ...copies(9, [0x62, 0])])],
  ["101 data entries", field(112, copies(101, [0x0a, 0]))],
  ["101 transfers", field(111, copies(101, [0x12, 0]))],
  ["2,561 payments", field(116, copies(2_561, [0x1a, 0]))],
])("%s before the transfer have no effect", (_, replaced) => {
  const transaction = encodeTransactionMessage(formatOf(plain.type), plain);
  const [before, after] = [
    [...replaced, ...transaction],
    [...transaction, ...replaced],
  ].map((bytes) => findTransferInProto(encodeSigned(Uint8Array.from(bytes), plain.proofs), chainId));
  expect(before).toMatchObject({ amount: 5n, recipient: plain.recipient });
  expect(after).toBeUndefined();
});
