import { describe, expect, it } from "vitest";
import { sign, verify } from "../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { vrfDraw, vrfVerify } from "../../src/crypto/vrf.ts";
import {
  signaturesOfBasePoint,
  signaturesOfMixedOrder,
  signaturesOfWeakKeys,
  signaturesWithWeakNonces,
  variantsOfSignature,
} from "../support/builders/crafted-signatures.ts";

// workerd's native verifier (BoringSSL) differs from Node's (OpenSSL).
describe("verification inside workerd", () => {
  it("gives every crafted signature the network's verdict", () => {
    for (let seed = 1; seed <= 10; seed++) expectVerdicts(variantsOfSignature(seed));
    expectVerdicts(signaturesOfWeakKeys());
    expectVerdicts(signaturesOfMixedOrder());
    expectVerdicts(signaturesOfBasePoint());
    expectVerdicts(signaturesWithWeakNonces());
  });

  it("works with what is signed and proved there", () => {
    const { privateKey, publicKey } = keyPairOfAccountSeed(new TextEncoder().encode("workerd"));
    const message = new TextEncoder().encode("message");
    expect(verify(sign(privateKey, message, secureRandomBytes(64)), message, publicKey)).toBe(true);
    const { prove, output } = vrfDraw(privateKey, message);
    expect(vrfVerify(publicKey, message, prove(secureRandomBytes(32)))).toEqual(output);
  });
});

function expectVerdicts(signatures: ReturnType<typeof variantsOfSignature>): void {
  for (const { name, publicKey, message, signature, valid } of signatures) {
    expect(verify(signature, message, publicKey), name).toBe(valid);
  }
}
