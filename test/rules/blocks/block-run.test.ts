/** Transactions of a block, one after the other: limits, fees, and the state after a refused one. */
import { describe, expect, test } from "vitest";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import { initialStateHash } from "../../../src/protocol/snapshots/state-hash.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import {
  BlockRun,
  type BlockRunOptions,
  type IncludedTransaction,
  noUsage,
} from "../../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../../src/rules/consensus/block-limits.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { callable, compiled, dApp, waves, world } from "../../support/builders/dapps.ts";
import { chainOfThree, once } from "../../support/builders/next-block.ts";
import { now, sample, to, transactionId, violationOf } from "../../support/builders/sample-transactions.ts";
import { poorKey, richKey, signedTransfer, walletKey } from "../../support/builders/signed-transfer.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const { chainId } = privateNetwork.blockchain;
const viewOfThree = once(() => chainOfThree().chain.view);
const { genesis } = privateNetwork.blockchain;
/** Timestamp of the transactions and of the block. */
const timestamp = genesis.blockTimestampMs + 60_000n;
const generator = addressOfPublicKey(walletKey(5).publicKey, chainId);
const sender = addressOfPublicKey(richKey.publicKey, chainId);
const recipient = addressOfPublicKey(poorKey.publicKey, chainId);

/** Run of the block after the third one. */
function runWith(options: Partial<BlockRunOptions> = {}): BlockRun {
  const view = viewOfThree();
  return new BlockRun({
    overlay: new OverlayView(view, { height: view.height + 1 }),
    blockVersion: 5,
    generator,
    blockTimestamp: timestamp,
    previousBlockTimestamp: timestamp,
    limits: noLimits,
    usage: noUsage,
    stateHash: initialStateHash,
    verifySignatures: true,
    ...options,
  });
}

const transfers = [1n, 2n, 3n].map((amount) => signedTransfer({ timestamp, amount }));
const [first, second] = transfers as [(typeof transfers)[0], (typeof transfers)[0]];
const sizeBytes = encodeProtobuf(first).length;

describe("a limit of the block", () => {
  test.each([
    ["number of transactions", { transactions: 2 }, 3n],
    ["size of all transactions in bytes", { sizeBytes: 2 * sizeBytes }, BigInt(3 * sizeBytes)],
  ])("on the %s accepts exactly as much, and refuses more", (limit, limits, got) => {
    const run = runWith({ limits: { ...noLimits, ...limits } });
    for (const transfer of [first, second]) run.add(transfer);
    const { usage, stateHash, carryFee } = run;
    const violation = violationOf(() => run.add(transfers[2] as typeof first));
    expect(violation).toEqual({
      code: "blockLimitExceeded",
      limit,
      allowed: BigInt(Object.values(limits)[0] ?? 0),
      got,
    });
    expect(run.included.length).toBe(2);
    expect({ usage: run.usage, stateHash: run.stateHash, carryFee: run.carryFee }).toEqual({
      usage,
      stateHash,
      carryFee,
    });
  });

  test("counts the usage of earlier micro-blocks", () => {
    const usage = { transactions: 1, sizeBytes: 10, scriptComplexity: 7n };
    const run = runWith({ limits: { ...noLimits, transactions: 2, scriptComplexity: 7 }, usage });
    run.add(first);
    expect(run.usage).toEqual({ transactions: 2, sizeBytes: 10 + sizeBytes, scriptComplexity: 7n });
    expect(violationOf(() => run.add(second))).toMatchObject({ limit: "number of transactions", got: 3n });
    const full = runWith({ limits: { ...noLimits, scriptComplexity: 6 }, usage });
    expect(violationOf(() => full.add(first))).toEqual({
      code: "blockLimitExceeded",
      limit: "complexity of all scripts",
      allowed: 6n,
      got: 7n,
    });
  });
});

test("two fifths of a fee are the generator's, and the rest waits for the next one", () => {
  const run = runWith();
  for (const transfer of [first, second]) run.add(transfer);
  expect([run.totalFee, run.carryFee]).toEqual([200_000n, 120_000n]);
  const shares = run.included.map(({ snapshot }) =>
    snapshot.balances?.find(({ address }) => equalBytes(address, generator)),
  );
  expect(shares.map((share) => share?.balance)).toEqual([40_000n, 80_000n]);
});

