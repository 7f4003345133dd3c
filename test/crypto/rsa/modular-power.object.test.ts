/** Native powers in workerd, whose crypto library differs from that of the tests in Node. */
import { expect, test } from "vitest";
import { findNativePower, powerByWindows } from "../../../src/crypto/rsa/modular-power.ts";

const modulus = (2n ** 607n - 1n) * (2n ** 521n - 1n);

test.each([2n, 3n ** 400n, modulus >> 1n, modulus - 2n])("a native power is the one that it should be", (base) => {
  for (const exponent of [2n ** 64n + 1n, 2n ** 521n - 1n, modulus, 3n ** 900n]) {
    const native = findNativePower(base % modulus, exponent, modulus);
    expect(native).toBe(powerByWindows(base % modulus, exponent, modulus));
  }
});
