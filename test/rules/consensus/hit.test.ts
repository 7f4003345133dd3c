import { describe, expect, test } from "vitest";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { generationSignature } from "../../../src/rules/consensus/generation-signature.ts";
import {
  hitOf,
  hitSourceHeight,
  isVrfActive,
  maximumHit,
  refusesWeakVrfKeys,
} from "../../../src/rules/consensus/hit.ts";
import { activeFrom } from "../../support/builders/activation.ts";

describe("the hit", () => {
  test("is the first 8 bytes, least significant first, without a sign", () => {
    const source = new Uint8Array(32).fill(7);
    source.set([1, 2, 0, 0, 0, 0, 0, 0xff]);
    expect(hitOf(source)).toBe(0xff00_0000_0000_0201n);
  });

  test("is at most what 8 bytes hold", () => {
    expect(maximumHit).toBe(hitOf(new Uint8Array(8).fill(255)));
  });

  test("reads a view of a larger buffer at its place", () => {
    expect(hitOf(Uint8Array.of(9, 9, 5, 0, 0, 0, 0, 0, 0, 0, 9).subarray(2))).toBe(5n);
  });

  test("refuses a source without 8 bytes", () => {
    expect(() => hitOf(new Uint8Array(7))).toThrow(RangeError);
    // The bytes after it are not part of it.
    expect(() => hitOf(new Uint8Array(32).subarray(2, 9))).toThrow("at least 8 bytes, got 7");
    expect(hitOf(new Uint8Array(8))).toBe(0n);
  });
});

describe("the block that the hit is drawn from", () => {
  test("is the parent, but under Fair PoS one hundred blocks below once the chain has them", () => {
    const features = activeFrom({ [Feature.FairPos]: 50 });
    expect(hitSourceHeight(49, features)).toBe(49);
    expect(hitSourceHeight(100, features)).toBe(100);
    expect(hitSourceHeight(101, features)).toBe(1);
    expect(hitSourceHeight(150, features)).toBe(50);
  });

  test("stays the parent without Fair PoS", () => {
    expect(hitSourceHeight(5_000, activeFrom({}))).toBe(5_000);
  });

  test("counts by VRF from the first block of feature 15 on, and refuses weak keys one block after feature 17", () => {
    const features = activeFrom({ [Feature.BlockV5]: 10, [Feature.RideV6]: 20 });
    expect([8, 9, 10].map((parentHeight) => isVrfActive(parentHeight, features))).toEqual([false, true, true]);
    expect([19, 20].map((parentHeight) => refusesWeakVrfKeys(parentHeight, features))).toEqual([false, true]);
  });
});

describe("the chain of generation signatures", () => {
  const generator = new Uint8Array(32).fill(3) as Uint8Array as PublicKey;

  test("takes only the first 32 bytes of its predecessor", () => {
    const long = new Uint8Array(96).fill(5);
    expect(generationSignature(long, generator)).toEqual(generationSignature(long.subarray(0, 32), generator));
  });

  test("refuses a shorter predecessor", () => {
    expect(() => generationSignature(new Uint8Array(31), generator)).toThrow(RangeError);
  });
});
