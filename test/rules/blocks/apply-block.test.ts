/** Block with all its changes, computed from its parent's state: its inputs, its violations, and its result. */
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, Digest, Signature } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { ChallengedHeader } from "../../../src/protocol/blocks/block.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { initialStateHash } from "../../../src/protocol/snapshots/state-hash.ts";
import type { Transaction, TransactionStatus } from "../../../src/protocol/transactions/transaction.ts";
import {
  addTransactions,
  applyBlock,
  applyGenesis,
  includerOf,
  isNgActive,
  openBlock,
  rewardAfter,
  verifyStateHash,
} from "../../../src/rules/blocks/apply-block.ts";
import { BlockRun, noUsage } from "../../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../../src/rules/consensus/block-limits.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { blockAfter, chainOfThree, networkOf, once } from "../../support/builders/next-block.ts";
import { violationOf } from "../../support/builders/sample-transactions.ts";
import { poorKey, richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const viewOfThree = once(() => chainOfThree().chain.view);
/** Timestamp of the transactions, and of a block before them. */
const timestamp = privateNetwork.blockchain.genesis.blockTimestampMs + 60_000n;
const parent = { carryFee: 0n, transactions: () => [] };
const applying = includerOf({ verifySignatures: true });
const eliding = includerOf({ verifySignatures: true }, true);
const transfers = [1n, 2n].map((amount) => signedTransfer({ timestamp, amount }));
const hitSource = new Uint8Array(32).fill(9);

/** Transfers that a view before feature 15 accepts. */
const transfersOf = (view: StateView, count: number) =>
  Array.from({ length: count }, (_, index) =>
    signedTransfer({ timestamp: headerAt(view, 3).header.timestamp, version: 2, amount: BigInt(index + 1) }),
  );

function runOf(transactionLimit?: number): BlockRun {
  return new BlockRun({
    overlay: new OverlayView(viewOfThree(), { height: 4 }),
    blockVersion: 5,
    generator: new Uint8Array(26) as Address,
    blockTimestamp: timestamp,
    previousBlockTimestamp: timestamp,
    limits: { ...noLimits, transactions: transactionLimit },
    usage: noUsage,
    stateHash: initialStateHash,
    verifySignatures: true,
  });
}

describe("the transactions of a block", () => {
  test("are included in their order, each with its number", () => {
    const numbers: [bigint, number][] = [];
    addTransactions(runOf(), transfers, (_, transaction, index) => {
      numbers.push([(transaction as (typeof transfers)[0]).amount, index]);
    });
    expect(numbers).toEqual([
      [1n, 0],
      [2n, 1],
    ]);
  });

  test("are named if one breaks a rule, with its own violation as the cause", () => {
    const forged = { ...transfers[1], proofs: [new Uint8Array(64)] } as (typeof transfers)[0];
    let error: unknown;
    try {
      addTransactions(runOf(), [transfers[0] as typeof forged, forged], applying);
    } catch (thrown) {
      error = thrown;
    }
    const { violation, cause } = error as RuleError;
    expect(violation).toMatchObject({ code: "transactionInBlockInvalid", transactionId: encodeBase58(forged.id) });
    expect((violation as { reason: string }).reason).toMatch("Proof doesn't validate");
    expect((cause as RuleError).violation.code).toBe("proofInvalid");
  });

  test("are more than fits: that is a violation of the block, not of one of them", () => {
    expect(violationOf(() => addTransactions(runOf(1), transfers, applying))).toMatchObject({
      code: "blockLimitExceeded",
    });
  });

  test("are not blamed for an internal error", () => {
    const broken = () => {
      throw new TypeError("broken");
    };
    expect(() => addTransactions(runOf(), transfers, broken)).toThrow(new TypeError("broken"));
  });
});

describe("a block in progress", () => {
  test("knows its own height, hit source and reward, and its header if it is known", () => {
    const view = viewOfThree();
    const signed = blockAfter(view);
    const options = { verifySignatures: true };
    const miners = openBlock(view, signed.header, hitSource, [], parent, options).overlay;
    const received = openBlock(view, signed.header, hitSource, [], parent, { ...options, signed }).overlay;
    for (const overlay of [miners, received]) {
      expect(overlay.height).toBe(4);
      expect(overlay.findHitSource(4)).toEqual(hitSource);
      expect(overlay.blockReward(4)).toBe(rewardAfter(view));
    }
    // Expensive work is refused to own blocks alone: a received one must be computed.
    expect([miners.mayRefuseWork, received.mayRefuseWork]).toEqual([true, false]);
    expect(received.findHeader(4)).toEqual(signed);
    expect(miners.findHeader(4)).toBeUndefined();
  });

  test("has the limits of received blocks, or the stricter ones of own blocks", () => {
    const settings = networkOf(Feature.BlockReward);
    const later = new Map(settings.functionality.preActivatedFeatures);
    later.set(Feature.Ride4DApps, 3);
    const functionality = { ...settings.functionality, preActivatedFeatures: later };
    const at = chainOfThree({ ...settings, functionality }).chain.view;
    const signed = blockAfter(at);
    const limitOf = (options: Parameters<typeof openBlock>[5]) =>
      openBlock(at, signed.header, hitSource, [], parent, options).run.limits.scriptComplexity;
    expect(limitOf({ verifySignatures: true, signed })).toBeUndefined();
    expect(limitOf({ verifySignatures: true })).toBe(1_000_000);
  });

  test("verifies signatures as its caller says", () => {
    const view = viewOfThree();
    const forged = { ...transfers[0], proofs: [new Uint8Array(64)] } as (typeof transfers)[0];
    const open = (verifySignatures: boolean) =>
      openBlock(view, blockAfter(view).header, hitSource, [], parent, { verifySignatures }).run;
    expect(violationOf(() => open(true).add(forged))).toMatchObject({ code: "proofInvalid" });
    open(false).add(forged);
  });

  test("knows the block before it, which bounds how old a transaction may be", () => {
    const view = viewOfThree();
    const { maxTransactionTimeBackOffsetMs } = view.settings.functionality;
    const open = () => openBlock(view, blockAfter(view).header, hitSource, [], parent, { verifySignatures: true }).run;
    const parentTimestamp = headerAt(view, 3).header.timestamp;
    const oldest = parentTimestamp - maxTransactionTimeBackOffsetMs;
    open().add(signedTransfer({ timestamp: oldest }));
    const violation = violationOf(() => open().add(signedTransfer({ timestamp: oldest - 1n })));
    expect(violation).toMatchObject({ code: "timestampFromPast", previousBlockTimestamp: parentTimestamp });
  });
});

describe("a block that is applied", () => {
  const openedHash = () => {
    const view = viewOfThree();
    const { run } = openBlock(view, blockAfter(view).header, hitSource, transfers, parent, { verifySignatures: true });
    addTransactions(run, transfers, applying);
    return run.stateHash;
  };

  test("has its transactions, fees and reward, and is refused with another state hash than its own, or with none", () => {
    const view = viewOfThree();
    const stateHash = openedHash();
    const apply = (hash: Digest | undefined) => () =>
      applyBlock(view, blockAfter(view, { transactions: transfers, stateHash: hash }), hitSource, parent, {
        verifySignatures: true,
      });
    const applied = apply(stateHash)();
    expect(applied).toMatchObject({ carryFee: 120_000n, totalFee: 200_000n, stateHash, reward: rewardAfter(view) });
    expect(applied.included.map(({ transaction }) => transaction)).toEqual(transfers);
    expect(applied.usage.transactions).toBe(2);
    expect(applied.rewardShares).toEqual([{ address: applied.generator, amount: (applied.reward as bigint) * 10n }]);
    const expected = encodeBase58(stateHash);
    const wrong = new Uint8Array(32) as Digest;
    expect(violationOf(apply(wrong))).toEqual({ code: "stateHashWrong", expected, got: encodeBase58(wrong) });
    expect(violationOf(apply(undefined))).toEqual({ code: "stateHashWrong", expected, got: undefined });
  });
});

describe("a block that challenges another one", () => {
  const view = viewOfThree;
  /** Unsigned header: the original's header is not checked here. */
  const challengedHeader: ChallengedHeader = {
    ...{ timestamp, baseTarget: 1n, generationSignature: new Uint8Array(96), generator: richKey.publicKey },
    ...{ featureVotes: [], rewardVote: -1n, stateHash: undefined, finalizationVoting: undefined },
    headerSignature: new Uint8Array(64) as Signature,
  };

  /** Statuses of the transactions in a challenging block, which has the resulting state hash. */
  function statusesOf(transactions: readonly Transaction[], at = view()): readonly TransactionStatus[] {
    const header = blockAfter(at, { transactions, challengedHeader });
    const { run } = openBlock(at, header.header, hitSource, transactions, parent, {
      verifySignatures: true,
      signed: header,
    });
    addTransactions(run, transactions, eliding);
    const block = blockAfter(at, { transactions, challengedHeader, stateHash: run.stateHash });
    const applied = applyBlock(at, block, hitSource, parent, { verifySignatures: true });
    expect(applied.stateHash).toEqual(run.stateHash);
    return applied.included.map(({ status }) => status);
  }

  const [paid] = transfers as [Transaction];
  const fromPoor = (amount: bigint) => signedTransfer({ key: poorKey, to: richKey, timestamp, amount });

  test("elides transactions that cannot pay there, and those that depend on them", () => {
    const grant = signedTransfer({ timestamp, amount: 10_000_000n });
    expect(statusesOf([fromPoor(5_000_000n), grant, fromPoor(4_000_000n), fromPoor(9_000_000n), paid])).toEqual([
      "elided",
      "succeeded",
      "succeeded",
      "elided",
      "succeeded",
    ]);
  });

  test("elides transactions that break any other rule: a signature, an id that is taken, a timestamp", () => {
    const forged = { ...transfers[1], proofs: [new Uint8Array(64)] } as Transaction;
    expect(statusesOf([forged, paid])).toEqual(["elided", "succeeded"]);
    const early = signedTransfer({ timestamp: timestamp + 1_000_000_000n });
    expect(statusesOf([early, paid])).toEqual(["elided", "succeeded"]);
  });

  test("elides transactions that do not fit into a block, and goes on with those that fit", () => {
    const limited = runOf(1);
    addTransactions(limited, transfers, eliding);
    expect(limited.included.map(({ status }) => status)).toEqual(["succeeded", "elided"]);
  });

  test("gives no share of an elided transaction's fee to any account", () => {
    const transactions = [fromPoor(5_000_000n)];
    const { run } = openBlock(view(), blockAfter(view()).header, hitSource, transactions, parent, {
      verifySignatures: true,
    });
    addTransactions(run, transactions, eliding);
    expect(run).toMatchObject({ totalFee: 0n, carryFee: 0n });
    expect(run.included[0]?.snapshot).toEqual({});
  });

  test.each([{ code: "feeConversionOverflow" }, { code: "callDataUnreadable", message: "" }] as const)(
    "is refused for $code, which is no verdict in the reference",
    (thrown) => {
      const violation = new RuleError(thrown);
      const priceless = Object.assign(runOf(), {
        execute: () => {
          throw violation;
        },
      });
      expect(() => eliding(priceless, paid, 0)).toThrow(violation);
    },
  );

  test("throws internal errors", () => {
    const broken = Object.assign(runOf(), {
      execute: () => {
        throw new TypeError("broken");
      },
    });
    expect(() => eliding(broken, paid, 0)).toThrow(new TypeError("broken"));
  });

  test("is refused with another state hash than its own", () => {
    const block = blockAfter(view(), { transactions: transfers, challengedHeader, stateHash: initialStateHash });
    const apply = () => applyBlock(view(), block, hitSource, parent, { verifySignatures: true });
    expect(violationOf(apply)).toMatchObject({ code: "stateHashWrong" });
  });

  test("verifies the signatures that were not verified yet", () => {
    const forged = transfers.map((transfer) => ({ ...transfer, proofs: [new Uint8Array(64)] }));
    const run = runOf();
    addTransactions(run, forged, includerOf({ verifySignatures: true, isVerified: (index) => index === 1 }, true));
    expect(run.included.map(({ status }) => status)).toEqual(["elided", "succeeded"]);
  });

  test("stores the given effects with its transactions", () => {
    const block = blockAfter(view(), { transactions: transfers, challengedHeader });
    const given: Transaction[] = [];
    const include = (_: BlockRun, transaction: Transaction) => void given.push(transaction);
    const apply = () => applyBlock(view(), block, hitSource, parent, { verifySignatures: true, include });
    expect(violationOf(apply)).toMatchObject({ code: "stateHashWrong" });
    expect(given).toEqual(transfers);
  });
});

test("a received block has the limits of received blocks, and its signatures are verified as the caller says", () => {
  const settings = networkOf(Feature.BlockReward);
  const features = new Map(settings.functionality.preActivatedFeatures);
  features.delete(Feature.MassTransfer);
  const { view: at } = chainOfThree({
    ...settings,
    functionality: { ...settings.functionality, preActivatedFeatures: features },
  }).chain;
  const old = transfersOf(at, 2);
  const forged = { ...old[0], proofs: old[1]?.proofs } as Transaction;
  const block = blockAfter(at, { transactions: [forged] });
  const apply = (verifySignatures: boolean) => () => applyBlock(at, block, hitSource, parent, { verifySignatures });
  expect(violationOf(apply(true))).toMatchObject({ code: "transactionInBlockInvalid" });
  const applied = apply(false)();
  expect(applied.included.length).toBe(1);
  // Scripts may read the header of their own block.
  expect(applied.overlay.findHeader(4)).toEqual(block);
});

test("the genesis block lists its reward if feature 14 is active from the start and feature 18 is not", () => {
  const sharesIn = (settings: BlockchainSettings) =>
    applyGenesis(
      new InMemoryState({ settings, height: 0, features: settings.functionality.preActivatedFeatures }),
      genesisBlock(settings),
    );
  const { initial } = privateNetwork.blockchain.rewards;
  const rewarded = sharesIn(networkOf(Feature.SynchronousCalls));
  expect(rewarded.rewardShares).toEqual([{ address: rewarded.generator, amount: initial }]);
  expect(sharesIn(privateNetwork.blockchain).rewardShares).toEqual([]);
});

test("a state hash is checked from the height at which headers have one", () => {
  const functionality = { lightNodeBlockFieldsAbsenceInterval: 5 };
  const state = new InMemoryState({ features: new Map([[Feature.LightNode as number, 10]]), functionality });
  const hash = new Uint8Array(32) as Digest;
  verifyStateHash(undefined, hash, state, 14);
  expect(violationOf(() => verifyStateHash(undefined, hash, state, 15))).toMatchObject({ code: "stateHashWrong" });
  verifyStateHash(hash, hash, state, 15);
});

test("micro-blocks follow once feature 2 is in force at the tip", () => {
  const features = new Map([[Feature.Ng as number, 10]]);
  const activeAt = (height: number) => isNgActive(new InMemoryState({ features, height }));
  expect([9, 10].map(activeAt)).toEqual([false, true]);
});

test("the reward after the tip is voted on where a term ends", () => {
  const { rewards } = privateNetwork.blockchain;
  const voted = (vote: bigint) => {
    const state = new InMemoryState({ settings: privateNetwork.blockchain, height: 6, features: new Map([[14, 1]]) });
    const readHeights: number[] = [];
    const at = Object.assign(new OverlayView(state, { height: 6, reward: rewards.initial }), {
      rewardVote: (height: number) => {
        readHeights.push(height);
        return vote;
      },
    });
    return { reward: rewardAfter(at), asked: readHeights };
  };
  expect(voted(rewards.initial + 1n)).toEqual({ reward: rewards.initial + rewards.minIncrement, asked: [4, 5, 6] });
  expect(voted(-1n).reward).toBe(rewards.initial);
});
