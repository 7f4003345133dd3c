/**
 * Blocks and micro-blocks applied by their snapshots. The scenarios are those of the reference (LightNodeTest.scala),
 * and invalid snapshots.
 */
import { describe, expect, test } from "vitest";
import { withSnapshots } from "../../../durable/chain-state/chain/append-context.ts";
import { ServedBlocks } from "../../../durable/chain-state/chain/served-blocks.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { parseBlockSnapshot } from "../../../src/protocol/messages/block-snapshot.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import {
  encodeTransactionSnapshot,
  parseTransactionSnapshot,
} from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type {
  Alias,
  LeaseId,
  Script,
  Transaction,
  TransactionId,
  TransactionStatus,
} from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { includeBySnapshots } from "../../../src/rules/blocks/include-by-snapshots.ts";
import { maxSnapshotBytes } from "../../../src/rules/blocks/verify-snapshot.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { BlockForger } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { networkOf } from "../../support/builders/next-block.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { richKey, signedTransfer, walletKey } from "../../support/builders/signed-transfer.ts";
import { treeScript } from "../../support/builders/test-scripts.ts";

const blockForger = new BlockForger(secureRandomBytes);
const waves = 100_000_000n;
const [challenger, challenged, recipient] = [walletKey(1), walletKey(2), walletKey(4)];
const { chainId } = privateNetwork.blockchain;
const addressOf = ({ publicKey }: KeyPair) => addressOfPublicKey(publicKey, chainId);
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
/** All tables except data that only a full node has, and the outbox. */
const tables = [...stateTables.map(({ name }) => name), "undo"];

const blockchain = networkOf(Feature.BoostBlockReward, [
  { key: challenger, amount: 10_000_000n * waves },
  { key: challenged, amount: 40_000_000n * waves },
]);
const lightSettings = { ...privateNetwork.node, isLight: true, storeSnapshots: false };

/** Node at height 3, late enough for every account to be allowed to forge. */
function nodeAtThree(node = privateNetwork.node): SimulatedNode {
  const made = new SimulatedNode({ blockchain, startMs, node: { ...privateNetwork.node } });
  made.mineTo(3);
  const opened = new SimulatedNode({ blockchain, startMs, node });
  opened.nowMs = Number(headerAt(made.chain.view, 3).header.timestamp) + 1_000_000_000;
  for (const height of [2, 3]) opened.append(made.chain.stored.findBlock(height) as Block);
  return opened;
}

const transfersAt = ({ chain }: SimulatedNode, ...amounts: readonly bigint[]) =>
  amounts.map((amount, index) =>
    signedTransfer({
      key: richKey,
      to: recipient,
      timestamp: chain.stored.tip().timestamp + BigInt(index),
      amount: amount * waves,
    }),
  );

function violationOf(run: () => unknown): RuleError["violation"] | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

/** State snapshots of the block's transactions by the rules, on the node's tip. */
function snapshotsOf(node: SimulatedNode, block: Block): readonly Uint8Array[] {
  const { height } = node;
  node.append(block);
  const served = new ServedBlocks(node.chain.stored, node.node.store).findSnapshot(block.id);
  node.node.rollBack(height, { isForced: true });
  if (served === undefined) throw new Error("a node keeps the snapshots of its tip");
  return parseBlockSnapshot(served).snapshots;
}

/** Appends a block by snapshots. */
function appendBy({ node, nowMs }: SimulatedNode, block: Block, snapshots: readonly Uint8Array[]): boolean {
  const context = { nowMs, verifySignatures: true };
  return node.append(block, withSnapshots(context, block, encodeSnapshotRecord(snapshots)));
}

