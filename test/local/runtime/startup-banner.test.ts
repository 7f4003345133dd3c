import { expect, it } from "vitest";
import { startupBanner } from "../../../local/runtime/startup-banner.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";

const url = "http://127.0.0.1:6869";
const account = { address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", seed: "some words" };

it("shows page, key and who has the money", () => {
  const keyHash = privateNetworkSecrets.apiKeyHash;
  expect(startupBanner({ url, keyHash, accounts: [{ ...account, balance: 10_000_000_012_300_000n }] })).toBe(`
  page     http://127.0.0.1:6869/
  API key  waves-private-node
  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF  100,000,000.123 WAVES
  seed     some words

`);
});

it("shows neither an unknown key nor an unknown balance", () => {
  const shown = startupBanner({ url, keyHash: "", accounts: [{ ...account, balance: undefined }] });
  expect(shown).toContain("  API key  your own, by its API_KEY_HASH\n");
  expect(shown).toContain("  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF\n");
  expect(shown).not.toContain("waves-private-node");
});

it("shows a dev chain's pace and its accounts, one a line", () => {
  const keyHash = privateNetworkSecrets.apiKeyHash;
  const accounts = [
    { ...account, balance: 10_000_000_000_000_000n },
    { ...account, seed: "waves dev chain account 1", balance: 100_000_000_000n },
  ];
  const pace = { automine: true, intervalMs: 10_000 };
  expect(startupBanner({ url, keyHash, accounts, miningMode: pace })).toBe(`
  page     http://127.0.0.1:6869/
  explorer http://127.0.0.1:6869/explorer
  API key  waves-private-node
  blocks   one for each transaction, at once; one every 10 s
  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF  100,000,000 WAVES       some words
  account  3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF  1,000 WAVES             waves dev chain account 1

`);
});

it.each([
  [{ automine: false, intervalMs: 1_500 }, "one every 1500 ms"],
  [{ automine: true, intervalMs: null }, "one for each transaction, at once"],
  [{ automine: false, intervalMs: null }, "none but what POST /dev/mine asks for"],
])("says when blocks come", (pace, message) => {
  expect(startupBanner({ url, keyHash: "", accounts: [], miningMode: pace })).toContain(`  blocks   ${message}\n`);
});
