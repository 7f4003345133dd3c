import { expect, test } from "vitest";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import { vrfVerify } from "../../../src/crypto/vrf.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, NetworkSettings } from "../../../src/network/settings.ts";
import type { SignedHeader } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { compileSource } from "../../support/builders/reference-compiler.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;

/** Delay by the formula of the specification (1.3, Fair PoS), from recorded headers alone, ms. */
function delayByFormulaMs(
  headers: readonly SignedHeader[],
  height: number,
  inputs: { readonly hitSource: Uint8Array; readonly balance: bigint; readonly minimumMs: number },
): number {
  const parent = headers[height - 2] as SignedHeader;
  const hit = Buffer.from(inputs.hitSource).readBigUInt64LE();
  const share = Number(hit) / 2 ** 64;
  const weight = (5e17 * Math.log(share)) / Number(parent.header.baseTarget) / Number(inputs.balance);
  return inputs.minimumMs + 70_000 * Math.log(1 - weight);
}

/** Base target by the specification (1.4, Fair PoS). */
function baseTargetByFormula(
  headers: readonly SignedHeader[],
  height: number,
  inputs: { readonly averageSeconds: number; readonly delta: number },
): bigint {
  const parent = (headers[height - 2] as SignedHeader).header.baseTarget;
  const earlier = headers[height - 4];
  if (earlier === undefined) return parent;
  const spanMs = (headers[height - 1] as SignedHeader).header.timestamp - earlier.header.timestamp;
  const seconds = Number(spanMs / 3n / 1000n);
  const step = parent / 100n > 1n ? parent / 100n : 1n;
  if (seconds > ((90 - inputs.delta) * inputs.averageSeconds) / 60) return parent + step;
  return seconds < ((30 + inputs.delta) * inputs.averageSeconds) / 60 ? parent - step : parent;
}

