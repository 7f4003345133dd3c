/** Work that takes seconds is refused if no block depends on it, and computed in blocks of others. */
import { describe, expect, test } from "vitest";
import { isSlowRsaKey } from "../../../src/crypto/rsa/public-key.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { type Estimator, estimateScript, offChainAllowance } from "../../../src/ride/estimator/script-complexity.ts";
import type { StepAllowance } from "../../../src/ride/estimator/stepwise.ts";
import { DAppProgram } from "../../../src/ride/evaluator/dapp-program.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { call, constant, get, ref } from "../../../src/ride/functions/tree.ts";
import { type Invocation, knownId } from "../../../src/ride/objects/invocation.ts";
import type { DApp, Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, type Value } from "../../../src/ride/values/value.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { makeCertificateChain } from "../../../verification/fuzz/families/certificates/certificate-chain.ts";
import {
  type CertificateSpec,
  writeCertificate,
} from "../../../verification/fuzz/families/certificates/certificate-writer.ts";
import { makeCancelledProof, makeProof } from "../../../verification/fuzz/families/groth16-proofs.ts";
import { keyBytes } from "../../../verification/fuzz/families/rsa-key-bytes.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { violationOf } from "../../support/builders/sample-transactions.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { treeScript } from "../../support/builders/test-scripts.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const linkOptions = {
  libraryVersion: 6,
  content: "expression",
  guards: "account",
  chainId: 82,
  hasLexicalScope: true,
} as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: false,
  hasSynchronousCallFixes: true,
};
const complexityLimit = 52_000;
const startMs = 1_700_000_000_000;
const invocation: Invocation = {
  caller: new Uint8Array(26),
  callerPublicKey: new Uint8Array(32),
  originCaller: new Uint8Array(26),
  originCallerPublicKey: new Uint8Array(32),
  transactionId: knownId(new Uint8Array(32)),
  feeWavelets: 500_000n,
  feeAssetId: null,
  payments: [],
};

/** Modulus that is odd and has small factors, which are found at once, so that the tests take no seconds. */
const modulusOf = (bits: number): bigint => 3n * 2n ** BigInt(bits - 2) + 3n;

function verification(modulusBits: number, exponent: bigint): Expression {
  const key = keyBytes({ modulus: modulusOf(modulusBits), exponent });
  return call(504, ref("SHA256"), constant(new Uint8Array(1)), constant(new Uint8Array(1)), constant(key));
}

function evaluated(expression: Expression, mayRefuseWork: boolean) {
  return () =>
    evaluate(expression, linkOptions, {
      environment: { ...pureEnvironment(linkOptions), mayRefuseWork },
      rules,
      complexityLimit,
    });
}

describe("a value that nests deeper than 300 levels", () => {
  const deep = 301;
  const tupled = (levels: number): Expression => {
    let value: Expression = constant(1n);
    for (let level = 0; level < levels; level++) value = call(1300, value, constant(1n));
    return value;
  };
  const listed = (levels: number): Value => {
    let value: Value = 1n;
    for (let level = 0; level < levels; level++) value = new List([value]);
    return value;
  };
  const isInt = (value: Expression): Expression => call(1, value, constant(new Text("Int")));
  const cases: readonly (readonly [string, (levels: number) => Expression])[] = [
    ["a tuple that is matched", (levels) => isInt(tupled(levels))],
    [
      "a tuple that is a power's rounding",
      (levels) => call(108, ...[1n, 1n, 1n, 1n, 1n].map(constant), tupled(levels)),
    ],
    ["an object", (levels) => call("DeleteEntry", tupled(levels - 1))],
    ["a list put in front", (levels) => call(1100, constant(listed(levels - 1)), ref("nil"))],
    ["a list appended", (levels) => call(1101, ref("nil"), constant(listed(levels - 1)))],
    ["lists that are joined", (levels) => call(1102, call(1100, constant(listed(levels - 1)), ref("nil")), ref("nil"))],
    ["a constant of the script", (levels) => isInt(constant(listed(levels)))],
  ];

  test.each(cases)("%s: is refused in own work, and goes on in blocks of others", (_, make) => {
    const outcome = (levels: number, mayRefuseWork: boolean) => {
      try {
        return evaluated(make(levels), mayRefuseWork)().value;
      } catch (error) {
        return error;
      }
    };
    expect(outcome(deep, true)).toBeInstanceOf(WorkRefused);
    expect(outcome(deep, false)).not.toBeInstanceOf(WorkRefused);
    expect(outcome(deep - 1, true)).not.toBeInstanceOf(WorkRefused);
  });

  test("is refused as an argument of a call", () => {
    const dApp: DApp = {
      meta: { version: 2, functions: [{ types: new Uint8Array(0) }], compactNames: [], originalNames: [] },
      declarations: [],
      callables: [
        { argument: "i", function: { kind: "function", name: "f", parameters: ["x"], body: isInt(ref("x")) } },
      ],
      verifier: undefined,
    };
    const program = new DAppProgram(dApp, { ...linkOptions, content: "dApp" });
    const called = (levels: number, mayRefuseWork: boolean) => () =>
      program.invoke("f", [listed(levels)], invocation, {
        environment: { ...pureEnvironment(linkOptions), mayRefuseWork },
        rules,
        complexityLimit,
      }).value;
    expect(called(deep, true)).toThrow(WorkRefused);
    expect(called(deep - 1, true)()).toBe(false);
    expect(called(deep, false)()).toBe(false);
  });
});

