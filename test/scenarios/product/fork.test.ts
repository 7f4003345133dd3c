/**
 * Fork of one of our nodes, both running: it responds like its source, goes its own way from there on, and keeps the
 * fetched state when the source is gone.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as make from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { makeAccounts } from "../../../verification/chain-generator/generated-accounts.ts";
import { writeChain } from "../../../verification/chain-generator/write-chain.ts";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { eventually, getJson, sentAndConfirmed, temporaryFolder } from "../../support/builders/started-node.ts";

type Sent = { readonly id: string };
const chainId = "R";
const wish = { variant: "active", seed: 5, blocks: 40 } as const;
const folder = temporaryFolder();
const dAppSeed = "the dApp behind the fork";
const callerSeed = "who calls it";
const dApp = make.libs.crypto.address(dAppSeed, chainId);
const caller = make.libs.crypto.address(callerSeed, chainId);
/** Account that only the test of snapshots reads. */
const unreadSeed = "an account that is not read";
const unread = make.libs.crypto.address(unreadSeed, chainId);

const script = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
let total = getInteger("total").valueOrElse(0)
@Callable(i)
func deposit() = {
  let paid = i.payments[0]
  ([
    IntegerEntry("total", total + paid.amount), BooleanEntry("fresh", isDataStorageUntouched(i.caller)), DeleteEntry("gone"),
    ScriptTransfer(addressFromStringValue("${caller}"), 1, paid.assetId)
  ], total + paid.amount)
}`;

const sourceChain = writeChain(folder.path, wish);
const transactions = sourceChain.chain.blocks.flatMap(({ transactions }) => transactions);
let source: LocalNode;
let fork: LocalNode;
let forkHeight: number;
/** Ids of transactions on the source before the fork. */
let coin: string;
let nft: string;
let lease: string;

const post = async (url: string, body: unknown) => {
  const response = await fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "Content-Type": typeof body === "string" ? "text/plain" : "application/json" },
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
};
const startFork = (url: string, height: number) =>
  readyNode(["--fork", `${url}@${height}`, "--data", path.join(folder.path, "fork")]);

beforeAll(async () => {
  const file = (name: string) => path.join(folder.path, name);
  // Blocks do not depend on the interval of micro-blocks.
  const settings = JSON.parse(readFileSync(file("network.json"), "utf8"));
  settings.waves.miner["micro-block-interval"] = "150ms";
  // A transaction of a micro-block that the next key block discards would be included again, in a higher block.
  settings.waves.miner["min-micro-block-age"] = "0ms";
  writeFileSync(file("network.json"), JSON.stringify(settings));
  source = await readyNode(["--memory", "--network", file("network.json"), "--import", file("blocks.bin")]);
  const sent = (tx: Sent) => sentAndConfirmed(source.url, tx);
  const rich = makeAccounts(wish.seed, chainId.charCodeAt(0)).generators[0];
  const richKey = { privateKey: encodeBase58(rich?.privateKey ?? new Uint8Array()) };
  for (const recipient of [dApp, caller, unread])
    await sent(make.transfer({ recipient, amount: 100_0000_0000, chainId }, richKey));
  await sent(make.data({ data: [{ key: "kept", type: "integer", value: 1 }], chainId }, unreadSeed));
  const compiled = await post(`${source.url}/utils/script/compileCode`, script);
  await sent(
    make.data(
      {
        data: [
          { key: "total", type: "integer", value: 7 },
          { key: "gone", type: "boolean", value: true },
          { key: "a/ b%", type: "binary", value: "base64:AQID" },
        ],
        chainId,
      },
      dAppSeed,
    ),
  );
  await sent(make.setScript({ script: compiled.json["script"] as string, fee: 1_400_000, chainId }, dAppSeed));
  const issued = make.issue(
    { name: "coin", description: "of both", quantity: 1000, decimals: 2, reissuable: true, chainId },
    callerSeed,
  );
  const single = make.issue(
    { name: "single", description: "", quantity: 1, decimals: 0, reissuable: false, fee: 100_000, chainId },
    callerSeed,
  );
  const leased = make.lease({ amount: 5_0000_0000, recipient: dApp, chainId }, callerSeed);
  const named = make.alias({ alias: "caller.here", chainId }, callerSeed);
  for (const tx of [issued, single, leased, named]) await sent(tx);
  [coin, nft, lease] = [issued.id, single.id, leased.id];
  // The last block is complete once another one follows it.
  forkHeight = await eventually(async () => {
    const last = await getJson<{ height: number; confirmations: number }>(
      `${source.url}/transactions/status/${named.id}`,
    );
    return last.confirmations > 0 ? last.height : undefined;
  });
  fork = await startFork(source.url, forkHeight);
});
afterAll(async () => {
  await fork?.stop();
  await source?.stop();
  folder.remove();
});

/** Responses of both without members about the height: sponsors may be generators, too. */
const responseOf = async (node: LocalNode, requestPath: string): Promise<unknown> => {
  const response = (await (await fetch(`${node.url}${requestPath}`)).json()) as unknown;
  return JSON.parse(JSON.stringify(response), (name, value: unknown) =>
    ["generating", "confirmations", "sponsorBalance"].includes(name) ? undefined : value,
  );
};

test("accounts are as at the source: balances, assets, data, scripts, names, leases", async () => {
  const { users, wallets, generators } = makeAccounts(wish.seed, chainId.charCodeAt(0));
  // Recipients of a share of rewards have more with every block.
  const { daoAddress, xtnBuybackAddress } = sourceChain.chain.network.settings.blockchain.functionality;
  const rewarded = [daoAddress, xtnBuybackAddress].map((address) => address && addressText(address));
  const addresses = [...users, ...wallets]
    .map(({ address }) => addressText(address))
    .filter((address) => !rewarded.includes(address));
  const requestPaths = [dApp, caller, ...addresses].flatMap((address) => [
    `/addresses/balance/details/${address}`,
    `/assets/balance/${address}`,
    `/assets/nft/${address}/limit/100`,
    `/addresses/data/${address}`,
    `/addresses/scriptInfo/${address}`,
    `/alias/by-address/${address}`,
    `/leasing/active/${address}`,
  ]);
  for (const requestPath of requestPaths)
    expect([requestPath, await responseOf(fork, requestPath)]).toEqual([
      requestPath,
      await responseOf(source, requestPath),
    ]);
  // Rewards of later blocks come without a transaction.
  const generator = addressText(generators[0]?.address ?? (new Uint8Array() as never));
  const then = await responseOf(source, `/addresses/balance?height=${forkHeight}&address=${generator}`);
  expect(await responseOf(fork, `/addresses/balance?address=${generator}`)).toEqual(then);
});

test("objects with an id, a name or a height are as at the source", async () => {
  const issued = transactions.filter(({ type }) => type === TransactionType.Issue);
  const requestPaths = [
    ...[...issued.map(({ id }) => encodeBase58(id)), coin, nft].map((id) => `/assets/details/${id}?full=true`),
    ...transactions.map(({ id }) => `/transactions/info/${encodeBase58(id)}`),
    `/transactions/status?id=${coin}`,
    `/leasing/info/${lease}`,
    `/alias/by-alias/caller.here`,
    `/alias/by-alias/nobody.here`,
    `/addresses/data/${dApp}/a%2F%20b%25`,
    `/addresses/data/${dApp}/nothing`,
    `/assets/details/${encodeBase58(new Uint8Array(32))}`,
    ...[1, 2, 17, forkHeight].map((height) => `/blocks/headers/at/${height}`),
    "/blocks/headers/seq/3/9",
  ];
  for (const requestPath of requestPaths)
    expect([requestPath, await responseOf(fork, requestPath)]).toEqual([
      requestPath,
      await responseOf(source, requestPath),
    ]);
});

test("scripts are evaluated as at the source", async () => {
  const calls = [
    { call: { function: "deposit", args: [] }, payment: [{ assetId: null, amount: 5 }], sender: caller },
    {
      expr: `(total, isDataStorageUntouched(this), wavesBalance(this).regular, getBinary(this, "a/ b%"),
        addressFromRecipient(Alias("caller.here")), transactionHeightById(base58'${coin}'),
        assetInfo(base58'${coin}').value().quantity, blockInfoByHeight(2).value().timestamp, isDefined(getString(this, "none")))`,
    },
  ];
  for (const call of calls) {
    const [there, here] = await Promise.all(
      [source, fork].map(({ url }) => post(`${url}/utils/script/evaluate/${dApp}`, call)),
    );
    expect(there?.json).toHaveProperty("result");
    expect(here).toEqual(there);
  }
});

test("transactions have the same effects on the fork as at the source", async () => {
  const makes: (() => Sent)[] = [
    () =>
      make.invokeScript(
        {
          dApp,
          call: { function: "deposit", args: [] },
          payment: [{ assetId: coin, amount: 3 }],
          fee: 500_000,
          chainId,
        },
        callerSeed,
      ),
    () => make.transfer({ recipient: dApp, amount: 1, assetId: nft, chainId }, callerSeed),
    () =>
      make.transfer(
        { recipient: `alias:${chainId}:caller.here`, amount: 1, assetId: coin, fee: 500_000, chainId },
        dAppSeed,
      ),
    () => make.cancelLease({ leaseId: lease, chainId }, callerSeed),
    () =>
      make.data(
        { data: [{ key: "a/ b%" }, { key: "new", type: "string", value: "x" }], fee: 900_000, chainId } as never,
        dAppSeed,
      ),
    () => make.burn({ assetId: coin, amount: 5, chainId }, callerSeed),
    () => make.setScript({ script: null, fee: 1_400_000, chainId }, dAppSeed),
  ];
  const did: Record<string, unknown>[] = [];
  for (const makeOne of makes) {
    const here = await sentAndConfirmed(fork.url, makeOne());
    did.push(here);
    expect(here["applicationStatus"]).toBe("succeeded");
  }
  // Only then: a fork at a height refuses state that the source has changed since.
  for (const [index, makeOne] of makes.entries()) {
    const there = await sentAndConfirmed(source.url, makeOne());
    expect(did[index]?.["stateChanges"]).toEqual(there["stateChanges"]);
  }
  const withoutOwnIds = (response: unknown) =>
    JSON.parse(JSON.stringify(response), (name, value) =>
      ["cancelHeight", "cancelTransactionId"].includes(name) ? 0 : value,
    );
  for (const requestPath of [
    ...[dApp, caller].flatMap((address) => [
      `/addresses/balance/details/${address}`,
      `/assets/balance/${address}`,
      `/assets/nft/${address}/limit/100`,
      `/addresses/data/${address}`,
      `/addresses/scriptInfo/${address}`,
      `/leasing/active/${address}`,
    ]),
    `/leasing/info/${lease}`,
    `/assets/details/${coin}`,
  ])
    expect([requestPath, withoutOwnIds(await responseOf(fork, requestPath))]).toEqual([
      requestPath,
      withoutOwnIds(await responseOf(source, requestPath)),
    ]);
});

test("a reverted snapshot has the source's state, including deleted state and state not read before it", async () => {
  const dev = async (control: string, body: unknown) => {
    const response = await fetch(`${fork.url}/dev/${control}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", "X-Api-Key": privateNetworkSecrets.apiKey },
    });
    expect([control, response.status]).toEqual([control, 200]);
  };
  await dev("snapshot", { name: "before" });
  const untouched = `/addresses/data/${unread}`;
  await dev("setData", { address: unread, entries: [{ key: "kept", value: null }] });
  expect(await responseOf(fork, untouched)).toEqual([]);
  await dev("setBalance", { address: unread, amount: 5 });
  await dev("fund", { address: unread, amount: 1_0000_0000 });
  await dev("mine", { blocks: 3 });
  expect(await responseOf(fork, `/addresses/balance/${unread}`)).toMatchObject({ balance: 1_0000_0005 });
  await dev("revert", { name: "before" });
  for (const requestPath of [untouched, `/addresses/balance/${unread}`])
    expect([requestPath, await responseOf(fork, requestPath)]).toEqual([
      requestPath,
      await responseOf(source, requestPath),
    ]);
  expect(await responseOf(fork, untouched)).toHaveLength(1);
});

