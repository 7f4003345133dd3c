import { expect, test } from "vitest";
import { aggregateSignatures, blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import type { PrivateKey } from "../../../src/crypto/identities.ts";
import type { LongStep } from "../../../src/crypto/long-step.ts";
import { blsSignatures, blsSignaturesBy } from "../../../src/rules/finality/endorsement-signatures.ts";

const [secret, otherSecret] = [secretOf(1), secretOf(2)];
const [first, second] = [blsPublicKeyOf(secret), blsPublicKeyOf(otherSecret)];
const message = Uint8Array.of(1, 2, 3);
const [signature, other] = [blsSign(secret, message), blsSign(otherSecret, message)];

function secretOf(number: number) {
  return blsSecretKeyOf(new Uint8Array(32).fill(number) as PrivateKey);
}

test("signatures by steps are valid if they are by themselves, and each step names all its inputs", () => {
  const steps: LongStep[] = [];
  const signatures = blsSignaturesBy((step) => {
    steps.push(step);
    return step.compute();
  });
  const both = aggregateSignatures([signature, other]);
  for (const each of [signatures, blsSignatures]) {
    expect(each.isSigned(first, message, signature)).toBe(true);
    expect(each.isSigned(second, message, signature)).toBe(false);
    expect(each.areSigned([first, second], message, both)).toBe(true);
    expect(each.areSigned([first], message, both)).toBe(false);
  }
  expect(steps.map(({ name, inputs }) => [name, inputs])).toEqual([
    ["bls", [message, signature, first]],
    ["bls", [message, signature, second]],
    ["blsAggregate", [message, both, first, second]],
    ["blsAggregate", [message, both, first]],
  ]);
});
