/** Accounts with WAVES from the start of a dev chain, on simulated nodes. */
import { expect, test } from "vitest";
import { makeAccounts } from "../../../../local/testing/accounts.ts";
import { decodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { privateNetworkSecrets } from "../../../../src/network/networks/private.ts";
import { I64_MAX } from "../../../../src/protocol/codec/i64.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { SimulatedDevChain } from "../../../support/builders/simulated-dev-chain.ts";

const addresses = makeAccounts(privateNetworkSecrets.walletSeedText, 3, 0x52).map(
  ({ address }) => decodeBase58(address) as Address,
);
const accounts = { addresses, balance: 7_000_000_000n };

const balances = ({ node }: SimulatedDevChain) => addresses.map((address) => node.chain.view.balance(address, null));
const supply = ({ node }: SimulatedDevChain) => node.chain.stored.tip().wavesAmount;

test("have it in the first block, and after a reset again; there are as many more WAVES", async () => {
  const [chain, without] = [new SimulatedDevChain(), new SimulatedDevChain()];
  await chain.dev.start({}, { accounts });
  await without.dev.start({});
  expect(chain.height).toBe(2);
  expect(balances(chain)).toEqual([7_000_000_000n, 7_000_000_000n, 7_000_000_000n]);
  expect(balances(without)).toEqual([0n, 0n, 0n]);
  expect(supply(chain)).toBe(supply(without) + 21_000_000_000n);
  await chain.dev.setBalance(addresses[0] as Address, null, 1n);
  expect(balances(chain)[0]).toBe(1n);
  await chain.dev.reset();
  expect(chain.height).toBe(2);
  expect(balances(chain)).toEqual([7_000_000_000n, 7_000_000_000n, 7_000_000_000n]);
});

test("get it once: a chain that goes on does not pay it again", async () => {
  const chain = new SimulatedDevChain();
  await chain.dev.start({}, { accounts });
  await chain.dev.setBalance(addresses[0] as Address, null, 1n);
  chain.restart();
  await chain.dev.start({}, { accounts });
  expect(balances(chain)[0]).toBe(1n);
});

test("may be none", async () => {
  const chain = new SimulatedDevChain();
  await chain.dev.start({}, { accounts: { addresses: [], balance: 1n } });
  expect(chain.height).toBe(2);
});

test("cannot have more in total than can exist", async () => {
  const chain = new SimulatedDevChain();
  const half = I64_MAX / 2n;
  await expect(chain.dev.start({}, { accounts: { addresses, balance: half } })).rejects.toThrow(RuleError);
});
