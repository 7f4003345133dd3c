import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { verifierFee } from "../../../src/rules/scripts/verifier-fee.ts";
import { activeFrom } from "../../support/builders/activation.ts";

test("a verifier costs 400,000 wavelets; from feature 16 on one up to a complexity of 200 nothing", () => {
  const features = activeFrom({ [Feature.SynchronousCalls]: 20 });
  expect([1n, 201n].map((complexity) => verifierFee(complexity, features, 19))).toEqual([400_000n, 400_000n]);
  expect([200n, 201n].map((complexity) => verifierFee(complexity, features, 20))).toEqual([0n, 400_000n]);
});
