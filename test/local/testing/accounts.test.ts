import { libs, seedUtils } from "@waves/waves-transactions";
import { expect, test } from "vitest";
import { makeAccounts } from "../../../local/testing/accounts.ts";

test("accounts are those that client libraries make of their seeds", () => {
  const accounts = makeAccounts("a text", 3, "R".charCodeAt(0));
  for (const { seed, ...keys } of accounts) {
    const { address, keyPair } = new seedUtils.Seed(seed, "R");
    expect(keys).toEqual({ address, ...keyPair });
    expect(libs.crypto.address(seed, "R")).toBe(keys.address);
  }
  expect(new Set(accounts.map(({ address }) => address)).size).toBe(3);
});

test("the same text has the same accounts, however many are asked for", () => {
  expect(makeAccounts("a text", 5, 82).slice(0, 2)).toEqual(makeAccounts("a text", 2, 82));
  expect(makeAccounts("another", 1, 82)).not.toEqual(makeAccounts("a text", 1, 82));
});
