/** What takes seconds is refused where nobody's block depends on it, and computed in blocks of others. */
import { describe, expect, test } from "vitest";
import { SeededRandom } from "../../../scripts/tools/chain-maker/seeded-random.ts";
import {
  type CertificateSpec,
  writeCertificate,
} from "../../../scripts/tools/fuzz/families/certificates/certificate-writer.ts";
import { makeChain } from "../../../scripts/tools/fuzz/families/certificates/made-chain.ts";
import { keyBytes } from "../../../scripts/tools/fuzz/families/rsa-key-bytes.ts";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { isSlowRsaKey } from "../../../src/crypto/rsa/public-key.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { call, constant, ref } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { signedBy } from "../../durable/pool/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../../durable/pool/signed-transfer.ts";
import { faultOf } from "../../rules/transactions/samples.ts";
import { treeScript } from "../../rules/transactions/scripts/made-scripts.ts";
import { pureEnvironment } from "../pure-environment.ts";

const facts = {
  libraryVersion: 6,
  content: "expression",
  guards: "account",
  chainId: 82,
  hasLexicalScope: true,
} as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};
const complexityLimit = 52_000;
const startMs = 1_700_000_000_000;

/** Odd, with small factors: it is found out at once, so that the tests take no seconds. */
const modulusOf = (bits: number): bigint => 3n * 2n ** BigInt(bits - 2) + 3n;

function verification(modulusBits: number, exponent: bigint): Expression {
  const key = keyBytes({ modulus: modulusOf(modulusBits), exponent });
  return call(504, ref("SHA256"), constant(new Uint8Array(1)), constant(new Uint8Array(1)), constant(key));
}

function evaluated(expression: Expression, mayRefuseWork: boolean) {
  return () =>
    evaluate(expression, facts, { environment: { ...pureEnvironment(facts), mayRefuseWork }, rules, complexityLimit });
}

describe("an RSA key", () => {
  test("is slow when its modulus, or a power with its exponent, has more than 4,096 bits' work", () => {
    const isSlow = (bits: number, exponent: bigint) => isSlowRsaKey(keyBytes({ modulus: modulusOf(bits), exponent }));
    expect(isSlow(4_096, 65_537n)).toBe(false);
    expect(isSlow(4_096, 2n ** 4_095n + 1n)).toBe(false);
    expect(isSlow(4_097, 3n)).toBe(true);
    expect(isSlow(4_096, 2n ** 4_096n + 1n)).toBe(true);
    expect(isSlow(2_048, 2n ** 8_192n + 1n)).toBe(false);
    expect(isSlowRsaKey(new Uint8Array(300))).toBe(false);
  });

  test("that is slow is refused to questions, whatever a script does about errors; in blocks its own fault comes out", () => {
    const slow = verification(4_352, 3n);
    expect(evaluated(slow, true)).toThrow(WorkRefused);
    expect(evaluated(slow, false)).toThrow("RSA modulus has a small prime factor");
    expect(evaluated(verification(4_096, 3n), true)).toThrow("RSA modulus has a small prime factor");
  });

  test("that is slow keeps a transaction out of the pool and out of own blocks", () => {
    const node = new SimulatedNode({ startMs });
    node.broadcast(signedTransfer({ timestamp: BigInt(startMs), amount: 100_000_000_000n }));
    while (node.pool.size > 0) node.step();
    const setScript = buildTransaction({
      type: TransactionType.SetScript,
      version: 2,
      chainId: privateNetwork.blockchain.chainId,
      sender: poorKey.publicKey,
      feeAsset: null,
      fee: 10_000_000n,
      timestamp: BigInt(node.nowMs),
      script: treeScript(verification(4_352, 3n)),
      proofs: [],
    });
    node.broadcast(signedBy(poorKey, setScript));
    while (node.pool.size > 0) node.step();
    const spending = signedTransfer({ timestamp: BigInt(node.nowMs), key: poorKey, to: richKey, fee: 500_000n });
    expect(faultOf(() => node.pool.add(spending, node.chain.view, node.nowMs))).toEqual({
      code: "generic",
      message: "an RSA key is too long to be looked at here",
    });
    // As a rollback brings it back: unchecked.
    node.pool.follow({ appended: [], discarded: undefined, dropped: [spending] }, node.chain.view)();
    const { run } = node.chain.liquid.openMicroBlock({ verifySignatures: true });
    const packed = node.pool.pack(run, { view: node.chain.view, maxTransactions: 5, nowMs: node.nowMs });
    expect(packed.transactions).toEqual([]);
    expect(node.pool.size).toBe(0);
  });
});

describe("a chain of certificates", () => {
  const chainOf = (...certificates: readonly Uint8Array[]): Expression => {
    const listOf = (...items: readonly Uint8Array[]): Expression =>
      items.reduceRight<Expression>((rest, item) => call(1100, constant(item), rest), ref("nil"));
    return call(902, listOf(...certificates), listOf(...certificates.slice(1)), constant(0n));
  };
  const ofLibrary9 = (expression: Expression, mayRefuseWork: boolean) => () => {
    const latest = { ...facts, libraryVersion: 9 } as const;
    const environment = { ...pureEnvironment(latest), mayRefuseWork };
    return evaluate(expression, latest, { environment, rules, complexityLimit });
  };

  test("with its lists beyond 16,384 bytes is refused to questions; in blocks it is read", () => {
    const half = new Uint8Array(5_461);
    expect(ofLibrary9(chainOf(half, half), true)).toThrow("Empty input");
    expect(ofLibrary9(chainOf(half, new Uint8Array(5_462)), true)).toThrow(WorkRefused);
    expect(ofLibrary9(chainOf(half, new Uint8Array(5_462)), false)).toThrow("Empty input");
  });

  test("with a slow RSA key is refused to questions", () => {
    const certificate = (bits: number): Uint8Array => {
      const { certificates } = makeChain(new SeededRandom("slow"), 1);
      const [spec] = certificates as [CertificateSpec];
      return writeCertificate({ ...spec, subjectKey: keyBytes({ modulus: modulusOf(bits), exponent: 3n }) });
    };
    const noPoint = "the certificate's key is not on a curve";
    expect(ofLibrary9(chainOf(certificate(4_096)), true)).toThrow(noPoint);
    expect(ofLibrary9(chainOf(certificate(4_097)), true)).toThrow(WorkRefused);
    expect(ofLibrary9(chainOf(certificate(4_097)), false)).toThrow(noPoint);
  });
});
