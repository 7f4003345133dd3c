/**
 * Every function of @waves/node-api-js against a running node: its request is accepted, and its result is as
 * documented. A function without a row here fails the file.
 */
import { create } from "@waves/node-api-js";
import {
  alias,
  data,
  invokeScript,
  issue,
  lease,
  libs,
  makeTxBytes,
  seedUtils,
  setScript,
  sponsorship,
  transfer,
} from "@waves/waves-transactions";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hexText } from "../../../src/crypto/hex.ts";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { eventually, getJson, sentAndConfirmed } from "../../support/builders/started-node.ts";

const chainId = "R";
const apiKey = "waves-private-node";
const master = {
  seed: "waves private node seed with waves tokens",
  address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
  publicKey: "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV",
};
const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func keep(text: String) = [StringEntry("kept", text), ScriptTransfer(i.caller, 7, unit)]`;
const library = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE LIBRARY #-}
{-# SCRIPT_TYPE ACCOUNT #-}
func twice(n: Int) = n * 2`;
const importing = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE EXPRESSION #-}
{-# SCRIPT_TYPE ACCOUNT #-}
{-# IMPORT twice.ride #-}
twice(2) == 4`;
/** Blake2b-256 of "abc", and keccak-256 of that, as @waves/ts-lib-crypto computes them. */
const { base58Encode, blake2b, keccak, stringToBytes } = libs.crypto;
const fastHash = base58Encode(blake2b(stringToBytes("abc")));
const secureHash = base58Encode(keccak(blake2b(stringToBytes("abc"))));
/** Id that no transaction and no block has. */
const unknownId = base58Encode(new Uint8Array(32).fill(9));

const account = (): { readonly phrase: string; readonly address: string } =>
  new seedUtils.Seed(seedUtils.generateNewSeed(), chainId);
const owner = account();
const dApp = account();
/** Account with short lists of transactions and assets. */
const quiet = account();

const assetFields = { description: "of a test", reissuable: false, chainId };
const asset = issue({ ...assetFields, name: "Token", quantity: 1_000_000, decimals: 2 }, master.seed);
const picture = issue({ ...assetFields, name: "Picture", quantity: 1, decimals: 0, fee: 100_000 }, owner.phrase);
const sponsored = sponsorship({ assetId: asset.id, minSponsoredAssetFee: 5, chainId }, master.seed);
const aliasName = "node-api-js";
const owned = alias({ alias: aliasName, chainId }, owner.phrase);
const entry = { key: "a key/with?signs", type: "string", value: "värde" } as const;
const entries = data({ data: [entry, { key: "count", type: "integer", value: 12 }], chainId }, owner.phrase);
const leased = lease({ recipient: quiet.address, amount: 3_000_000, chainId }, owner.phrase);
const tokens = transfer({ recipient: quiet.address, amount: 500, assetId: asset.id, chainId }, master.seed);
const call = invokeScript(
  { dApp: dApp.address, call: { function: "keep", args: [{ type: "string", value: "this" }] }, chainId },
  master.seed,
);
const ethAssetId = hexText(libs.crypto.base58Decode(asset.id).subarray(0, 20));

interface Status {
  readonly height: number;
  readonly confirmations: number;
}

let node: LocalNode;
let api: ReturnType<typeof create>;
/** Height of the call, above everything it depends on; there is a block above it. */
let height: number;
let block: { readonly id: string; readonly timestamp: number };

beforeAll(async () => {
  node = await readyNode(["--memory", "--quiet"]);
  api = create(node.url);
  const sent = (tx: { readonly id: string }) => sentAndConfirmed(node.url, tx);
  const funded = (recipient: string) => transfer({ recipient, amount: 1_0000_0000, chainId }, master.seed);
  await Promise.all([sent(asset), sent(funded(owner.address)), sent(funded(dApp.address))]);
  const { script } = await api.utils.fetchCompileCode(source);
  const makesDApp = setScript({ script, chainId }, dApp.phrase);
  await Promise.all([makesDApp, sponsored, tokens, picture, owned, entries, leased].map(sent));
  await sent(call);
  height = await eventually(async () => {
    const status = await getJson<Status>(`${node.url}/transactions/status/${call.id}`);
    return status.confirmations > 0 ? status.height : undefined;
  });
  block = await getJson(`${node.url}/blocks/headers/at/${height}`);
});
afterAll(() => node.stop());

/** Transfer that has not been sent. */
const newTransfer = () => transfer({ recipient: quiet.address, amount: 1, chainId }, master.seed);
/** Ends a watch, which would run forever: the library has no other way than preventing its timer. */
const endWatch = (watch: object): void => {
  Object.assign(watch, { _addTimeout: () => undefined });
};
/** Text of the node for unknown routes. */
const noRoute = "The requested resource could not be found but may be available again in the future.";
const noKey = { error: 2, message: "Provided API key is not correct" };
const withKey = { headers: { "X-API-Key": apiKey } };

/** By the name of the function: calls it, and checks its result. */
const functions: Record<string, () => Promise<void>> = {
  "activation.fetchActivationStatus": async () => {
    const status = await api.activation.fetchActivationStatus();
    expect(status.height).toBeGreaterThan(height);
    expect(status.features.find(({ id }) => id === 1)).toMatchObject({ blockchainStatus: "ACTIVATED" });
  },
  "addresses.fetchDataKey": async () => {
    expect(await api.addresses.fetchDataKey(owner.address, entry.key)).toEqual(entry);
  },
  "addresses.fetchScriptInfo": async () => {
    const info = await api.addresses.fetchScriptInfo(dApp.address);
    expect(info).toMatchObject({ address: dApp.address, script: expect.stringMatching(/^base64:/), extraFee: 0 });
    expect(info.callableComplexities["keep"]).toBeGreaterThan(0);
  },
  "addresses.fetchScriptInfoMeta": async () => {
    const { meta } = await api.addresses.fetchScriptInfoMeta(dApp.address);
    expect(meta.callableFuncTypes).toEqual({ keep: [{ name: "text", type: "String" }] });
  },
  "addresses.fetchBalanceDetails": async () => {
    const details = await api.addresses.fetchBalanceDetails(owner.address);
    expect(Number(details.regular) - Number(details.available)).toBe(leased.amount);
    expect(details.effective).toBe(details.available);
  },
  "addresses.fetchBalanceConfirmations": async () => {
    expect(await api.addresses.fetchBalanceConfirmations(dApp.address, 0)).toEqual({
      address: dApp.address,
      confirmations: 0,
      balance: (await api.addresses.fetchBalance(dApp.address)).balance,
    });
  },
  "addresses.data": async () => {
    expect(await api.addresses.data(owner.address)).toContainEqual(entry);
    expect(await api.addresses.data(owner.address, { matches: "cou.*" })).toEqual([
      { key: "count", type: "integer", value: 12 },
    ]);
  },
  "addresses.fetchValidate": async () => {
    expect(await api.addresses.fetchValidate(owner.address)).toEqual({ address: owner.address, valid: true });
    expect(await api.addresses.fetchValidate(unknownId)).toMatchObject({ valid: false });
  },
  "addresses.fetchBalance": async () => {
    const { balance } = await api.addresses.fetchBalance(master.address);
    expect(balance, "what a number would round comes as a string").toMatch(/^\d{17}$/);
  },
  "addresses.fetchMultipleBalance": async () => {
    const list: unknown = await api.addresses.fetchMultipleBalance([dApp.address, owner.address]);
    expect(list).toEqual([
      { id: dApp.address, balance: expect.any(Number) },
      { id: owner.address, balance: expect.any(Number) },
    ]);
  },
  "addresses.fetchEffectiveBalanceConfirmations": async () => {
    const result = await api.addresses.fetchEffectiveBalanceConfirmations(quiet.address, 1);
    expect(result).toMatchObject({ address: quiet.address, confirmations: 1, balance: expect.any(Number) });
  },
  "addresses.fetchEffectiveBalance": async () => {
    const { balance } = await api.addresses.fetchEffectiveBalance(quiet.address);
    expect(Number(balance)).toBeGreaterThanOrEqual(Number(leased.amount));
  },
  "addresses.fetchSeq": async () => {
    expect(await api.addresses.fetchSeq(0, 1)).toEqual([master.address]);
  },
  "addresses.fetchPublicKey": async () => {
    expect(await api.addresses.fetchPublicKey(master.publicKey)).toEqual({ address: master.address });
  },
  "addresses.fetchAddresses": async () => {
    expect(await api.addresses.fetchAddresses()).toEqual([master.address]);
  },
  "alias.fetchByAlias": async () => {
    expect(await api.alias.fetchByAlias(aliasName)).toEqual({ address: owner.address });
  },
  "alias.fetchByAddress": async () => {
    expect(await api.alias.fetchByAddress(owner.address)).toEqual([`alias:${chainId}:${aliasName}`]);
  },
  "assets.fetchDetails": async () => {
    // create() keeps the type of a function's last overload.
    const details: unknown = await api.assets.fetchDetails(asset.id as never);
    expect(details).toMatchObject({ assetId: asset.id, name: "Token", decimals: 2 });
    expect(await api.assets.fetchDetails([picture.id])).toMatchObject([{ assetId: picture.id }]);
  },
  "assets.fetchAssetsDetails": async () => {
    const list = await api.assets.fetchAssetsDetails([picture.id, asset.id]);
    expect(list).toMatchObject([{ assetId: picture.id }, { assetId: asset.id }]);
  },
  "assets.fetchAssetDistribution": async () => {
    const distribution: unknown = await api.assets.fetchAssetDistribution(asset.id, height, 10);
    expect(distribution).toMatchObject({ hasNext: false, items: { [quiet.address]: 500 } });
  },
  "assets.fetchAssetsAddressLimit": async () => {
    expect(await api.assets.fetchAssetsAddressLimit(owner.address, 10)).toMatchObject([{ assetId: picture.id }]);
  },
  "assets.fetchAssetsNft": async () => {
    expect(await api.assets.fetchAssetsNft({ address: owner.address, limit: 10 })).toMatchObject([{ name: "Picture" }]);
    expect(await api.assets.fetchAssetsNft({ address: owner.address, limit: 10, after: picture.id })).toEqual([]);
  },
  "assets.fetchAssetsBalance": async () => {
    const { balances } = await api.assets.fetchAssetsBalance(quiet.address);
    const of = balances.find(({ assetId }) => assetId === asset.id);
    expect(of).toMatchObject({
      balance: 500,
      issueTransaction: { id: asset.id, name: "Token", sender: master.address },
    });
  },
  "assets.fetchBalanceAddressAssetId": async () => {
    const result = await api.assets.fetchBalanceAddressAssetId(quiet.address, asset.id);
    expect(result).toEqual({ address: quiet.address, assetId: asset.id, balance: 500 });
  },
  "assets.convertEthAssetId": async () => {
    expect(await api.assets.convertEthAssetId(ethAssetId)).toBe(asset.id);
  },
  "blocks.fetchHeadersSeq": async () => {
    const headers = await api.blocks.fetchHeadersSeq(1, height);
    expect(headers.map((header) => header.height)).toEqual(Array.from({ length: height }, (_, index) => index + 1));
  },
  "blocks.fetchHeadersLast": async () => {
    expect((await api.blocks.fetchHeadersLast()).height).toBeGreaterThan(height);
  },
  "blocks.fetchHeightById": async () => {
    expect(await api.blocks.fetchHeightById(block.id)).toEqual({ height });
  },
  "blocks.fetchHeadersAt": async () => {
    expect(await api.blocks.fetchHeadersAt(height)).toMatchObject({ height, id: block.id, generator: master.address });
  },
  "blocks.fetchHeadersById": async () => {
    expect(await api.blocks.fetchHeadersById(block.id)).toMatchObject({ height, id: block.id });
  },
  "blocks.fetchBlockAt": async () => {
    const { transactions } = await api.blocks.fetchBlockAt(height);
    expect(transactions.map(({ id }) => id)).toContain(call.id);
  },
  "blocks.fetchSeq": async () => {
    expect(await api.blocks.fetchSeq(1, 2)).toMatchObject([{ height: 1, transactionCount: 1 }, { height: 2 }]);
  },
  "blocks.fetchBlockById": async () => {
    expect(await api.blocks.fetchBlockById(block.id)).toEqual(await api.blocks.fetchBlockAt(height));
  },
  "blocks.fetchBlocksByAddress": async () => {
    const blocks = await api.blocks.fetchBlocksByAddress(master.address, 1, height);
    expect(blocks.map((made) => made.height)).toEqual(Array.from({ length: height - 1 }, (_, index) => index + 2));
  },
  "blocks.fetchLast": async () => {
    const last = await api.blocks.fetchLast();
    expect(last.height).toBeGreaterThan(height);
    expect(Array.isArray(last.transactions)).toBe(true);
  },
  "blocks.fetchDelay": async () => {
    expect((await api.blocks.fetchDelay(block.id, 1)).delay).toBeGreaterThan(0);
  },
  "blocks.fetchHeight": async () => {
    expect((await api.blocks.fetchHeight()).height).toBeGreaterThan(height);
  },
  "blocks.fetchHeightByTimestamp": async () => {
    expect(await api.blocks.fetchHeightByTimestamp(block.timestamp)).toEqual({ height });
  },
  "debug.fetchBalanceHistory": async () => {
    const [newest] = await api.debug.fetchBalanceHistory(dApp.address);
    expect(newest).toMatchObject({ height, balance: (await api.addresses.fetchBalance(dApp.address)).balance });
  },
  "debug.fetchStateChangesByTxId": async () => {
    const { stateChanges } = await api.debug.fetchStateChangesByTxId(call.id);
    expect(stateChanges).toMatchObject({
      data: [{ key: "kept", type: "string", value: "this" }],
      transfers: [{ address: master.address, asset: null, amount: 7 }],
    });
  },
  "debug.fetchDebugInfo": async () => {
    expect((await api.debug.fetchDebugInfo(apiKey)).stateHeight).toBeGreaterThan(height);
  },
  "debug.fetchMinerInfo": async () => {
    expect(await api.debug.fetchMinerInfo(apiKey)).toMatchObject([{ address: master.address }]);
  },
  "debug.debugState": async () => {
    expect(await api.debug.debugState(apiKey)).toMatchObject({
      [dApp.address]: (await api.addresses.fetchBalance(dApp.address)).balance,
      [master.address]: expect.stringMatching(/^\d{17}$/),
    });
  },
  "debug.debugStateHash": async () => {
    expect(await api.debug.debugStateHash(height)).toMatchObject({
      blockId: block.id,
      stateHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  },
  "debug.debugStateWaves": async () => {
    expect(Object.keys(await api.debug.debugStateWaves(height, apiKey))).toContain(owner.address);
    expect(Object.keys(await api.debug.debugStateWaves(1, apiKey))).toEqual([master.address]);
  },
  "debug.debugValidate": async () => {
    expect(await api.debug.debugValidate(JSON.stringify(newTransfer()))).toMatchObject({ valid: true });
    expect(await api.debug.debugValidate(JSON.stringify(owned))).toMatchObject({ valid: false });
  },
  "leasing.fetchActive": async () => {
    const [active] = await api.leasing.fetchActive(quiet.address);
    expect(active).toMatchObject({ id: leased.id, sender: owner.address, amount: leased.amount });
  },
  "leasing.fetchLeasingInfo": async () => {
    const list: unknown = await api.leasing.fetchLeasingInfo([leased.id]);
    expect(list).toMatchObject([{ id: leased.id, recipient: quiet.address, status: "active" }]);
  },
  "node.fetchNodeStatus": async () => {
    const status = await api.node.fetchNodeStatus();
    expect(status.blockchainHeight).toBe(status.stateHeight);
    expect(status.blockchainHeight).toBeGreaterThan(height);
  },
  "node.fetchNodeVersion": async () => {
    expect(await api.node.fetchNodeVersion()).toEqual({ version: expect.stringMatching(/^Waves v\d/) });
  },
  "peers.fetchAll": async () => {
    expect(await api.peers.fetchAll()).toEqual({ peers: [] });
  },
  "peers.fetchConnected": async () => {
    expect(await api.peers.fetchConnected()).toEqual({ peers: [] });
  },
  "peers.fetchBlackListed": async () => {
    expect(await api.peers.fetchBlackListed()).toEqual([]);
  },
  "peers.fetchSuspended": async () => {
    expect(await api.peers.fetchSuspended()).toEqual([]);
  },
  "rewards.fetchRewards": async () => {
    expect((await api.rewards.fetchRewards()).height).toBeGreaterThan(height);
    expect((await api.rewards.fetchRewards(height)).height).toBe(height);
  },
  "transactions.fetchUnconfirmedSize": async () => {
    expect(await api.transactions.fetchUnconfirmedSize()).toEqual({ size: expect.any(Number) });
  },
  "transactions.fetchCalculateFee": async () => {
    const { recipient, amount, type, senderPublicKey } = newTransfer();
    const unsigned = { recipient, amount, type, senderPublicKey } as never;
    expect(await api.transactions.fetchCalculateFee(unsigned)).toEqual({ feeAssetId: null, feeAmount: 100_000 });
  },
  "transactions.fetchUnconfirmed": async () => {
    expect(Array.isArray(await api.transactions.fetchUnconfirmed())).toBe(true);
  },
  "transactions.fetchTransactions": async () => {
    const list = await api.transactions.fetchTransactions(owner.address, 10);
    expect(list.map(({ id }) => id)).toContain(leased.id);
    const all = list.map(({ id }) => id);
    const later = await api.transactions.fetchTransactions(owner.address, 10, all[0]);
    expect(later.map(({ id }) => id)).toEqual(all.slice(1));
  },
  "transactions.fetchUnconfirmedInfo": async () => {
    // A micro-block may take it before it is requested: then another one is sent.
    const found = await eventually(async () => {
      const { id } = await api.transactions.broadcast(newTransfer());
      const [result] = await Promise.allSettled([api.transactions.fetchUnconfirmedInfo(id)]);
      return result.status === "fulfilled" ? { id, answer: result.value } : undefined;
    });
    expect(found.answer).toMatchObject({ id: found.id, type: 4, recipient: quiet.address });
  },
  "transactions.fetchInfo": async () => {
    const info: unknown = await api.transactions.fetchInfo(call.id);
    expect(info).toMatchObject({ id: call.id, type: 16, height, applicationStatus: "succeeded" });
  },
  "transactions.fetchMultipleInfo": async () => {
    const list = await api.transactions.fetchMultipleInfo([call.id, leased.id]);
    expect(list.map(({ id }) => id)).toEqual([call.id, leased.id]);
  },
  "transactions.fetchStatus": async () => {
    const { statuses } = await api.transactions.fetchStatus([call.id, unknownId]);
    expect(statuses).toMatchObject([
      { id: call.id, status: "in_blockchain", height, inUTX: false, applicationStatus: "succeeded" },
      { id: unknownId, status: "not_found" },
    ]);
    expect(statuses[0]?.confirmations).toBeGreaterThan(0);
  },
  "transactions.broadcast": async () => {
    const tx = newTransfer();
    expect(await api.transactions.broadcast(tx)).toMatchObject({ id: tx.id, sender: master.address, amount: 1 });
  },
  "utils.fetchSeed": async () => {
    expect(libs.crypto.base58Decode((await api.utils.fetchSeed()).seed)).toHaveLength(32);
    expect(libs.crypto.base58Decode((await api.utils.fetchSeed(100)).seed)).toHaveLength(100);
  },
  "utils.fetchCompileCode": async () => {
    const compiled = await api.utils.fetchCompileCode(source);
    expect(compiled.script).toBe((await api.addresses.fetchScriptInfo(dApp.address)).script);
    expect(compiled.callableComplexities).toEqual({ keep: compiled.complexity });
  },
  "utils.fetchCompileWithImports": async () => {
    const compiled = await api.utils.fetchCompileWithImports({
      script: importing,
      imports: { "twice.ride": library },
    });
    expect(compiled.script).toMatch(/^base64:/);
  },
  "utils.fetchEstimate": async () => {
    const { script, complexity } = await api.utils.fetchCompileCode(source);
    expect(await api.utils.fetchEstimate(script)).toMatchObject({ script, complexity });
  },
  "utils.fetchEvaluate": async () => {
    const result = await api.utils.fetchEvaluate(dApp.address, `keep("that")`);
    expect(result).toMatchObject({ address: dApp.address, expr: `keep("that")`, result: { type: "Array" } });
  },
  "utils.fetchTransactionSerialize": async () => {
    const { bytes } = await api.utils.fetchTransactionSerialize(call as never);
    expect(bytes.map((byte) => byte & 0xff)).toEqual([...makeTxBytes(call as never)]);
  },
  "utils.fetchHashSecure": async () => {
    expect(await api.utils.fetchHashSecure("abc")).toEqual({ message: "abc", hash: secureHash });
  },
  "utils.fetchHashFast": async () => {
    expect(await api.utils.fetchHashFast("abc")).toEqual({ message: "abc", hash: fastHash });
  },
  "utils.fetchScriptDecompile": async () => {
    const { script } = await api.utils.fetchCompileCode(source);
    const decompiled = await api.utils.fetchScriptDecompile(script);
    expect(decompiled).toMatchObject({ STDLIB_VERSION: 6, CONTENT_TYPE: "DAPP", SCRIPT_TYPE: "ACCOUNT" });
    expect(decompiled.script).toContain("func keep");
  },
  "utils.fetchNodeTime": async () => {
    const { system, NTP } = await api.utils.fetchNodeTime();
    expect(system).toBeGreaterThan(block.timestamp);
    expect(NTP).toBeGreaterThan(block.timestamp);
  },
  "tools.transactions.broadcast": async () => {
    const list = [newTransfer(), newTransfer()];
    const options = { confirmations: 1, requestInterval: 50 };
    const sent: readonly { readonly id: string }[] = await api.tools.transactions.broadcast(list as never[], options);
    expect(sent.map(({ id }) => id).sort()).toEqual(list.map(({ id }) => id).sort());
  },
  "tools.transactions.wait": async () => {
    expect(await api.tools.transactions.wait(call as never, { confirmations: 1 })).toMatchObject({ id: call.id });
  },
  "tools.blocks.getNetworkByte": async () => {
    expect(await api.tools.blocks.getNetworkByte()).toBe(82);
  },
  "tools.blocks.getNetworkCode": async () => {
    expect(await api.tools.blocks.getNetworkCode()).toBe(chainId);
  },
  "tools.addresses.createWatch": async () => {
    const watch = await api.tools.addresses.createWatch(dApp.address, 100);
    const tx = transfer({ recipient: dApp.address, amount: 1, chainId }, master.seed);
    const change = new Promise<readonly { readonly id: string }[]>((resolve) => watch.once("change-state", resolve));
    await api.transactions.broadcast(tx);
    const changes = await change;
    endWatch(watch);
    expect(changes.map(({ id }) => id)).toEqual([tx.id]);
  },
  "tools.addresses.getAssetsByTransaction": async () => {
    const assets = await api.tools.addresses.getAssetsByTransaction(tokens as never);
    expect(assets).toMatchObject({ [asset.id]: { name: "Token" } });
  },
  "tools.addresses.getTransactionsWithAssets": async () => {
    const { transactions, assets } = await api.tools.addresses.getTransactionsWithAssets(quiet.address, 100);
    expect(transactions.map(({ id }) => id)).toContain(tokens.id);
    expect(Object.keys(assets)).toEqual([asset.id]);
  },
  "tools.addresses.availableSponsoredBalances": async () => {
    const list = await api.tools.addresses.availableSponsoredBalances(quiet.address, 200_000);
    expect(list).toEqual([{ assetId: asset.id, wavesFee: 200_000, assetFee: "10" }]);
  },
  "tools.request": async () => {
    const result = await api.tools.request<{ height: number }>({ base: node.url, url: "/blocks/height" });
    expect(result.height).toBeGreaterThan(height);
  },
};

/** Functions whose request the reference refuses, too: for removed routes, or without required parameters. */
const refused: Record<string, readonly [call: () => Promise<unknown>, refusal: unknown]> = {
  "addresses.fetchSeed (sends no key)": [() => api.addresses.fetchSeed(master.address), noKey],
  "blocks.fetchFirst (reads an id)": [() => api.blocks.fetchFirst(), expect.objectContaining({ error: 4002 })],
  "debug.fetchConfigInfo (does not send `full`)": [() => api.debug.fetchConfigInfo(apiKey), noRoute],
  "debug.postPeerToTheBanList (sends no key)": [() => api.debug.postPeerToTheBanList("127.0.0.1:6868"), noKey],
  "debug.fetchStateChangesByAddress (removed; under /debug the key is checked first)": [
    () => api.debug.fetchStateChangesByAddress(dApp.address, 10),
    noKey,
  ],
  "debug.fetchPortfolios (gone)": [() => api.debug.fetchPortfolios(owner.address, apiKey), noRoute],
  "debug.debugRollbackTo (gone)": [() => api.debug.debugRollbackTo(block.id, apiKey), noRoute],
  "utils.fetchScriptMeta (gone)": [() => api.utils.fetchScriptMeta("base64:"), noRoute],
  "utils.fetchSignPrivateKey (gone)": [() => api.utils.fetchSignPrivateKey(unknownId, "abc"), noRoute],
  "eth.fetchEthAssetDetails (writes two question marks)": [() => api.eth.fetchEthAssetDetails([ethAssetId]), noRoute],
};

/** Functions that contact no node. */
const local = /^tools\.(utils\..*|query|resolve|parse|addresses\.getAssetIdListByTx)$/;

/** Functions that change the state of the others. */
const last: Record<string, () => Promise<void>> = {
  "addresses.deleteAddressFromWallet": async () => {
    const spare = await fetch(`${node.url}/addresses`, { method: "POST", ...withKey });
    const { address } = (await spare.json()) as { address: string };
    expect(await api.addresses.fetchAddresses()).toContain(address);
    expect(await api.addresses.deleteAddressFromWallet(address, withKey)).toEqual({ deleted: true });
    expect(await api.addresses.fetchAddresses()).toEqual([master.address]);
  },
  "debug.debugPrint": async () => {
    // The empty response is parsed as JSON by the library; the message is printed all the same.
    await expect(api.debug.debugPrint("printed by node-api-js", apiKey)).rejects.toThrow(SyntaxError);
    await eventually(async () => node.output().includes("printed by node-api-js") || undefined);
  },
  "debug.debugRollback": async () => {
    const { id } = await api.blocks.fetchHeadersAt(height - 1);
    expect(await api.debug.debugRollback(height - 1, false, apiKey)).toEqual({ BlockId: id });
    await expect(api.transactions.fetchInfo(call.id)).rejects.toMatchObject({ error: 311 });
  },
};

/** Names of all functions in it. */
function namesIn(group: object, prefix = ""): string[] {
  return Object.entries(group).flatMap(([name, member]) =>
    typeof member === "function" ? [prefix + name] : namesIn(member as object, `${prefix}${name}.`),
  );
}

test("every function of the library has a row, and every row a function", () => {
  const remote = namesIn(create("http://127.0.0.1")).filter((name) => !local.test(name));
  const names = Object.keys(refused).map((title) => title.replace(/ .*/, ""));
  expect([...Object.keys(functions), ...names, ...Object.keys(last)].sort()).toEqual(remote.sort());
});

test.each(Object.entries(functions))("%s", (_, row) => row());

test.each(Object.entries(refused))("%s is refused as by the reference", async (_, [call, refusal]) => {
  await expect(call()).rejects.toEqual(refusal);
});

test.each(Object.entries(last))("%s", (_, row) => row());
