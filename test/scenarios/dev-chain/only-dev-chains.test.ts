/** Rights of a dev chain over authorization and state, which no other chain has. */
import { describe, expect, test } from "vitest";
import { Impersonation, impersonatedRecord } from "../../../durable/chain-state/dev/impersonation.ts";
import { dispatchCall } from "../../../durable/chain-state/dispatch-call.ts";
import { OwnerCalls } from "../../../durable/chain-state/owner-calls.ts";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { ChainCallTarget, DevRpc } from "../../../src/env.ts";
import { DEV_CHAIN_ON, devSettings } from "../../../src/network/dev-settings.ts";
import { namedNetworks } from "../../../src/network/named-networks.ts";
import { networkOfBinding } from "../../../src/network/network-of-binding.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import type { Transaction, TransferTransaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { accountTable } from "../../../src/tables/accounts.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { testDatabase } from "../../../verification/sqlite/test-database.ts";
import { DevNode } from "../../support/builders/dev-node.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { testNode } from "../../support/builders/test-node.ts";

const key = keyPairOfAccountSeed(new Uint8Array(32).fill(5));
const everyNetwork = Object.entries(namedNetworks);

/** Settings of a dev chain without being one. Blocks of one have valid timestamps on the other. */
function likeDevChain(network: NetworkSettings): NetworkSettings {
  const { isDevChain: _, ...settings } = devSettings(network);
  return settings;
}

function transferOf(chainId: number, { version, timestamp }: { readonly version: number; readonly timestamp: bigint }) {
  return (proofs: readonly Uint8Array[]): TransferTransaction =>
    buildTransaction({
      type: TransactionType.Transfer,
      version,
      chainId,
      sender: key.publicKey,
      feeAsset: null,
      asset: null,
      fee: 100_000n,
      amount: 1n,
      attachment: new Uint8Array(),
      recipient: { kind: "address", address: addressOfPublicKey(key.publicKey, chainId) },
      timestamp,
      proofs,
    });
}

const connectedPeers = () => 1;
const devChain = { DEV_CHAIN: DEV_CHAIN_ON };

/** Node whose tables say that the account is rich and impersonated by a dev chain. */
function nodeWithLeftovers({ blockchain, node }: NetworkSettings, startMs: number): SimulatedNode {
  const simulated = new SimulatedNode({ blockchain, node, startMs, connectedPeers });
  const { store } = simulated.node;
  const address = addressOfPublicKey(key.publicKey, blockchain.chainId);
  store.commit({ height: 1, step: 1 }, [
    { table: accountTable, row: { address, balance: 1_000_000_000n, leaseIn: 0n, leaseOut: 0n }, isNew: true } as never,
  ]);
  store.putMeta(impersonatedRecord.name, encodeBase58(address));
  return new SimulatedNode({ blockchain, node, startMs, connectedPeers, database: simulated.database });
}

const wrongProofs = [
  ["no proof", []],
  ["a wrong proof", [new Uint8Array(64).fill(1)]],
] as const;

describe.each(everyNetwork)("on %s", (name, network) => {
  const { blockchain } = network;
  const startMs = Number(blockchain.genesis.blockTimestampMs) + 60_000;

  /** Broadcast as the Worker sends it. With `areSignaturesVerified` it has verified the signatures itself. */
  async function submitted(node: SimulatedNode, transaction: Transaction, areSignaturesVerified: boolean) {
    const submission = { signedTransaction: encodeProtobuf(transaction), id: transaction.id, areSignaturesVerified };
    const [result] = await node.node.poolCalls.broadcastAll([submission]);
    return result;
  }

  test.each(wrongProofs)("a transaction with %s is refused, regardless of the tables", async (_, proofs) => {
    const simulated = nodeWithLeftovers(network, startMs);
    const transfer = transferOf(blockchain.chainId, { version: 1, timestamp: BigInt(startMs) });
    // The proofs are its only violation.
    expect(await submitted(simulated, signedBy(key, transfer([])), false)).toEqual({ accepted: true, isNew: true });
    const code = proofs.length === 0 ? "proofCountWrong" : "proofInvalid";
    const unsigned = buildTransaction({ ...transfer(proofs), amount: 2n });
    expect(await submitted(simulated, unsigned, false)).toMatchObject({ accepted: false, violation: { code } });
    // A flag of verified signatures is no proof when there are no signatures.
    if (proofs.length === 0)
      expect(await submitted(simulated, unsigned, true)).toMatchObject({ accepted: false, violation: { code } });
    expect(simulated.chain.view.exemption).toBeUndefined();
  });

  test("no account can be impersonated, regardless of the tables", () => {
    const { store } = nodeWithLeftovers(network, startMs).node;
    expect(() => new Impersonation(network, store)).toThrow("no dev chain");
  });

  test("no state override is accepted", () => {
    const { node } = nodeWithLeftovers(network, startMs);
    expect(() => node.overrideState({ snapshot: {}, issuedWavelets: 1n })).toThrow("no dev chain");
  });

  test("no other state replaces the tables", async () => {
    const { node } = nodeWithLeftovers(network, startMs);
    const called: string[] = [];
    const exchange = node.replaceState(
      () => called.push("rewrite"),
      () => called.push("landed"),
    );
    await expect(exchange).rejects.toThrow("no dev chain");
    expect(called).toEqual([]);
  });

  test("there is no method of a dev chain, and no route", async () => {
    const simulated = new SimulatedNode({ blockchain, node: network.node, startMs });
    const { poolCalls: pool, walletCalls: wallet } = simulated.node;
    const nowMs = () => startMs;
    const stop = async () => "untilStart" as const;
    const owner = new OwnerCalls({ node: simulated.node, miner: network.node.miner, nowMs, stop });
    const parts = { pool, wallet, node: simulated.node, owner };
    const methods: readonly (keyof DevRpc)[] = ["status", "impersonate", "setData", "setScript", "setBalance", "fund"];
    for (const method of methods)
      await expect(dispatchCall(parts, "dev", method, [])).rejects.toThrow("no service dev");
    const worker = testNode({
      database: d1Double().d1,
      network: name,
      variables: { API_KEY_HASH: privateNetworkSecrets.apiKeyHash },
      target: { call: (part, method, args) => dispatchCall(parts, part, method, args) },
    });
    const headers = { "X-Api-Key": privateNetworkSecrets.apiKey, "Content-Type": "application/json" };
    const unknown = await worker.fetch("/no/such/route", { method: "POST", headers, body: "{}" });
    for (const method of methods) {
      const response = await worker.fetch(`/dev/${method}`, { method: "POST", headers, body: "{}" });
      expect([response.status, await response.text()]).toEqual([unknown.status, await unknown.clone().text()]);
    }
  });

  test("a broadcast without proofs is refused as on every chain", async () => {
    const simulated = nodeWithLeftovers(network, startMs);
    const { poolCalls: pool, walletCalls: wallet } = simulated.node;
    const worker = testNode({
      database: d1Double().d1,
      network: name,
      target: {
        call: (part, method, args) =>
          dispatchCall({ pool, wallet, node: simulated.node, owner: {} as OwnerCalls }, part, method, args),
      },
    });
    const transfer = transferOf(blockchain.chainId, { version: 1, timestamp: BigInt(startMs) });
    const sent = async (proofs: readonly Uint8Array[]) => {
      const body = JSON.stringify(transactionJson(transfer(proofs)), (_, value: unknown) =>
        typeof value === "bigint" ? Number(value) : value,
      );
      const headers = { "Content-Type": "application/json" };
      const response = await worker.fetch("/transactions/broadcast", { method: "POST", headers, body });
      return { status: response.status, json: (await response.json()) as Record<string, unknown> };
    };
    for (const [, proofs] of wrongProofs) {
      expect(await sent(proofs)).toMatchObject({ status: 400, json: { error: 112 } });
    }
    expect((await sent(signedBy(key, transfer([])).proofs)).status).toBe(200);
  });
});

