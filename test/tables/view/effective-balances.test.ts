import { expect, test } from "vitest";
import { i32Bytes } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { type AccountHistory, EffectiveBalances } from "../../../src/tables/view/effective-balances.ts";

const WINDOW = 1_000;

function memberAddress(index: number): Address {
  const address = new Uint8Array(26);
  address.set(i32Bytes(index));
  return address as Address;
}

test("balances of a thousand generators that change with every block are read once, and followed for more than a window", () => {
  const members = Array.from({ length: 1_000 }, (_, index) => memberAddress(index));
  const balances = new EffectiveBalances();
  let reads = 0;
  const read = (from: number): AccountHistory => {
    reads++;
    const history = Array.from({ length: WINDOW }, (_, index) => ({
      height: from + WINDOW - 1 - index,
      balance: BigInt(from + WINDOW - 1 - index),
      in: 0n,
      out: 0n,
    }));
    return { history, challenges: [], deposits: [] };
  };
  for (let tip = WINDOW; tip < WINDOW + 250; tip++) {
    const from = tip - WINDOW + 1;
    for (const [index, address] of members.entries()) {
      if (tip > WINDOW) balances.advance({ address, height: tip, balance: BigInt(tip), leaseIn: 0n, leaseOut: 0n });
      // Each block reads all of them; the test reads only some.
      if (tip === WINDOW || (tip + index) % 50 === 0)
        expect(balances.minimum(address, from, tip, read)).toBe(BigInt(from));
    }
  }
  expect(reads).toBe(members.length);
});
