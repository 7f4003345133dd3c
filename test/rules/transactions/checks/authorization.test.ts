/** Signatures of accounts without script. @see Waves: transaction/Proven.scala, transaction/smart/Verifier.scala */

import { describe, expect, it } from "vitest";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { sign, verify } from "../../../../src/crypto/curve25519.ts";
import type { PublicKey } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../../../src/crypto/seed.ts";
import type { TransferTransaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import { signaturesOf } from "../../../../src/rules/transactions/checks/proofs.ts";
import {
  assetId,
  chainId,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const verifying = { ...context, verifySignatures: true };
const [alice, bob, matcher] = [1, 2, 3].map((byte) => keyPairOfAccountSeed(new Uint8Array(32).fill(byte)));
if (alice === undefined || bob === undefined || matcher === undefined) throw new Error("three keys were made");

const rich = (options: StateOptions = {}): InMemoryState => {
  const state = new InMemoryState(options).withAsset(assetId(1), { issuer: keys.bob });
  for (const { publicKey } of [alice, bob, matcher]) {
    const address = addressOfPublicKey(publicKey, chainId);
    state.withBalance(address, 10_000_000n).withBalance(address, 5000n, assetId(1));
  }
  return state;
};
const signed = (): TransferTransaction => {
  const transfer = sample(TransactionType.Transfer, { sender: alice.publicKey });
  return { ...transfer, proofs: [sign(alice.privateKey, transfer.bodyBytes, secureRandomBytes(64))] };
};

describe("proofs of a transaction", () => {
  it("are one signature of the sender over the body", () => {
    expect(applyTransaction(signed(), rich(), verifying).spentComplexity).toBe(0n);
    const other = { ...signed(), bodyBytes: new Uint8Array(101) };
    expect(violationOf(() => applyTransaction(other, rich(), verifying))).toEqual({
      code: "proofInvalid",
      transaction: other,
    });
    const bobs = { ...signed(), sender: bob.publicKey };
    expect(violationOf(() => applyTransaction(bobs, rich(), verifying)).code).toBe("proofInvalid");
  });

  it("are neither none nor two, also if signatures were verified before", () => {
    const [proof] = signed().proofs;
    for (const proofs of [[], [proof!, proof!]]) {
      for (const block of [verifying, context]) {
        expect(violationOf(() => applyTransaction({ ...signed(), proofs }, rich(), block))).toEqual({
          code: "proofCountWrong",
          count: proofs.length,
          expected: 1,
        });
      }
    }
  });

  it("are not checked if signatures were verified before", () => {
    const unsigned = sample(TransactionType.Transfer, { sender: alice.publicKey });
    expect(applyTransaction(unsigned, rich(), context).status).toBe("succeeded");
    expect(violationOf(() => applyTransaction(unsigned, rich(), verifying)).code).toBe("proofInvalid");
  });

  it("are checked after the funds: the error of an empty account with a bad signature is its balance", () => {
    expect(
      violationOf(() => applyTransaction(sample(TransactionType.Transfer), new InMemoryState(), verifying)).code,
    ).toBe("fundsMissing");
  });

  it("by a small-order key are refused from feature 17 on", () => {
    const weak = new Uint8Array(32) as PublicKey;
    const zeroSignature = new Uint8Array(64);
    zeroSignature[0] = 1;
    const transfer = sample(TransactionType.Transfer, { sender: weak, proofs: [zeroSignature] });
    // Whether the forgery passes the plain check does not matter here: this rule precedes it.
    const state = rich().withBalance(addressOfPublicKey(weak, chainId), 10_000_000n);
    expect(violationOf(() => applyTransaction(transfer, state, context)).code).toBe("proofInvalid");
    const early = rich({ features: new Map([[4, 0]]) }).withBalance(addressOfPublicKey(weak, chainId), 10_000_000n);
    expect(applyTransaction(transfer, early, context).status).toBe("succeeded");
  });

  it("of version 1 cannot replace the script of an account", () => {
    const state = rich().withAccountScript(alice.publicKey, 1n);
    expect(violationOf(() => applyTransaction({ ...signed(), version: 1 }, state, context))).toEqual({
      code: "signatureOfScriptedAccount",
      what: "transaction",
    });
  });
});

describe("proofs of orders", () => {
  const buy = sampleOrder({ sender: alice.publicKey, matcher: matcher.publicKey });
  const sell = sampleSellOrder({ sender: bob.publicKey, matcher: matcher.publicKey });
  const order1 = { ...buy, proofs: [sign(alice.privateKey, buy.bodyBytes, secureRandomBytes(64))] };
  const order2 = { ...sell, proofs: [sign(bob.privateKey, sell.bodyBytes, secureRandomBytes(64))] };
  const body = new Uint8Array(50);
  const exchange = sample(TransactionType.Exchange, {
    sender: matcher.publicKey,
    bodyBytes: body,
    proofs: [sign(matcher.privateKey, body, secureRandomBytes(64))],
    order1,
    order2,
  });

  it("are those of both owners, besides the matcher's", () => {
    expect(applyTransaction(exchange, rich(), verifying).status).toBe("succeeded");
    const unsignedBuy = { ...exchange, order1: buy };
    expect(violationOf(() => applyTransaction(unsignedBuy, rich(), verifying))).toEqual({
      code: "orderProofInvalid",
      order: buy,
    });
    const unsignedMatcher = { ...exchange, proofs: [new Uint8Array(64)] };
    expect(violationOf(() => applyTransaction(unsignedMatcher, rich(), verifying)).code).toBe("proofInvalid");
  });

  it("are checked on the sell side first", () => {
    const unsigned = { ...exchange, order1: buy, order2: sell };
    expect(violationOf(() => applyTransaction(unsigned, rich(), verifying))).toMatchObject({ order: { side: "sell" } });
  });

  it("of an Ethereum wallet are the signature from which the key was recovered", () => {
    const ethereum = sampleOrder({
      sender: new Uint8Array(64).fill(7),
      matcher: matcher.publicKey,
      proofs: [],
      eip712Signature: new Uint8Array(65).fill(28),
    });
    const state = rich();
    const transaction = { ...exchange, order1: ethereum };
    // The account of the Ethereum key is empty: the rule of funds refuses.
    expect(violationOf(() => applyTransaction(transaction, state, verifying)).code).toBe("balancesInvalid");
  });

  it("are listed for batch verification", () => {
    const listed = signaturesOf(exchange);
    expect(listed).toHaveLength(3);
    expect(listed.every(({ signature, message, publicKey }) => verify(signature, message, publicKey))).toBe(true);
    expect(signaturesOf(sample(TransactionType.Genesis))).toEqual([]);
    expect(signaturesOf(sample(TransactionType.Ethereum))).toEqual([]);
    expect(signaturesOf(sample(TransactionType.Transfer, { proofs: [] }))).toEqual([]);
  });
});
