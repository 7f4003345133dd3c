/** Keys recovered from signatures, including signatures that no wallet makes but the network has always accepted. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ETHEREUM_KEY_BYTES, recoverEthereumKey } from "../../src/crypto/ethereum-key.ts";
import { keccak256, sha256 } from "../../src/crypto/hash.ts";

const { Point } = secp256k1;
const order = Point.Fn.ORDER;
const hash = keccak256(new TextEncoder().encode("a message"));

function signed(privateKey: Uint8Array, digest: Uint8Array) {
  const bytes = secp256k1.sign(digest, privateKey, { prehash: false, format: "recovered" });
  const { r, s, recovery } = secp256k1.Signature.fromBytes(bytes, "recovered");
  return { r, s, recovery: recovery as number };
}
const key = sha256(Uint8Array.of(1));
const signature = signed(key, hash);
const owner = secp256k1.getPublicKey(key, false).slice(1);

test("the key that signed is found", () => {
  void fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 40 }), (seed, message) => {
      const privateKey = sha256(seed);
      const digest = keccak256(message);
      expect(recoverEthereumKey(digest, signed(privateKey, digest))).toEqual(
        secp256k1.getPublicKey(privateKey, false).slice(1),
      );
    }),
    { numRuns: 20 },
  );
});

describe("signatures that no wallet makes (web3j: Sign.recoverFromSignature)", () => {
  const { r, s, recovery } = signature;

  it("s counts modulo the group order, and its negative turns the parity around", () => {
    expect(recoverEthereumKey(hash, { r, s: s + order, recovery })).toEqual(owner);
    expect(recoverEthereumKey(hash, { r, s: s + order * 2n ** 200n, recovery })).toEqual(owner);
    expect(recoverEthereumKey(hash, { r, s: order - s, recovery: recovery ^ 1 })).toEqual(owner);
  });

  it("s may be 0: the key then depends on r and the hash alone", () => {
    const even = recoverEthereumKey(hash, { r, s: 0n, recovery: 0 });
    expect(even).toHaveLength(ETHEREUM_KEY_BYTES);
    expect(recoverEthereumKey(hash, { r, s: order, recovery: 1 })).toEqual(even);
  });

  it("r between the group order and the size of the field stands for itself", () => {
    let found = 0;
    for (let above = 1n; above < 20n; above++) {
      const recovered = recoverEthereumKey(hash, { r: order + above, s, recovery: 0 });
      // The same point, with r as the rest after the order, and the recovery bit for that.
      expect(recovered).toEqual(recoverEthereumKey(hash, { r: above, s, recovery: 2 }));
      if (recovered !== undefined) found++;
    }
    expect(found).toBeGreaterThan(0);
  });

  it("a key at infinity is all zeros", () => {
    // s R = e G, with G itself as R, and e as s.
    const { x, y } = Point.BASE.toAffine();
    const signature = { r: x, s: BigInt(`0x${Buffer.from(hash).toString("hex")}`), recovery: Number(y & 1n) };
    expect(recoverEthereumKey(hash, signature)).toEqual(new Uint8Array(ETHEREUM_KEY_BYTES));
  });

  it.each([
    ["a recovery below 0", { r, s, recovery: -1 }],
    ["a recovery above 3", { r, s, recovery: 4 }],
    ["r of 0", { r: 0n, s, recovery: 0 }],
    ["r of 0 and an order", { r: 0n, s, recovery: 2 }],
    ["r of the group order", { r: order, s, recovery: 0 }],
    ["r past the field", { r: Point.Fp.ORDER, s, recovery: 0 }],
    ["r of 38 bytes", { r: 2n ** 300n, s, recovery: 0 }],
    ["r that is the x of no point", { r: 5n, s, recovery: 0 }],
  ])("%s gives no key", (_, signature) => {
    expect(recoverEthereumKey(hash, signature)).toBeUndefined();
  });
});