function headersOf(node: SimulatedNode): readonly SignedHeader[] {
  return Array.from(
    { length: node.chain.view.height },
    (_, index) => node.chain.view.findHeader(index + 1) as SignedHeader,
  );
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

test("the private chain forges at the intervals that the formula gives, and at their mean", () => {
  const { blockchain, node: settings } = privateNetwork;
  const simulated = new SimulatedNode({ startMs });
  // Blocks that make up for the years since genesis come at once; afterwards the clock is the chain's.
  simulated.advanceTo(startMs + 1);
  const first = simulated.chain.view.height + 1;
  simulated.mineTo(first + 124);

  const headers = headersOf(simulated);
  const { view } = simulated.chain;
  const { address } = simulated.wallet.accounts()[0]!;
  const balances = headers.map((_, index) => view.minimumEffectiveBalance(address, index + 1, index + 1));
  const forged: number[] = [];
  const byFormula: number[] = [];
  for (let height = first; height <= simulated.chain.view.height; height++) {
    const { header } = headers[height - 1] as SignedHeader;
    const parent = headers[height - 2] as SignedHeader;
    const drawHeight = height - 1 > 100 ? height - 101 : height - 1;
    const drawn = view.findHitSource(drawHeight) as Uint8Array;
    const hitSource = vrfVerify(header.generator, drawn, header.generationSignature);
    expect(hitSource).toBeDefined();
    const [balance] = balances.slice(0, height - 1).sort((left, right) => (left < right ? -1 : 1));
    const minimumMs = blockchain.functionality.minBlockTimeMs;
    const intervalMs = Number(header.timestamp - parent.header.timestamp);
    const expectedMs = delayByFormulaMs(headers, height, {
      hitSource: hitSource as Uint8Array,
      balance: balance!,
      minimumMs,
    });
    expect(Math.abs(intervalMs - expectedMs)).toBeLessThanOrEqual(1);
    expect(header.baseTarget).toBe(
      baseTargetByFormula(headers, height, { averageSeconds: 10, delta: blockchain.functionality.delayDelta }),
    );
    expect(header.rewardVote).toBe(settings.desiredReward);
    forged.push(intervalMs);
    byFormula.push(expectedMs);
  }
  expect(forged.length).toBe(125);
  expect(Math.abs(mean(forged) - mean(byFormula))).toBeLessThan(1);
  // The base target holds the mean between 38/60 and 82/60 of the network's target of 10 s.
  expect(mean(forged)).toBeGreaterThan(6_333);
  expect(mean(forged)).toBeLessThan(13_667);
});

/** Private network with some features at other heights. */
function withActivations(heights: Readonly<Record<number, number | undefined>>): NetworkSettings {
  const preActivatedFeatures = new Map(privateNetwork.blockchain.functionality.preActivatedFeatures);
  for (const [feature, height] of Object.entries(heights))
    if (height === undefined) preActivatedFeatures.delete(Number(feature));
    else preActivatedFeatures.set(Number(feature), height);
  const functionality = { ...privateNetwork.blockchain.functionality, preActivatedFeatures };
  return { ...privateNetwork, blockchain: { ...privateNetwork.blockchain, functionality } };
}

test("a chain is forged through every version of blocks and both algorithms, while features come into force", () => {
  const { blockchain } = withActivations({
    [Feature.Ng]: 8,
    [Feature.FairPos]: 14,
    [Feature.BlockReward]: 20,
    [Feature.BlockV5]: 26,
    [Feature.SynchronousCalls]: 26,
    [Feature.RideV6]: 26,
    [Feature.ConsensusImprovements]: 26,
    [Feature.BlockRewardDistribution]: 26,
    [Feature.CappedReward]: 26,
    [Feature.CeaseXtnBuyback]: 26,
    [Feature.BoostBlockReward]: 26,
    [Feature.LightNode]: 32,
  });
  const versionTwoUpTo4: BlockchainSettings = {
    ...blockchain,
    functionality: { ...blockchain.functionality, blockVersion3AfterHeight: 3 },
  };
  // Starts at the date of the genesis block, so that no blocks have to make up for lost time.
  const simulated = new SimulatedNode({
    startMs: Number(blockchain.genesis.blockTimestampMs),
    blockchain: versionTwoUpTo4,
  });
  for (let count = 0; simulated.chain.view.height < 36; count++) {
    simulated.broadcast(signedTransfer({ version: 2, timestamp: BigInt(simulated.nowMs + count) }));
    simulated.step();
  }
  const headers = headersOf(simulated).map(({ header }) => header);
  const versions = headers.map(({ version }) => version);
  expect(versions.slice(0, 6)).toEqual([1, 2, 2, 2, 3, 3]);
  expect([19, 20, 21, 25, 26].map((height) => versions[height - 1])).toEqual([3, 3, 4, 4, 5]);
  expect(headers.findIndex(({ stateHash }) => stateHash !== undefined) + 1).toBe(32);
  const keyBlockTransactions = simulated.keyBlocks.map(({ transactions }) => transactions.length > 0);
  expect(keyBlockTransactions.lastIndexOf(true) + 2).toBe(8);
  expect(simulated.microBlocks.length).toBeGreaterThan(10);
  expect(new Set(simulated.microBlocks.map(({ microBlock }) => microBlock.version))).toEqual(
    new Set([BlockVersion.Ng, BlockVersion.Reward, BlockVersion.Protobuf]),
  );
});

test("if state hashes come before NG, a key block's own one includes the fees of its transactions, too", () => {
  const { blockchain } = withActivations({ [Feature.Ng]: 12, [Feature.LightNode]: 0 });
  const simulated = new SimulatedNode({ startMs: Number(blockchain.genesis.blockTimestampMs), blockchain });
  for (let count = 0; simulated.chain.view.height < 10; count++) {
    simulated.broadcast(signedTransfer({ version: 2, timestamp: BigInt(simulated.nowMs + count) }));
    simulated.step();
  }
  expect(simulated.keyBlocks.some(({ transactions }) => transactions.length > 0)).toBe(true);
  expect(simulated.keyBlocks.every(({ header }) => header.stateHash !== undefined)).toBe(true);
});

test("it counts data that a script wrote from the block's own header", () => {
  const { blockchain } = withActivations({ [Feature.Ng]: 12, [Feature.LightNode]: 0 });
  const simulated = new SimulatedNode({ startMs: Number(blockchain.genesis.blockTimestampMs), blockchain });
  const { chainId } = blockchain;
  const { publicKey: sender } = richKey;
  const dApp = addressOfPublicKey(sender, chainId);
  const source = `{-# STDLIB_VERSION 5 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func write() = [BooleanEntry("known", isDefined(blockInfoByHeight(height)))]`;
  const script = new Uint8Array(compileSource(source).result as ArrayBuffer) as Script;
  const own = { chainId, sender, version: 2, feeAsset: null, fee: 900_000n, proofs: [] } as const;
  const timestamp = BigInt(simulated.nowMs);
  const setScript = { ...own, type: TransactionType.SetScript, script, timestamp } as const;
  simulated.broadcast(signedBy(richKey, buildTransaction(setScript)));
  for (let count = 0; simulated.chain.view.height < 10; count++) {
    simulated.step();
    const [call, recipient] = [
      { function: "write", args: [] },
      { kind: "address", address: dApp },
    ] as const;
    const invoke = { ...own, type: TransactionType.InvokeScript, dApp: recipient, call, payments: [] } as const;
    if (simulated.chain.view.findAccountScript(dApp) !== undefined)
      simulated.broadcast(
        signedBy(richKey, buildTransaction({ ...invoke, timestamp: BigInt(simulated.nowMs + count) })),
      );
  }
  expect(simulated.chain.view.findData(dApp, "known")).toEqual({ type: "boolean", value: true });
});

test("accounts of one wallet take turns in proportion to their balances", () => {
  const node = { ...privateNetwork.node, walletAccounts: 2 };
  const { genesis } = privateNetwork.blockchain;
  const half = genesis.initialBalance / 2n;
  const first = genesis.transactions[0]!;
  const second = new SimulatedNode({ startMs, node }).wallet.accounts()[1]!;
  const shared: BlockchainSettings = {
    ...privateNetwork.blockchain,
    genesis: {
      ...genesis,
      signature: undefined,
      transactions: [
        { ...first, amount: half },
        { recipient: second.address, amount: half },
      ],
    },
  };
  const simulated = new SimulatedNode({ startMs, blockchain: shared, node });
  simulated.mineTo(100);
  const blocksOf = (key: typeof richKey) =>
    simulated.keyBlocks.filter(({ header }) => bytesKey(header.generator) === bytesKey(key.publicKey)).length;
  expect(blocksOf(richKey) + blocksOf(poorKey)).toBe(99);
  expect(blocksOf(richKey)).toBeGreaterThan(25);
  expect(blocksOf(poorKey)).toBeGreaterThan(25);
});