describe("a light node", () => {
  test("does not apply a block whose state hash is not that of its snapshots (NODE-1148)", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const transactions = transfersAt(full, 10n, 100n);
    const valid = blockForger.valid(full.chain, { key: challenger, transactions });
    const snapshots = snapshotsOf(full, valid);
    const wrong = blockForger.wrong(full.chain, { key: challenger, transactions });
    const before = light.database.dump(tables);
    expect(violationOf(() => appendBy(light, wrong, snapshots))).toEqual({
      code: "stateHashWrong",
      got: encodeBase58(wrong.header.stateHash as Uint8Array),
      expected: encodeBase58(valid.header.stateHash as Uint8Array),
    });
    expect(light.database.dump(tables)).toBe(before);
    expect(appendBy(light, valid, snapshots)).toBe(true);
    expect(light.chain.stored.tip().id).toEqual(valid.id);
  });

  test("applies a block with other effects than the rules give, if header and snapshots agree (NODE-1149)", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const valid = blockForger.valid(full.chain, { key: challenger, transactions: transfersAt(full, 10n, 100n) });
    const { stateHash } = valid.header;
    const other = blockForger.valid(full.chain, {
      key: challenger,
      transactions: transfersAt(full, 20n, 200n),
      stateHash,
    });
    expect(appendBy(light, other, snapshotsOf(full, valid))).toBe(true);
    expect(light.chain.stored.tip()).toMatchObject({ id: other.id, stateHash });
    expect(violationOf(() => full.append(other))?.code).toBe("stateHashWrong");
  });

  test("executes nothing of a block with snapshots: signatures and balances are not checked", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const [transfer] = transfersAt(full, 10n);
    const unsigned = { ...transfer, proofs: [new Uint8Array(64)] } as Transaction;
    const valid = blockForger.valid(full.chain, { key: challenger, transactions: [transfer as Transaction] });
    const { stateHash } = valid.header;
    const forged = blockForger.valid(full.chain, { key: challenger, transactions: [unsigned], stateHash });
    expect(violationOf(() => full.append(forged))?.code).toBe("transactionInBlockInvalid");
    expect(appendBy(light, forged, snapshotsOf(full, valid))).toBe(true);
  });

  test("stores the snapshots of blocks that leave the chain, and applies them again by these (NODE-1143)", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const blocks: Block[] = [];
    for (let count = 0; count < 10; count++) {
      const transactions = transfersAt(full, BigInt(count + 1), BigInt(count + 2));
      const block = blockForger.valid(full.chain, {
        key: [challenger, challenged][count % 2] as KeyPair,
        transactions,
      });
      const snapshots = snapshotsOf(full, block);
      full.append(block);
      appendBy(light, block, snapshots);
      blocks.push(block);
    }
    const tip = light.chain.stored.tip();
    const before = light.database.dump(["account", "tx"]);
    light.node.rollBack(3, {});
    expect(light.height).toBe(3);
    expect(light.node.store.rows("SELECT COUNT(*) FROM branch_block WHERE snapshots IS NOT NULL")).toEqual([[10]]);
    // The last block makes the branch known; the others are stored, and are not executed.
    const last = blocks.at(-1) as Block;
    const [proved] = light.node.store.rows("SELECT snapshots FROM branch_block WHERE height = 13");
    const record = new Uint8Array(proved?.[0] as ArrayBuffer);
    const context = withSnapshots({ nowMs: light.nowMs, verifySignatures: true }, last, record);
    expect(light.node.append(last, context)).toBe(true);
    expect(light.chain.stored.tip()).toEqual(tip);
    expect(light.database.dump(["account", "tx"])).toBe(before);
    full.node.rollBack(3, {});
    expect(full.node.store.rows("SELECT COUNT(*) FROM branch_block WHERE snapshots IS NOT NULL")).toEqual([[0]]);
  });

  test("switches to the better branch, as a full node does (NODE-1165, NODE-1166)", () => {
    const maker = nodeAtThree();
    const better: { block: Block; snapshots: readonly Uint8Array[] }[] = [];
    for (let count = 0; count < 3; count++) {
      const transactions = transfersAt(maker, BigInt(count + 10), BigInt(count + 11));
      const block = blockForger.valid(maker.chain, { key: challenged, transactions });
      better.push({ block, snapshots: snapshotsOf(maker, block) });
      maker.append(block);
    }
    const tips = [privateNetwork.node, lightSettings].map((settings) => {
      const node = nodeAtThree(settings);
      const other = nodeAtThree();
      for (let count = 0; count < 2; count++) {
        const transactions = transfersAt(other, BigInt(count + 1), BigInt(count + 2));
        const block = blockForger.valid(other.chain, { key: challenger, transactions });
        const snapshots = snapshotsOf(other, block);
        other.append(block);
        if (settings.isLight) appendBy(node, block, snapshots);
        else node.append(block);
      }
      const context = { nowMs: maker.nowMs, verifySignatures: true };
      const isNew = node.node.appendBranchStream({
        heads: () => better.map(({ block }) => block),
        blocks: (passedOver) =>
          better.slice(passedOver).map(({ block, snapshots }) => ({
            block,
            context: settings.isLight ? withSnapshots(context, block, encodeSnapshotRecord(snapshots)) : context,
          })),
      });
      expect(isNew).toBe(true);
      return node.chain.stored.tip();
    });
    expect(tips[0]).toEqual(maker.chain.stored.tip());
    expect(tips[1]).toEqual(tips[0]);
  });

  test("applies a challenging block, whose elided transactions its snapshots name (NODE-1168)", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const [first, second] = transfersAt(full, 1n, 2n) as [Transaction, Transaction];
    // From the account's balance, and from the reward that only the original block pays it.
    const unpayable = signedTransfer({
      key: challenged,
      to: richKey,
      timestamp: full.chain.stored.tip().timestamp,
      amount: full.chain.view.balance(addressOf(challenged), null),
    });
    const original = blockForger.wrong(full.chain, { key: challenged, transactions: [first, unpayable, second] });
    const challenging = blockForger.challenging(full.chain, original, { key: challenger });
    const snapshots = snapshotsOf(full, challenging);
    expect(appendBy(light, challenging, snapshots)).toBe(true);
    full.append(challenging);
    expect(light.chain.stored.tip()).toEqual(full.chain.stored.tip());
    expect(light.chain.view.findTransaction(unpayable.id)?.status).toBe("elided");
    expect(light.chain.view.balance(addressOf(recipient), null)).toBe(
      full.chain.view.balance(addressOf(recipient), null),
    );
  });

  test("applies a data transaction that has no entries", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const unsigned = buildTransaction({
      ...{ type: TransactionType.Data, version: 2, chainId, sender: richKey.publicKey, feeAsset: null, fee: 100_000n },
      ...{ timestamp: full.chain.stored.tip().timestamp, data: [], proofs: [] },
    });
    const transactions = [signedBy(richKey, unsigned)];
    const block = blockForger.valid(full.chain, { key: challenger, transactions });
    expect(appendBy(light, block, snapshotsOf(full, block))).toBe(true);
    full.append(block);
    for (const { chain } of [full, light]) expect(chain.view.hasStoredData(addressOf(richKey))).toBe(false);
    expect(light.chain.stored.tip()).toEqual(full.chain.stored.tip());
  });

  test("executes the original of a challenging block, for which there are no snapshots", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const right = blockForger.valid(full.chain, { key: challenged });
    const unfounded = blockForger.challenging(full.chain, right, { key: challenger });
    expect(violationOf(() => appendBy(light, unfounded, []))?.code).toBe("challengeInvalid");
    const wrong = blockForger.challenging(full.chain, blockForger.wrong(full.chain, { key: challenged }), {
      key: challenger,
    });
    expect(appendBy(light, wrong, [])).toBe(true);
  });

  test("extends its tip by a micro-block with its snapshots, and by no other", () => {
    const maker = nodeAtThree();
    const light = nodeAtThree(lightSettings);
    maker.step();
    const keyBlock = maker.keyBlocks.at(-1) as Block;
    light.node.append(keyBlock);
    maker.nowMs = Number(keyBlock.header.timestamp);
    for (const transfer of transfersAt(maker, 3n, 4n)) maker.broadcast(transfer);
    while (maker.pool.size > 0) maker.step();
    const { microBlock } = maker.microBlocks.at(-1) as { microBlock: MicroBlock };
    const served = new ServedBlocks(maker.chain.stored, maker.node.store).findMicroBlockSnapshot(
      microBlock.totalBlockId,
    );
    const { snapshots } = parseBlockSnapshot(served as Uint8Array);
    const wrong = snapshots.map((bytes, index) =>
      index === 0 ? changed(bytes, microBlock.transactions[0] as Transaction, withMore) : bytes,
    );
    const append = (sent: readonly Uint8Array[]) =>
      light.node.appendMicroBlock(microBlock, { include: includeBySnapshots(sent, microBlock) });
    expect(violationOf(() => append(wrong))?.code).toBe("stateHashWrong");
    expect(violationOf(() => append(snapshots.slice(1)))?.code).toBe("snapshotCountWrong");
    append(snapshots);
    expect(light.chain.stored.tip()).toEqual(maker.chain.stored.tip());
  });

  test("serves the snapshots that it was given", () => {
    const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
    const block = blockForger.valid(full.chain, { key: challenger, transactions: transfersAt(full, 10n, 100n) });
    const snapshots = snapshotsOf(full, block);
    appendBy(light, block, snapshots);
    const served = new ServedBlocks(light.chain.stored, light.node.store).findSnapshot(block.id);
    expect(parseBlockSnapshot(served as Uint8Array).snapshots).toEqual(snapshots);
  });

  test("serves all that another one needs, and gets it back from there after a rollback (NODE-1162, NODE-1156)", () => {
    const [full, light, other] = [nodeAtThree(), nodeAtThree(lightSettings), nodeAtThree(lightSettings)];
    for (const amount of [10n, 100n, 1_000n])
      full.append(
        blockForger.valid(full.chain, { key: challenger, transactions: transfersAt(full, amount, 2n * amount) }),
      );
    /** Blocks and snapshots as they are served. */
    const follow = (node: SimulatedNode, source: SimulatedNode): void => {
      const served = new ServedBlocks(source.chain.stored, source.node.store);
      for (const id of served.idsAfter([node.chain.stored.tip().id], 100).slice(1)) {
        const { snapshots } = parseBlockSnapshot(served.findSnapshot(id) as Uint8Array);
        appendBy(node, parseBlock(served.findBlock(id) as Uint8Array, chainId), snapshots);
      }
    };
    follow(light, full);
    follow(other, light);
    const after = light.database.dump(tables);
    expect(light.chain.stored.tip()).toEqual(full.chain.stored.tip());
    expect(other.database.dump(tables)).toBe(after);
    light.node.rollBack(3, { isForced: true });
    expect(light.height).toBe(3);
    follow(light, other);
    expect(light.database.dump(tables)).toBe(after);
  });
});

