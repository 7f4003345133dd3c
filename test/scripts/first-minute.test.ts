import { expect, it } from "vitest";
import { firstMinute } from "../../scripts/runner/first-minute.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";

const url = "http://127.0.0.1:6869";
const account = { address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", seed: "some words" };

it("shows page, key and who has the money", () => {
  const keyHash = privateNetworkSecrets.apiKeyHash;
  expect(firstMinute({ url, keyHash, accounts: [{ ...account, balance: 10_000_000_012_300_000n }] })).toBe(`
  page     http://127.0.0.1:6869/
  API key  waves-private-node
  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF  100,000,000.123 WAVES
  seed     some words

`);
});

it("does not show a key that it does not know, nor a balance that nobody told", () => {
  const shown = firstMinute({ url, keyHash: "", accounts: [{ ...account, balance: undefined }] });
  expect(shown).toContain("  API key  your own, by its API_KEY_HASH\n");
  expect(shown).toContain("  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF\n");
  expect(shown).not.toContain("waves-private-node");
});
