/**
 * Transactions of Ethereum wallets.
 * @see Waves: transaction/EthereumTransaction.scala, state/diffs/EthereumTransactionDiff.scala
 */

import { describe, expect, it } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { Feature } from "../../../src/network/features.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { addresses, assetId, context, keys, sample, violationOf } from "../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../support/fakes/in-memory-state.ts";

const { alice, bob, carol } = addresses;
const asset = assetId(5);
const rich = (options: StateOptions = {}): InMemoryState =>
  new InMemoryState(options)
    .withBalance(alice, 1_000_000n)
    .withAsset(asset, { issuer: keys.bob })
    .withBalance(alice, 70n, asset);

/** Call data of `transfer(address,uint256)`. */
function transferCall(recipient: Uint8Array, amount: number): Uint8Array {
  const amountBytes = new Uint8Array(32);
  new DataView(amountBytes.buffer).setUint32(28, amount);
  return concatBytes(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb), new Uint8Array(12), recipient.subarray(2, 22), amountBytes);
}
const tokenTransfer = (amount = 30) =>
  sample(TransactionType.Ethereum, { to: asset.subarray(0, 20), value: 0n, data: transferCall(carol, amount) });

describe("transfer", () => {
  it("moves WAVES", () => {
    expect(applyTransaction(sample(TransactionType.Ethereum), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset: null, balance: 899_995n },
        { address: bob, asset: null, balance: 5n },
      ],
    });
  });

  it("moves the asset whose id begins with the token's address", () => {
    expect(applyTransaction(tokenTransfer(), rich(), context).snapshot).toEqual({
      balances: [
        { address: alice, asset, balance: 40n },
        { address: alice, asset: null, balance: 900_000n },
        { address: carol, asset, balance: 30n },
      ],
    });
  });

  it("of an unknown token is refused", () => {
    const token = assetId(6).subarray(0, 20);
    const transaction = sample(TransactionType.Ethereum, { to: token, value: 0n, data: transferCall(carol, 1) });
    expect(violationOf(() => applyTransaction(transaction, rich(), context))).toEqual({
      code: "erc20AssetUnknown",
      address: token,
    });
  });

  it("of more than available is refused", () => {
    expect(violationOf(() => applyTransaction(tokenTransfer(71), rich(), context))).toMatchObject({
      code: "balancesInvalid",
    });
  });

  it("with more data than its two arguments is refused from feature 19 on", () => {
    const data = concatBytes(tokenTransfer().data, Uint8Array.of(0));
    const longer = { ...tokenTransfer(), data };
    expect(violationOf(() => applyTransaction(longer, rich(), context))).toEqual({
      code: "ethereumTransferDataSizeWrong",
      sizeBytes: 69,
      expected: 68,
    });
    const features = new Map<number, number>([
      [Feature.BlockV5, 0],
      [Feature.RideV6, 0],
    ]);
    expect(applyTransaction(longer, rich({ features }), context).status).toBe("succeeded");
  });

  it("with a key that begins with zeros is refused before feature 18", () => {
    const senderKey = new Uint8Array(64).fill(9);
    senderKey[0] = 0;
    const features = new Map<number, number>([
      [Feature.BlockV5, 0],
      [Feature.RideV6, 0],
    ]);
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Ethereum, { senderKey }), rich({ features }), context)),
    ).toEqual({
      code: "ethereumKeyInvalid",
    });
    // A second byte of 0x80 or more takes the sign's position.
    senderKey[1] = 0x80;
    expect(applyTransaction(sample(TransactionType.Ethereum, { senderKey }), rich({ features }), context).status).toBe(
      "succeeded",
    );
  });
});

describe("call", () => {
  it("needs a dApp", () => {
    const call = sample(TransactionType.Ethereum, { data: Uint8Array.of(1, 2, 3, 4), fee: 500_000n });
    expect(violationOf(() => applyTransaction(call, rich(), context))).toMatchObject({
      message: expect.stringMatching(/^No script at address/),
    });
  });
});