const withMore = ({ balances = [], ...rest }: Snapshot): Snapshot => ({
  ...rest,
  balances: balances.map((item, index) => (index === 0 ? { ...item, balance: item.balance + 1n } : item)),
});

function changed(
  bytes: Uint8Array,
  transaction: Transaction,
  change: (snapshot: Snapshot) => Snapshot,
  status?: TransactionStatus,
): Uint8Array {
  const whole = parseTransactionSnapshot(bytes, { transactionId: transaction.id, chainId });
  return encodeTransactionSnapshot({ snapshot: change(whole.snapshot), status: status ?? whole.status });
}

describe("a snapshot that no transaction can have", () => {
  const full = nodeAtThree();
  const light = nodeAtThree(lightSettings);
  const transactions = transfersAt(full, 10n, 100n);
  const block = blockForger.valid(full.chain, { key: challenger, transactions });
  const snapshots = snapshotsOf(full, block);
  const tables0 = light.database.dump(tables);
  const [first] = transactions as [Transaction];
  const [sent] = snapshots as [Uint8Array];
  const address = addressOf(richKey);
  const unknownAsset = new Uint8Array(32).fill(9) as Uint8Array as AssetId;
  const unknownLease = new Uint8Array(32).fill(8) as Uint8Array as LeaseId;
  const add = (more: Snapshot) => (snapshot: Snapshot) => ({ ...snapshot, ...more });
  const doubled = ({ balances = [] }: Snapshot): Snapshot => ({ balances: [...balances, ...balances.slice(0, 1)] });
  const ofType = "no transaction of its type that succeeds changes";

  test.each<readonly [string, (snapshot: Snapshot) => Snapshot, string, TransactionStatus]>([
    ["a negative balance", add({ balances: [{ address, asset: null, balance: -1n }] }), "a balance is -1", "succeeded"],
    [
      "a balance of no asset",
      add({ balances: [{ address, asset: unknownAsset, balance: 1n }] }),
      "there is no asset",
      "succeeded",
    ],
    ["two balances of one account", doubled, "something stands twice in balances", "succeeded"],
    ["data", add({ accountData: [{ address, entries: [] }] }), `${ofType} accountData`, "succeeded"],
    [
      "a lease that ends",
      add({ cancelledLeases: [{ leaseId: unknownLease, cancelTransactionId: undefined }] }),
      ofType,
      "succeeded",
    ],
    [
      "an alias",
      add({ aliases: [{ address, alias: { chainId, name: "abcd" } as Alias }] }),
      `${ofType} aliases`,
      "succeeded",
    ],
    [
      "a script",
      add({
        accountScripts: [
          { publicKey: richKey.publicKey, script: Uint8Array.of(1) as Uint8Array as Script, verifierComplexity: 1n },
        ],
      }),
      ofType,
      "succeeded",
    ],
    [
      "commitments",
      add({
        generationCommitments: [
          {
            sender: richKey.publicKey,
            endorserPublicKey: new Uint8Array(48),
            transactionId: new Uint8Array(32) as Uint8Array as TransactionId,
          },
        ],
      }),
      ofType,
      "succeeded",
    ],
    [
      "more than a failed one may do",
      add({ sponsorships: [{ assetId: unknownAsset, minSponsoredAssetFee: 1n }] }),
      "that fails changes sponsorships",
      "failed",
    ],
    [
      "changes of an elided transaction",
      (snapshot) => snapshot,
      "nothing is elided in a block that challenges none",
      "elided",
    ],
  ])("is refused: %s", (_, change, reason, status) => {
    const wrong = [changed(sent, first, change, status), ...snapshots.slice(1)];
    expect(violationOf(() => appendBy(light, block, wrong))).toEqual({
      code: "snapshotInvalid",
      transactionId: encodeBase58(first.id),
      reason: expect.stringContaining(reason),
    });
    expect(light.database.dump(tables)).toBe(tables0);
  });

  test.each([
    ["bytes that are none", Uint8Array.of(0xff, 0xff), "it cannot be read"],
    ["an address of another network", new Uint8Array(sent).fill(0x54, 5, 6), "it cannot be read"],
    ["more bytes than a row has room for", new Uint8Array(maxSnapshotBytes + 1), "at most expected"],
  ])("is refused: %s", (_, bytes, reason) => {
    expect(violationOf(() => appendBy(light, block, [bytes, ...snapshots.slice(1)]))).toMatchObject({
      code: "snapshotInvalid",
      reason: expect.stringContaining(reason),
    });
  });

  test.each([0, 1, 3])("is refused: %i of them for two transactions", (count) => {
    const wrong = [...snapshots, ...snapshots].slice(0, count);
    const violation = { code: "snapshotCountWrong", expected: 2, got: count };
    expect(violationOf(() => appendBy(light, block, wrong))).toEqual(violation);
  });

  test("is refused where the chain has its transaction already", () => {
    const node = nodeAtThree(lightSettings);
    const maker = nodeAtThree();
    appendBy(node, block, snapshots);
    maker.append(block);
    const empty = blockForger.valid(maker.chain, { key: challenged, transactions: [] });
    const { stateHash } = empty.header;
    const again = blockForger.valid(maker.chain, { key: challenged, transactions, stateHash });
    expect(violationOf(() => appendBy(node, again, snapshots))?.code).toBe("transactionInBlockInvalid");
  });
});

