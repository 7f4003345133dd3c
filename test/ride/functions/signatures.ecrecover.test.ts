/**
 * Keys that a script recovers from signatures, before and after feature 24. @source Waves 1.6: lang/Global.scala
 * (ecrecover)
 */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { expect, test } from "vitest";
import { NativeFailure } from "../../../src/ride/execution-error.ts";
import type { NativeFunction } from "../../../src/ride/functions/function-definition.ts";
import { libraryOf } from "../../../src/ride/functions/library.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const hash = new Uint8Array(32).fill(7);
const context = {
  environment: pureEnvironment({ chainId: 82 }),
  libraryVersion: 8,
  hasSynchronousCallFixes: true,
  hasPrecisePowers: true,
  hasProofs: true,
};
const library = libraryOf({ libraryVersion: 8, content: "dApp", guards: "account" });
const row = [...library.values()].find(({ name }) => name.startsWith("ecrecover")) as NativeFunction;

/** First private key, counted from 1, whose public key begins so, and a signature of it. */
function signedBy(begins: (key: Uint8Array) => boolean): { key: Uint8Array; signature: Uint8Array } {
  for (let secret = 1; ; secret++) {
    const privateKey = new Uint8Array(32);
    new DataView(privateKey.buffer).setUint32(28, secret);
    const key = secp256k1.getPublicKey(privateKey, false).subarray(1);
    if (!begins(key)) continue;
    const [recovery, ...signature] = secp256k1.sign(hash, privateKey, { prehash: false, format: "recovered" });
    return { key, signature: Uint8Array.of(...signature, 27 + (recovery as number)) };
  }
}

const recovered = (signature: Uint8Array, keepsLeadingZeros: boolean): unknown =>
  row.evaluate?.([hash, signature], { ...context, keepsLeadingZeros });

test("a key without leading zeros is the same before and after feature 24", () => {
  const { key, signature } = signedBy(([first = 0]) => first >= 16);
  expect(recovered(signature, false)).toEqual(key);
  expect(recovered(signature, true)).toEqual(key);
});

test("a leading byte of zeros is lost before feature 24, and present from it on", () => {
  const { key, signature } = signedBy(([first, second = 0]) => first === 0 && second >= 16);
  expect(recovered(signature, false)).toEqual(key.subarray(1));
  expect(recovered(signature, true)).toEqual(key);
});

test("a leading half byte of zeros ends the script before feature 24, and is a valid key from it on", () => {
  const { key, signature } = signedBy(([first = 0]) => first > 0 && first < 16);
  expect(() => recovered(signature, false)).toThrow(NativeFailure);
  expect(recovered(signature, true)).toEqual(key);
});
