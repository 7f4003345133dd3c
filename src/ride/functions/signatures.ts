/**
 * Functions that verify signatures and proofs.
 * @source Waves: lang/v1/evaluator/ctx/impl/CryptoContext.scala, lang/Global.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { integerOfBytes } from "../../crypto/big-endian.ts";
import { verify } from "../../crypto/curve25519.ts";
import {
  MAX_RECOVERY,
  recoverEthereumKey,
  type UnrecoverableKey,
  unrecoverableText,
  whyUnrecoverable,
  wrongRecoveryText,
} from "../../crypto/ethereum-key.ts";
import { type Groth16Curve, NoPairing, verifyGroth16 } from "../../crypto/groth16.ts";
import { verifyByStep } from "../../crypto/long-step.ts";
import { P256Error, verifyP256 } from "../../crypto/p256.ts";
import { isRsaKeyError, isSlowRsaKey, parseRsaPublicKey } from "../../crypto/rsa/public-key.ts";
import { OutOfBounds, type RsaDigest, verifyRsa } from "../../crypto/rsa/verify-rsa.ts";
import type { Environment } from "../evaluator/environment.ts";
import { runStepOf } from "../evaluator/script-work.ts";
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import type { Structure } from "../values/value.ts";
import { WorkRefused } from "../work-refused.ts";
import { type LibraryFunction, type NativeFunction, native, type Versions } from "./function-definition.ts";
import { checkMessageSize } from "./hashes.ts";

const signatureBytes = 64;
const publicKeyBytes = 32;
const oldLimitKb = 32;
const sigVerifySizes = [
  { limitKb: 8, complexity: { 4: 47, 6: 43 } },
  { limitKb: 16, complexity: { 4: 57, 6: 50 } },
  { limitKb: 32, complexity: { 4: 70, 6: 64 } },
  { limitKb: 64, complexity: { 4: 102, 6: 93 } },
  { limitKb: 128, complexity: { 4: 172, 6: 150 } },
] as const;
const rsaVerifySizes = [
  { limitKb: 16, complexity: 500 },
  { limitKb: 32, complexity: 550 },
  { limitKb: 64, complexity: 625 },
  { limitKb: 128, complexity: 750 },
] as const;
/**
 * Kinds of proofs. `keyPoints`: points of a key before those of the inputs, counted in coordinates of the first group.
 */
const proofKinds = {
  "bls12-381": { name: "groth16Verify", pointBytes: 48, keyPoints: 8 },
  bn254: { name: "bn256Groth16Verify", pointBytes: 32, keyPoints: 8 },
} as const satisfies Record<Groth16Curve, unknown>;
/** Work of a proof, about a tenth of a second. */
const proofWork = 4_000;
const proofInputBytes = 32;
const maxProofInputs = 16;
const proofInputs = Array.from({ length: 15 }, (_, index) => index + 1);
const bn256Costs = [800, 850, 950, 1000, 1050, 1100, 1150, 1200, 1250, 1300, 1350, 1400, 1450, 1550, 1600];
const digestUnion = "Md5|NoAlg|Sha1|Sha224|Sha256|Sha3224|Sha3256|Sha3384|Sha3512|Sha384|Sha512";
/** Type of the digest by version: in two versions the union has a name. */
const digestTypes: readonly (Versions & { readonly type: string })[] = [
  { type: digestUnion, since: 3, until: 3 },
  { type: "RsaDigestAlgs", since: 4, until: 5 },
  { type: digestUnion, since: 6 },
];
const digests: ReadonlyMap<string, RsaDigest> = new Map([
  ["NoAlg", "none"],
  ["Md5", "md5"],
  ["Sha1", "sha1"],
  ["Sha224", "sha224"],
  ["Sha256", "sha256"],
  ["Sha384", "sha384"],
  ["Sha512", "sha512"],
  ["Sha3224", "sha3_224"],
  ["Sha3256", "sha3_256"],
  ["Sha3384", "sha3_384"],
  ["Sha3512", "sha3_512"],
]);
const proofParameters = "verifying key: ByteVector, proof: ByteVector, inputs: ByteVector";
const three = ["ByteVector", "ByteVector", "ByteVector"] as const;
const four = ["Object", "ByteVector", "ByteVector", "ByteVector"] as const;

function isSigned(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return (
    signature.length === signatureBytes && publicKey.length === publicKeyBytes && verify(signature, message, publicKey)
  );
}