describe("an elided transaction that no block could have is refused", () => {
  const elided = encodeTransactionSnapshot({ snapshot: {}, status: "elided" });

  /** Block by two cooperating generators, with the state hash of its snapshots. */
  function elidingBlock(light: SimulatedNode, transactions: readonly Transaction[]): Block {
    const original = blockForger.wrong(light.chain, { key: challenged, transactions });
    const challenging = blockForger.challenging(light.chain, original, { key: challenger });
    const { run } = blockForger.opened(light.chain, { ...challenging.header, key: challenger });
    for (const transaction of transactions) run.addSnapshot(transaction, { snapshot: {}, status: "elided" });
    const { stateHash } = run;
    return blockForger.challenging(light.chain, original, { key: challenger, stateHash });
  }

  test.each(["of an earlier block", "twice in the block"])("%s", (where) => {
    const light = nodeAtThree(lightSettings);
    const [transfer] = transfersAt(light, 10n) as [Transaction];
    const isEarlier = where === "of an earlier block";
    if (isEarlier) light.append(blockForger.valid(light.chain, { key: challenger, transactions: [transfer] }));
    light.nowMs += 1_000_000_000;
    const before = light.database.dump(tables);
    const transactions = isEarlier ? [transfer] : [transfer, transfer];
    const block = elidingBlock(light, transactions);
    const violation = violationOf(() =>
      appendBy(
        light,
        block,
        transactions.map(() => elided),
      ),
    );
    expect(violation).toMatchObject({
      code: "transactionInBlockInvalid",
      reason: expect.stringContaining("already in the state"),
    });
    expect(light.database.dump(tables)).toBe(before);
  });
});