test("getters nested more than 300 deep are refused to an estimate in own work", () => {
  const estimated = (levels: number, estimator: Estimator, allowance?: StepAllowance) => () => {
    let expression: Expression = ref("tx");
    for (let level = 0; level < levels; level++) expression = get(expression, "x");
    const script = { content: "expression", libraryVersion: 3, expression } as const;
    return estimateScript(script, { estimator, hasVerifierLimit: false, hasLimits: false, allowance });
  };
  const third: Estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
  for (const estimator of [2, third] as const) {
    expect(estimated(301, estimator, offChainAllowance())).toThrow(WorkRefused);
    expect(estimated(300, estimator, offChainAllowance())).not.toThrow();
    expect(estimated(301, estimator)).not.toThrow();
  }
});

describe("a key of a proof on BN254 with a point whose coordinate is 0", () => {
  const points = [
    ["beta", 32],
    ["gamma", 96],
    ["delta", 160],
  ] as const;

  test.each(points)("%s: is refused in own work, and proves nothing in blocks of others", (_, offset) => {
    const { key, proof, inputs } = makeProof("bn254", [1n]);
    const other = proof.slice();
    other[0] = 0x40;
    for (const mark of [0x00, 0x80]) {
      const zeroed = key.slice().fill(0, offset, offset + 64);
      zeroed[offset] = mark;
      for (const id of [801, 2450]) {
        for (const anyProof of [proof, other]) {
          const verified = call(id, constant(zeroed), constant(anyProof), constant(inputs));
          expect(evaluated(verified, true)).toThrow(WorkRefused);
          expect(evaluated(verified, false)().value).toBe(false);
        }
      }
    }
    expect(evaluated(call(801, constant(key), constant(proof), constant(inputs)), true)().value).toBe(true);
  });

  test("is refused where it cancels out, too", () => {
    const { key, proof, inputs } = makeCancelledProof("bn254", new Uint8Array(64));
    expect(evaluated(call(801, constant(key), constant(proof), constant(inputs)), true)).toThrow(WorkRefused);
  });
});

test("a Merkle proof of an old script beyond 1,000 bytes is refused in own work", () => {
  const verified = (sizeBytes: number, mayRefuseWork: boolean) => () => {
    const proves = call(
      700,
      constant(new Uint8Array(32)),
      constant(new Uint8Array(sizeBytes)),
      constant(new Uint8Array()),
    );
    const environment = { ...pureEnvironment(linkOptions), mayRefuseWork };
    return evaluate(proves, { ...linkOptions, libraryVersion: 3 }, { environment, rules, complexityLimit }).value;
  };
  expect(verified(1_001, true)).toThrow(WorkRefused);
  expect(verified(1_000, true)()).toBe(false);
  expect(verified(1_001, false)()).toBe(false);
});

describe("a power of the old precision with more than 100,000 digits", () => {
  const power = (exponent: bigint, mayRefuseWork: boolean, hasPrecisePowers: boolean) => () => {
    const environment = { ...pureEnvironment(linkOptions), mayRefuseWork };
    const ofTen = call(108, ...[10n, 0n, exponent, 0n, 0n].map((each) => constant(each)), ref("FLOOR"));
    const request = { environment, rules: { ...rules, hasPrecisePowers }, complexityLimit };
    return evaluate(ofTen, { ...linkOptions, libraryVersion: 5 }, request).value;
  };

  test.each([200_000n, -200_000n])("(10 ^ %d) is refused in own work", (exponent) => {
    expect(power(exponent, true, false)).toThrow(WorkRefused);
    expect(power(exponent, true, true)).not.toThrow(WorkRefused);
    expect(power(exponent, false, false)).not.toThrow(WorkRefused);
    expect(power(exponent / 4n, true, false)).not.toThrow(WorkRefused);
  });
});

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

  test("that is slow is refused in evaluations, even if a script handles errors; in blocks its own error is reported", () => {
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
    expect(violationOf(() => node.pool.add(spending, node.chain.view, node.nowMs))).toEqual({
      code: "generic",
      message: "an RSA key is too long to verify here",
    });
    // A rollback returns it unchecked.
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
    const latest = { ...linkOptions, libraryVersion: 9 } as const;
    const environment = { ...pureEnvironment(latest), mayRefuseWork };
    return evaluate(expression, latest, { environment, rules, complexityLimit });
  };

  test("with its lists beyond 16,384 bytes is refused in evaluations; in blocks it is read", () => {
    const half = new Uint8Array(5_461);
    expect(ofLibrary9(chainOf(half, half), true)).toThrow("Empty input");
    expect(ofLibrary9(chainOf(half, new Uint8Array(5_462)), true)).toThrow(WorkRefused);
    expect(ofLibrary9(chainOf(half, new Uint8Array(5_462)), false)).toThrow("Empty input");
  });

  test("with a slow RSA key is refused in evaluations", () => {
    const certificate = (bits: number): Uint8Array => {
      const { certificates } = makeCertificateChain(new SeededRandom("slow"), 1);
      const [spec] = certificates as [CertificateSpec];
      return writeCertificate({ ...spec, subjectKey: keyBytes({ modulus: modulusOf(bits), exponent: 3n }) });
    };
    const noPoint = "the certificate's key is not on a curve";
    expect(ofLibrary9(chainOf(certificate(4_096)), true)).toThrow(noPoint);
    expect(ofLibrary9(chainOf(certificate(4_097)), true)).toThrow(WorkRefused);
    expect(ofLibrary9(chainOf(certificate(4_097)), false)).toThrow(noPoint);
  });
});