test.each(["mainnet", "testnet", "stagenet"] as const)("%s cannot be started as a dev chain", async (name) => {
  expect(() => networkOfBinding(name, DEV_CHAIN_ON)).toThrow("a network that may be a dev chain");
  const worker = testNode({
    database: d1Double().d1,
    network: name,
    target: {} as ChainCallTarget,
    variables: devChain,
  });
  const response = await worker.fetch("/dev/status");
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("The node does not start")]);
});

describe("a block of a dev chain that holds a transaction without proofs", () => {
  async function madeBlocks(proofs: readonly Uint8Array[]) {
    const dev = new DevNode();
    const { node } = dev;
    const sender = { publicKey: key.publicKey } satisfies Pick<KeyPair, "publicKey">;
    const address = addressOfPublicKey(sender.publicKey, node.chain.view.settings.chainId);
    await dev.post("/dev/fund", { address: addressText(address), amount: 1_000_000 });
    const before = node.chain.liquid.block().block;
    await dev.post("/dev/impersonate", { address: addressText(address) });
    const transfer = transferOf(node.chain.view.settings.chainId, { version: 3, timestamp: BigInt(dev.wallMs) })(
      proofs,
    );
    expect((await dev.send(transfer)).status).toBe(200);
    await dev.mine();
    const block = node.chain.liquid.block().block;
    expect(block.transactions.map(({ id }) => encodeBase58(id))).toEqual([encodeBase58(transfer.id)]);
    return { before, block, nowMs: dev.wallMs + 3_600_000 };
  }

  test.each(wrongProofs)("is refused by any other node, with %s", async (_, proofs) => {
    const { before, block, nowMs } = await madeBlocks(proofs);
    const settings = likeDevChain(namedNetworks.private);
    const simulated = new SimulatedNode({ ...settings, startMs: nowMs });
    simulated.append(before);
    expect(simulated.height).toBe(2);
    expect(() => simulated.append(block)).toThrow("transactionInBlockInvalid");
    expect(simulated.height).toBe(2);
    // Nor does a database that was a dev chain's accept it.
    simulated.node.store.putMeta(impersonatedRecord.name, addressText(addressOfPublicKey(key.publicKey, 82)));
    const restarted = new SimulatedNode({ ...settings, startMs: nowMs, database: simulated.database });
    expect(() => restarted.append(block)).toThrow("transactionInBlockInvalid");
  });
});

test("the rows that a dev chain leaves name the account that it impersonated", () => {
  const database = testDatabase();
  const simulated = new SimulatedNode({ ...namedNetworks.private, startMs: 1_700_000_000_000, database });
  const dev = networkOfBinding("private", DEV_CHAIN_ON);
  const address = addressOfPublicKey(key.publicKey, 82);
  new Impersonation(dev, simulated.node.store).set(address, true);
  expect(simulated.node.store.findMeta(impersonatedRecord.name)).toBe(encodeBase58(address));
  expect(new Impersonation(dev, simulated.node.store).accounts()).toEqual([decodeBase58(encodeBase58(address))]);
});