test.each(["asset", "account"] as const)("a script of an %s that its transaction does not have is not read", (of) => {
  const [full, light] = [nodeAtThree(), nodeAtThree(lightSettings)];
  const common = {
    version: 2,
    chainId,
    sender: richKey.publicKey,
    feeAsset: null,
    fee: waves,
    timestamp: full.chain.stored.tip().timestamp,
    script: treeScript({ kind: "constant", value: true }),
    proofs: [],
  } as const;
  const texts = { name: new TextEncoder().encode("asset"), description: new Uint8Array(0) };
  const terms = { quantity: 1n, decimals: 0, reissuable: false };
  const transaction = signedBy(
    richKey,
    of === "asset"
      ? buildTransaction({ ...common, ...texts, ...terms, type: TransactionType.Issue })
      : buildTransaction({ ...common, type: TransactionType.SetScript }),
  );
  const block = blockForger.valid(full.chain, { key: challenger, transactions: [transaction] });
  const [sent] = snapshotsOf(full, block) as [Uint8Array];
  const script = Uint8Array.of(6, 0) as Uint8Array as Script;
  const other = changed(sent, transaction, ({ assetScripts, accountScripts, ...rest }) => ({
    ...rest,
    ...(assetScripts && { assetScripts: assetScripts.map((item) => ({ ...item, script })) }),
    ...(accountScripts && { accountScripts: accountScripts.map((item) => ({ ...item, script })) }),
  }));
  expect(violationOf(() => appendBy(light, block, [other]))).toMatchObject({
    code: "snapshotInvalid",
    reason: "a script is another one than the transaction's",
  });
  expect(appendBy(light, block, [sent])).toBe(true);
});

test("a light node makes blocks only once headers have a state hash", () => {
  for (const isLight of [false, true]) {
    const functionality = { ...blockchain.functionality, lightNodeBlockFieldsAbsenceInterval: 3 };
    const settings = { ...blockchain, functionality };
    const maker = new SimulatedNode({ blockchain: settings, startMs });
    const node = new SimulatedNode({ blockchain: settings, startMs, node: { ...privateNetwork.node, isLight } });
    const heights = [];
    for (let height = 1; height < 6; height++) {
      node.nowMs = maker.nowMs;
      heights.push(node.miner.nextWakeMs(node.nowMs) !== undefined);
      maker.mineTo(height + 1);
      node.nowMs = maker.nowMs;
      node.append(maker.keyBlocks.at(-1) as Block);
    }
    expect(heights).toEqual(isLight ? [false, false, true, true, true] : [true, true, true, true, true]);
  }
});