test("state that the source cannot serve is refused with a message, and so is state that the source has changed since", async () => {
  for (const requestPath of [
    "/blocks/at/3",
    `/transactions/address/${caller}/limit/5`,
    `/assets/${coin}/distribution`,
  ]) {
    const response = await fetch(`${fork.url}${requestPath}`);
    expect([requestPath, response.status, ((await response.json()) as { message: string }).message]).toEqual([
      requestPath,
      400,
      expect.stringContaining("fork"),
    ]);
  }
  const late = make.libs.crypto.address("came later", chainId);
  await sentAndConfirmed(source.url, make.transfer({ recipient: late, amount: 1000, chainId }, callerSeed));
  const response = await fetch(`${fork.url}/addresses/data/${late}/key`);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { message: string }).message).toContain(`has changed at height`);
});

test("a restarted fork has its state, and reports what it lacks once the source is gone", async () => {
  const requestPath = `/addresses/data/${dApp}`;
  const before = await responseOf(fork, requestPath);
  const { height } = await getJson<{ height: number }>(`${fork.url}/blocks/height`);
  await fork.stop();
  await source.stop();
  fork = await startFork(source.url, forkHeight);
  expect(fork.output()).toContain("what was read before is served");
  expect(await responseOf(fork, requestPath)).toEqual(before);
  expect((await getJson<{ height: number }>(`${fork.url}/blocks/height`)).height).toBeGreaterThanOrEqual(height);
  const sent = await sentAndConfirmed(fork.url, make.transfer({ recipient: caller, amount: 1, chainId }, dAppSeed));
  expect(sent["applicationStatus"]).toBe("succeeded");
  const never = make.libs.crypto.address("never read", chainId);
  const response = await fetch(`${fork.url}/addresses/balance/${never}`);
  expect(response.status).toBe(503);
  expect(((await response.json()) as { behindFork: string }).behindFork).toContain(
    `/addresses/balance/details/${never}`,
  );
});
