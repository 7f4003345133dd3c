/**
 * Hash functions: each one without a limit, and from version 4 on in four sizes.
 * @source Waves: lang/v1/evaluator/ctx/impl/CryptoContext.scala
 */
import { blake2b256, keccak256, sha256 } from "../../crypto/hash.ts";
import { ExecutionError } from "../execution-error.ts";
import { type ComplexityByVersion, type LibraryFunction, type NativeFunction, native } from "./function-definition.ts";

type Hash = (bytes: Uint8Array) => Uint8Array;
const limitsKb = [16, 32, 64, 128];
const oldCosts = [10, 25, 50, 100];

export const hashFunctions: readonly LibraryFunction[] = [
  unlimited(501, "keccak256", { 1: 10, 4: 200, 6: 195 }, keccak256),
  unlimited(502, "blake2b256", { 1: 10, 4: 200, 6: 136 }, blake2b256),
  unlimited(503, "sha256", { 1: 10, 4: 200, 6: 118, 9: 36 }, sha256),
  ...limited(2700, "keccak256", [20, 39, 74, 147], keccak256),
  ...limited(2800, "blake2b256", [13, 29, 58, 115], blake2b256),
  ...limited(2900, "sha256", [12, 23, 47, 93], sha256, [5, 9, 17, 32]),
];

function unlimited(id: number, name: string, complexity: ComplexityByVersion, hash: Hash): NativeFunction {
  return native(id, `${name}(bytes: ByteVector): ByteVector`, {
    since: 1,
    complexity,
    takes: ["ByteVector"],
    evaluate: ([bytes]) => hash(bytes),
  });
}

function limited(
  firstId: number,
  name: string,
  costs: readonly number[],
  hash: Hash,
  costsSince9 = costs,
): readonly NativeFunction[] {
  return limitsKb.map((limitKb, index) =>
    native(firstId + index, `${name}_${limitKb}Kb(bytes: ByteVector): ByteVector`, {
      since: 4,
      complexity: { 4: oldCosts[index] as number, 6: costs[index] as number, 9: costsSince9[index] as number },
      takes: ["ByteVector"],
      evaluate: ([bytes]) => {
        checkMessageSize(bytes, limitKb);
        return hash(bytes);
      },
    }),
  );
}

export function checkMessageSize(message: Uint8Array, limitKb: number): void {
  if (message.length > limitKb * 1024) {
    throw new ExecutionError(`Invalid message size = ${message.length} bytes, must be not greater than ${limitKb} KB`);
  }
}