export const signatureFunctions: readonly LibraryFunction[] = [
  native(500, "sigVerify(message: ByteVector, sig: ByteVector, pub: ByteVector): Boolean", {
    since: 1,
    complexity: { 1: 100, 4: 200, 6: 180 },
    takes: three,
    evaluate: ([message, signature, publicKey], { libraryVersion }) => {
      if (libraryVersion === 3) checkMessageSize(message, oldLimitKb);
      return isSigned(message, signature, publicKey);
    },
  }),
  ...sigVerifySizes.map(({ limitKb, complexity }, index) =>
    native(2500 + index, `sigVerify_${limitKb}Kb(message: ByteVector, sig: ByteVector, pub: ByteVector): Boolean`, {
      since: 4,
      complexity,
      takes: three,
      evaluate: ([message, signature, publicKey]) => {
        checkMessageSize(message, limitKb);
        return isSigned(message, signature, publicKey);
      },
    }),
  ),
  ...digestTypes.flatMap((digestType) => rsaVerifications(digestType)),
  native(900, "ecrecover(message hash: ByteVector, signature: ByteVector): ByteVector", {
    since: 4,
    complexity: 70,
    takes: ["ByteVector", "ByteVector"],
    usage: "ecrecover(messageHash:ByteVector, signature:ByteVector)",
    evaluate: ([hash, signature], { keepsLeadingZeros }) =>
      keepsLeadingZeros ? recoveredKey(hash, signature) : withoutLeadingZeros(recoveredKey(hash, signature)),
  }),
  native(903, "p256Verify(message: ByteVector, signature: ByteVector, publicKey: ByteVector): Boolean", {
    since: 9,
    complexity: 43,
    takes: three,
    usage: "p256Verify(message:ByteVector, signature:ByteVector, publicKey:ByteVector)",
    evaluate: ([message, signature, key]) => {
      try {
        return verifyP256(message, signature, key);
      } catch (error) {
        throw error instanceof P256Error ? new ExecutionError(error.message) : error;
      }
    },
  }),
  proofCheck(800, "bls12-381", undefined, 2700),
  proofCheck(801, "bn254", undefined, 1650),
  ...proofInputs.map((inputs) => proofCheck(2399 + inputs, "bls12-381", inputs, 1100 + inputs * 100)),
  ...proofInputs.map((inputs) => proofCheck(2449 + inputs, "bn254", inputs, bn256Costs[inputs - 1] as number)),
];

/** @param limit of the inputs; undefined: the function without its own limit */
function proofCheck(id: number, curve: Groth16Curve, limit: number | undefined, complexity: number): NativeFunction {
  const { name: base, pointBytes, keyPoints } = proofKinds[curve];
  const name = limit === undefined ? base : `${base}_${limit}inputs`;
  const maxInputs = limit ?? maxProofInputs;
  return native(id, `${name}(${proofParameters}): Boolean`, {
    since: 4,
    complexity,
    takes: three,
    usage: `${name}(vk:ByteVector, proof:ByteVector, inputs:ByteVector)`,
    evaluate: ([key, proof, inputs], { environment }) => {
      const count = inputs.length / proofInputBytes;
      assertSize(
        inputs.length <= maxInputs * proofInputBytes,
        "inputs",
        inputs,
        `not greater than ${maxInputs * proofInputBytes} bytes`,
      );
      assertSize(Number.isInteger(count), "inputs", inputs, `a multiple of ${proofInputBytes} bytes`);
      assertSize(proof.length === 4 * pointBytes, "proof", proof, `equal to ${4 * pointBytes} bytes`);
      const keyBytes = pointBytes * (keyPoints + count);
      assertSize(key.length === keyBytes, "vk", key, `equal to ${keyBytes} bytes for ${count} inputs`);
      const refusesUnpaired = environment.mayRefuseWork;
      const step = { name: refusesUnpaired ? `${curve} paired` : curve, inputs: [key, proof, inputs], work: proofWork };
      try {
        return verifyByStep(runStepOf(environment), step, () =>
          verifyGroth16(curve, key, proof, inputs, { refusesUnpaired }),
        );
      } catch (error) {
        if (error instanceof NoPairing) throw new WorkRefused("a proof without a pairing ends a reference node");
        throw error;
      }
    },
  });
}

function assertSize(isValid: boolean, field: string, { length }: Uint8Array, requirement: string): void {
  if (!isValid) throw new ExecutionError(`Invalid ${field} size ${length} bytes, must be ${requirement}`);
}