test("the list of accounts leaves the generator out, which has only its share", () => {
  const run = runWith();
  run.add(first);
  expect(run.included[0]?.addresses).toEqual([sender, recipient]);
});

test("the record of a call is stored with it, and no record without a call", () => {
  const script = compiled(6, callable('[IntegerEntry("k", 1)]'));
  const overlay = new OverlayView(world({ dApp: script }), { height: 101 });
  const run = runWith({ overlay, verifySignatures: false, blockTimestamp: now, previousBlockTimestamp: now });
  const call = sample(TransactionType.InvokeScript, {
    ...{ version: 2, dApp: to(dApp.address), call: { function: "call", args: [] }, payments: [], fee: waves },
  });
  run.add(call);
  const result = expect.objectContaining({ data: [{ key: "k", value: { type: "integer", value: 1n } }] });
  expect(run.included[0]?.callRecord).toEqual({ result, ethereumCall: undefined });
  const other = runWith();
  other.add(first);
  expect(other.included[0]?.callRecord).toBeUndefined();
  // Its type may call, but this one does not.
  run.add(sample(TransactionType.Ethereum, { id: transactionId(201) }));
  expect(run.included[1]?.callRecord).toBeUndefined();
});

test("each transaction sees the state after those before it, its own id among them", () => {
  const run = runWith();
  run.add(first);
  expect(violationOf(() => run.add(first))).toMatchObject({ code: "alreadyInState" });
});

test("sizes count in protobuf from the block before feature 15 on, whatever form the block has", () => {
  const features = new Map([
    [Feature.SmartAccounts as number, 0],
    [Feature.BlockV5, 150],
  ]);
  const transfer = signedTransfer({ timestamp, version: 2 });
  const sizeAt = (height: number, blockVersion: number): number => {
    const state = new InMemoryState({ features, height: height - 1 }).withBalance(sender, 1_000_000n);
    const run = runWith({ overlay: new OverlayView(state, { height }), blockVersion });
    run.add(transfer);
    return run.usage.sizeBytes;
  };
  const [own, protobuf] = [transfer.bytes.length, encodeProtobuf(transfer).length];
  expect(own).not.toBe(protobuf);
  expect([sizeAt(148, 4), sizeAt(149, 4), sizeAt(150, 5)]).toEqual([own, protobuf, protobuf]);
});

test("signatures are verified as the run says, or as its caller says of one transaction", () => {
  const forged = { ...first, proofs: second.proofs };
  expect(violationOf(() => runWith().add(forged))).toMatchObject({ code: "proofInvalid" });
  expect(violationOf(() => runWith().add(forged, true))).toMatchObject({ code: "proofInvalid" });
  expect(violationOf(() => runWith({ verifySignatures: false }).add(forged, true))).toMatchObject({
    code: "proofInvalid",
  });
  for (const run of [runWith({ verifySignatures: false }), runWith()]) {
    run.add(forged, false);
    expect(run.included.length).toBe(1);
  }
});

describe("a transaction that is elided", () => {
  test("changes nothing, pays no fee, uses none of the limits, and takes its id", () => {
    const run = runWith({ limits: { ...noLimits, transactions: 1 } });
    run.include(run.elided(first));
    run.add(second);
    expect(run.included[0]).toEqual({
      ...{ transaction: first, status: "elided", snapshot: {}, spentComplexity: 0n, callRecord: undefined },
      ...{ bytes: encodeProtobuf(first), addresses: [sender, recipient] },
    });
    expect(run).toMatchObject({ usage: { transactions: 1, sizeBytes }, totalFee: 100_000n, carryFee: 60_000n });
    expect(violationOf(() => run.execute(first))).toMatchObject({ code: "alreadyInState" });
  });

  test("adds its id with its status to the state hash", () => {
    const run = runWith();
    run.include(run.elided(first));
    const asSnapshot = runWith();
    asSnapshot.addSnapshot(first, { snapshot: {}, status: "elided" });
    expect(run.stateHash).toEqual(asSnapshot.stateHash);
    expect(run.stateHash).not.toEqual(initialStateHash);
  });
});

