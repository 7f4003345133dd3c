/** @see Waves: transaction/Proven.scala, transaction/smart/Verifier.scala */
import { expect, test } from "vitest";
import { sign } from "../../../../src/crypto/curve25519.ts";
import { keyPairOfAccountSeed } from "../../../../src/crypto/seed.ts";
import { Feature } from "../../../../src/network/features.ts";
import type { Script } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { verifyAuthorization } from "../../../../src/rules/transactions/checks/authorization.ts";
import { signaturesOf, verifyOrderProof } from "../../../../src/rules/transactions/checks/proofs.ts";
import type { TraceStep } from "../../../../src/rules/transactions/scripts/trace.ts";
import {
  addresses,
  context,
  keys,
  sample,
  sampleOrder,
  sampleSellOrder,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import { constantScript, costlyTree, treeDApp, treeScript } from "../../../support/builders/test-scripts.ts";
import { InMemoryState, type StateOptions } from "../../../support/fakes/in-memory-state.ts";

const proof = (byte: number) => new Uint8Array(64).fill(byte);
const verifying = { refuseWeakKeys: true, verifySignatures: true };

test("the signatures of an exchange are those of the matcher, the seller and the buyer, each over its own bytes", () => {
  const buy = sampleOrder({ proofs: [proof(1)], bodyBytes: Uint8Array.of(1) });
  const sell = sampleSellOrder({ proofs: [proof(2)], bodyBytes: Uint8Array.of(2) });
  const exchange = sample(TransactionType.Exchange, {
    order1: buy,
    order2: sell,
    proofs: [proof(3)],
    bodyBytes: Uint8Array.of(3),
  });
  expect(signaturesOf(exchange)).toEqual([
    { signature: proof(3), message: Uint8Array.of(3), publicKey: keys.matcher },
    { signature: proof(2), message: Uint8Array.of(2), publicKey: keys.bob },
    { signature: proof(1), message: Uint8Array.of(1), publicKey: keys.alice },
  ]);
});

test("proofs other than one signature are not listed, nor is that of a wallet", () => {
  const transfer = (count: number) => sample(TransactionType.Transfer, { proofs: Array(count).fill(proof(1)) });
  expect([0, 1, 2].map((count) => signaturesOf(transfer(count)).length)).toEqual([0, 1, 0]);
  const order1 = sampleOrder({ eip712Signature: new Uint8Array(65), proofs: [proof(1)] });
  const order2 = sampleSellOrder({ proofs: [proof(2), proof(2)] });
  expect(signaturesOf(sample(TransactionType.Exchange, { order1, order2 }))).toHaveLength(1);
});

test("an order has one proof, which must verify", () => {
  const owner = keyPairOfAccountSeed(new Uint8Array(32).fill(1));
  const order = sampleOrder({ sender: owner.publicKey });
  const signature = sign(owner.privateKey, order.bodyBytes, new Uint8Array(64).fill(5));
  expect(() => verifyOrderProof({ ...order, proofs: [signature] }, verifying)).not.toThrow();
  expect(violationOf(() => verifyOrderProof(order, verifying))).toEqual({ code: "orderProofInvalid", order });
  expect(() => verifyOrderProof(order, { ...verifying, verifySignatures: false })).not.toThrow();
  expect(violationOf(() => verifyOrderProof({ ...order, proofs: [] }, verifying))).toEqual({
    code: "proofCountWrong",
    count: 0,
    expected: 1,
  });
});

test("a payment of a small-order key is verified the old way, with any features", () => {
  const weak = new Uint8Array(32) as typeof keys.alice;
  const view = new InMemoryState();
  expect(() => verifyAuthorization(sample(TransactionType.Payment, { sender: weak }), view, context)).not.toThrow();
  expect(
    violationOf(() => verifyAuthorization(sample(TransactionType.Transfer, { sender: weak }), view, context)).code,
  ).toBe("proofInvalid");
});

test("a grant has no signature, and the sender of an Ethereum transaction follows from it", () => {
  const view = new InMemoryState().withAccountScript(keys.alice, 1n, constantScript(false));
  for (const type of [TransactionType.Genesis, TransactionType.Ethereum] as const) {
    expect(verifyAuthorization(sample(type), view, { ...context, verifySignatures: true })).toBe(0);
  }
});

test("the verifiers of an exchange count in total", () => {
  const view = new InMemoryState();
  const costs = [1, 2, 4].map((times) => {
    const alone = new InMemoryState().withAccountScript(keys.alice, 1n, treeScript(costlyTree(times)));
    return verifyAuthorization(sample(TransactionType.Transfer), alone, context);
  });
  [keys.matcher, keys.alice, keys.bob].forEach((key, index) => {
    view.withAccountScript(key, 1n, treeScript(costlyTree([1, 2, 4][index] as number)));
  });
  expect(verifyAuthorization(sample(TransactionType.Exchange), view, context)).toBe(
    costs.reduce((sum, cost) => sum + cost, 0),
  );
});

test("an order of version 1 cannot be of an account with a script, of version 2 it can", () => {
  const view = new InMemoryState().withAccountScript(keys.alice, 1n, constantScript(true));
  const exchange = (version: number) => sample(TransactionType.Exchange, { order1: sampleOrder({ version }) });
  expect(violationOf(() => verifyAuthorization(exchange(1), view, context))).toEqual({
    code: "signatureOfScriptedAccount",
    what: "order",
  });
  expect(() => verifyAuthorization(exchange(2), view, context)).not.toThrow();
});

const withoutVerifier = (options: StateOptions = {}, script: Script = treeDApp({}, 4)) =>
  new InMemoryState(options).withAccountScript(keys.alice, 77n, script);

test("a dApp without verifier counts nothing, before feature 16 its estimate", () => {
  const transfer = sample(TransactionType.Transfer);
  expect(verifyAuthorization(transfer, withoutVerifier(), context)).toBe(0);
  const before = { features: new Map([[Feature.SynchronousCalls as number, 101]]) };
  expect(verifyAuthorization(transfer, withoutVerifier(before), context)).toBe(77);
});

test("an order of a dApp without verifier depends on its owner's proof", () => {
  const exchange = (count: number) =>
    sample(TransactionType.Exchange, { order1: sampleOrder({ proofs: Array(count).fill(proof(1)) }) });
  expect(() => verifyAuthorization(exchange(1), withoutVerifier(), context)).not.toThrow();
  expect(violationOf(() => verifyAuthorization(exchange(0), withoutVerifier(), context))).toMatchObject({
    code: "scriptFailed",
    of: "account",
  });
});

test("a dApp without verifier and without its owner's signature leaves a step without a computation", () => {
  const trace: TraceStep[] = [];
  const signed = { ...context, verifySignatures: true, trace };
  expect(() => verifyAuthorization(sample(TransactionType.Transfer), withoutVerifier(), signed)).toThrow();
  expect(trace).toEqual([
    {
      kind: "verifier",
      address: addresses.alice,
      failure: { kind: "failed", error: expect.stringMatching(/^Proof doesn't validate/), log: [] },
    },
  ]);
});

test("a verifier reports its computation to a caller that wants only the steps", () => {
  const script = treeScript({
    kind: "block",
    declaration: { kind: "let", name: "answer", value: { kind: "constant", value: false } },
    body: { kind: "reference", name: "answer" },
    isLetBlock: false,
  });
  const view = new InMemoryState().withAccountScript(keys.alice, 1n, script);
  const trace: TraceStep[] = [];
  expect(() => verifyAuthorization(sample(TransactionType.Transfer), view, { ...context, trace })).toThrow();
  const [step] = trace;
  if (step?.kind !== "verifier") throw new Error("a verifier ran");
  expect(step.failure?.log?.map(({ name }) => name)).toContain("answer");
});