function rsaVerifications({ type, since, until }: (typeof digestTypes)[number]): readonly NativeFunction[] {
  const versions = { since, ...(until === undefined ? {} : { until }) };
  const parameters = `digest: ${type}, message: ByteVector, sig: ByteVector, pub: ByteVector`;
  const usage = "digest: DigestAlgorithmType, message: ByteVector, sig: ByteVector, pub: ByteVector";
  const unlimited = native(504, `rsaVerify(${parameters}): Boolean`, {
    ...versions,
    complexity: { 3: 300, 4: 1000 },
    takes: four,
    usage: `rsaVerify(${usage})`,
    evaluate: ([digest, message, signature, key], { libraryVersion, environment }) => {
      if (libraryVersion === 3) checkMessageSize(message, oldLimitKb);
      return isRsaSigned(digest, message, signature, key, environment);
    },
  });
  if (since === 3) return [unlimited];
  const limited = rsaVerifySizes.map(({ limitKb, complexity }, index) =>
    native(2600 + index, `rsaVerify_${limitKb}Kb(${parameters}): Boolean`, {
      ...versions,
      complexity,
      takes: four,
      usage: `rsaVerify_${limitKb}Kb(${usage})`,
      evaluate: ([digest, message, signature, key], { environment }) => {
        checkMessageSize(message, limitKb);
        return isRsaSigned(digest, message, signature, key, environment);
      },
    }),
  );
  return [unlimited, ...limited];
}

/** @throws WorkRefused, ExecutionError */
function isRsaSigned(
  { type }: Structure,
  message: Uint8Array,
  signature: Uint8Array,
  encodedKey: Uint8Array,
  environment: Pick<Environment, "mayRefuseWork" | "workMeter">,
): boolean {
  const digest = digests.get(type);
  if (digest === undefined) throw new ExecutionError("Unknown digest type");
  if (environment.mayRefuseWork && isSlowRsaKey(encodedKey))
    throw new WorkRefused("an RSA key is too long to verify here");
  const run = runStepOf(environment);
  const key = parseRsaPublicKey(encodedKey, run);
  if (isRsaKeyError(key)) {
    throw new ExecutionError(
      key.kind === "unreadable" ? `Invalid key base58'${encodeBase58(encodedKey)}': ${key.message}` : key.message,
    );
  }
  try {
    return verifyRsa(digest, message, signature, key, run);
  } catch (error) {
    throw error instanceof OutOfBounds ? new ExecutionError(error.message) : error;
  }
}

const hashBytes = 32;
const recoverableSignatureBytes = 65;
const firstHeader = 27;

/** Exceptions of the reference. */
const unrecoverable = {
  pastField: "java.security.SignatureException",
  noPoint: "java.lang.IllegalArgumentException",
  notInvertible: "java.lang.ArithmeticException",
} as const satisfies Record<UnrecoverableKey, string>;

/** Recovers the public key that signed a hash. */
function recoveredKey(hash: Uint8Array, signature: Uint8Array): Uint8Array {
  if (hash.length !== hashBytes) {
    throw new ExecutionError(`Invalid message hash size ${hash.length} bytes, must be equal to ${hashBytes} bytes`);
  }
  if (signature.length !== recoverableSignatureBytes) {
    throw new ExecutionError(
      `Invalid signature size ${signature.length} bytes, must be equal to ${recoverableSignatureBytes} bytes`,
    );
  }
  const signedHeader = ((signature[64] as number) << 24) >> 24;
  const header = (signedHeader < firstHeader ? signedHeader + firstHeader : signedHeader) & 0xff;
  if (header < firstHeader || header > firstHeader + 7) {
    throw new NativeFailure("java.security.SignatureException", `Header byte out of range: ${header}`);
  }
  const parts = {
    r: integerOfBytes(signature.subarray(0, 32)),
    s: integerOfBytes(signature.subarray(32, 64)),
    recovery: header - firstHeader,
  };
  // The last four of the eight accepted headers are for compressed keys, which the reference does not recover.
  if (parts.recovery > MAX_RECOVERY) throw new NativeFailure("java.lang.RuntimeException", wrongRecoveryText);
  const key = recoverEthereumKey(hash, parts);
  if (key === undefined) {
    const reason = whyUnrecoverable(parts);
    throw new NativeFailure(unrecoverable[reason], unrecoverableText[reason]);
  }
  return key;
}

/** The key in the reference's form before feature 24: as a number, which loses leading zeros. */
function withoutLeadingZeros(key: Uint8Array): Uint8Array {
  const digits = integerOfBytes(key).toString(16);
  if (digits.length % 2 === 1) {
    throw new NativeFailure(
      "java.lang.IllegalArgumentException",
      `com.google.common.io.BaseEncoding$DecodingException: Invalid input length ${digits.length}`,
    );
  }
  return key.subarray(key.length - digits.length / 2);
}
