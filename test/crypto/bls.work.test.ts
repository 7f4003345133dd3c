import { beforeEach, expect, test, vi } from "vitest";
import { blsPublicKeyOf, blsSecretKeyOf, blsSign, blsVerify, fastAggregateVerify } from "../../src/crypto/bls.ts";
import type { PrivateKey } from "../../src/crypto/identities.ts";

const pairings = vi.hoisted(() => ({ count: 0 }));

vi.mock("@noble/curves/bls12-381.js", async (original) => {
  const { bls12_381, ...others } = await original<typeof import("@noble/curves/bls12-381.js")>();
  const counted = (...pairs: Parameters<typeof bls12_381.millerLoopBatch>) => {
    pairings.count += 1;
    return bls12_381.millerLoopBatch(...pairs);
  };
  return { ...others, bls12_381: { ...bls12_381, millerLoopBatch: counted } };
});

beforeEach(() => {
  pairings.count = 0;
});

const secretKey = blsSecretKeyOf(new Uint8Array(32).fill(7) as PrivateKey);
const publicKey = blsPublicKeyOf(secretKey);

test.each([
  ["of an endorsement", 132],
  ["of the longest contradiction that a block may carry", 2 * 1_023 + 4],
])("a signature over a message %s that has held is not verified again", (_, sizeBytes) => {
  const message = new Uint8Array(sizeBytes).fill(sizeBytes & 0xff);
  const signature = blsSign(secretKey, message);
  expect(blsVerify(publicKey, message, signature)).toBe(true);
  expect(blsVerify(publicKey, message, signature)).toBe(true);
  expect(fastAggregateVerify([publicKey], message, signature)).toBe(true);
  expect(pairings.count).toBe(1);
  message.set([0xff - (sizeBytes & 0xff)], sizeBytes - 1);
  expect(blsVerify(publicKey, message, signature)).toBe(false);
  expect(pairings.count).toBe(2);
});