describe("a transaction that is included with its snapshot", () => {
  const applied = once(() => {
    const run = runWith();
    run.add(first);
    return { run, placed: run.included[0] as IncludedTransaction };
  });

  test("has the effects of its execution", () => {
    const { run: own, placed } = applied();
    const run = runWith();
    run.addSnapshot(first, { snapshot: placed.snapshot, status: "succeeded" });
    expect(run.included).toEqual([{ ...placed, callRecord: undefined }]);
    const { stateHash, carryFee, totalFee, usage } = own;
    expect(run).toMatchObject({ stateHash, carryFee, totalFee, usage });
  });

  test("lists its generator among its accounts if it received more than its share", () => {
    const addressesWith = (balance: bigint) => {
      const run = runWith();
      const balances = [{ address: generator, asset: null, balance }];
      run.addSnapshot(first, { snapshot: { balances }, status: "succeeded" });
      return run.included[0]?.addresses;
    };
    expect(addressesWith(40_000n)).toEqual([]);
    expect(addressesWith(40_001n)).toEqual([generator]);
    expect(addressesWith(39_999n)).toEqual([generator]);
  });

  test("lists its generator among its accounts if it received an asset, equal to the share of the fee", () => {
    const run = runWith();
    const asset = new Uint8Array(32).fill(7) as AssetId;
    const balances = [{ address: generator, asset, balance: 40_000n }];
    run.addSnapshot(first, { snapshot: { balances }, status: "succeeded" });
    expect(run.included[0]?.addresses).toEqual([generator]);
  });

  test("distinguishes the share of a fee in an asset from WAVES, before sponsorship", () => {
    const fee = { feeAsset: new Uint8Array(32).fill(7) as AssetId, fee: 100_000n };
    const state = new InMemoryState({ features: new Map([[Feature.Ng as number, 1]]), height: 99 });
    const addressesWith = (asset: Asset) => {
      const run = runWith({ overlay: new OverlayView(state, { height: 100 }) });
      const balances = [{ address: generator, asset, balance: 40_000n }];
      run.addSnapshot({ ...first, ...fee }, { snapshot: { balances }, status: "succeeded" });
      return run.included[0]?.addresses;
    };
    expect(addressesWith(fee.feeAsset.slice() as AssetId)).toEqual([]);
    expect(addressesWith(new Uint8Array(32).fill(8) as AssetId)).toEqual([generator]);
    expect(addressesWith(null)).toEqual([generator]);
  });

  test("pays no fee if it is elided, and counts for the limits all the same", () => {
    const run = runWith();
    run.addSnapshot(first, { snapshot: {}, status: "elided" });
    expect([run.totalFee, run.carryFee]).toEqual([0n, 0n]);
    expect(run.usage).toMatchObject({ transactions: 1, sizeBytes });
    expect(run.included[0]).toMatchObject({ status: "elided", addresses: [sender, recipient] });
  });

  test("costs its scripts' complexity as its caller knows it, without a limit", () => {
    const run = runWith({ limits: { ...noLimits, transactions: 0, scriptComplexity: 1 } });
    run.addSnapshot(first, { snapshot: applied().placed.snapshot, status: "succeeded" }, 5n);
    expect(run.usage.scriptComplexity).toBe(5n);
    expect(run.included[0]?.spentComplexity).toBe(5n);
    run.addSnapshot(second, { snapshot: {}, status: "failed" });
    expect(run.included[1]).toMatchObject({ spentComplexity: 0n, status: "failed" });
  });

  test("changes the state hash by its changes and by its status", () => {
    const hashOf = (snapshot: Snapshot, status: "succeeded" | "failed" | "elided"): Digest => {
      const run = runWith();
      run.addSnapshot(first, { snapshot, status });
      return run.stateHash;
    };
    const { placed } = applied();
    const hashes = [hashOf(placed.snapshot, "succeeded"), hashOf(placed.snapshot, "failed"), hashOf({}, "elided")];
    expect(new Set(hashes.map((hash) => hash.join())).size).toBe(3);
  });
});
