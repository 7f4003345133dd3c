/** Settings of a dev chain's owner when the store holds an invalid record. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { miningModeRecord } from "../../../../durable/chain-state/dev/block-controls.ts";
import { clockRecord } from "../../../../durable/chain-state/dev/dev-clock.ts";
import { impersonatedRecord } from "../../../../durable/chain-state/dev/impersonation.ts";
import { SimulatedDevChain } from "../../../support/builders/simulated-dev-chain.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [clockRecord.name, "garbage"],
  [clockRecord.name, "null"],
  [clockRecord.name, '{"offsetMs":1e300}'],
  [miningModeRecord.name, "garbage"],
  [miningModeRecord.name, '{"automine":1,"intervalMs":0,"nextBlockWallMs":0}'],
  [impersonatedRecord.name, "garbage"],
  [impersonatedRecord.name, "1"],
])("a chain whose record %s is %s starts with the default, and logs it", async (name, text) => {
  const usualPace = { automine: true, intervalMs: 5_000 };
  const chain = new SimulatedDevChain({ defaultMiningMode: usualPace });
  await chain.dev.mine(1, 0);
  const before = await chain.dev.status();
  chain.node.store.putMeta(name, text);
  chain.restart();
  expect(await chain.dev.status()).toEqual(before);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining(name));
  await chain.dev.mine(1, 0);
  expect(chain.height).toBe(before.height + 1);
});

test("the owner's settings are read again", async () => {
  const chain = new SimulatedDevChain();
  await chain.dev.mine(1, 0);
  const [account] = chain.node.wallet?.accounts() ?? [];
  if (account === undefined) throw new Error("the wallet has no account");
  await chain.dev.impersonate(account.address, true);
  await chain.dev.setMiningMode({ automine: false, intervalMs: 1 });
  await chain.dev.setTime(chain.clock.nowMs() + 1_000_000);
  const before = await chain.dev.status();
  chain.restart();
  expect(await chain.dev.status()).toEqual(before);
  await chain.dev.impersonate(account.address, false);
  chain.restart();
  expect((await chain.dev.status()).impersonated).toEqual([]);
  expect(console.error).not.toHaveBeenCalled();
});
