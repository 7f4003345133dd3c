/** Effects of the priority pool: its transactions count as applied, without running them again. */
import { beforeEach, expect, test, vi } from "vitest";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { utf8Bytes } from "../../../../src/protocol/codec/utf8.ts";
import { encodeTransactionSnapshot } from "../../../../src/protocol/snapshots/transaction-snapshot.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { discardedOf, withoutStateSnapshots } from "../../../support/builders/discarded.ts";
import { chainId, violationOf } from "../../../support/builders/sample-transactions.ts";
import { signedBy } from "../../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { assetScriptOf } from "../../../support/builders/test-scripts.ts";

vi.mock("../../../../src/rules/transactions/apply-transaction.ts", { spy: true });

const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);
const waves = 100_000_000n;
const applied = () => vi.mocked(applyTransaction).mock.calls.map(([transaction]) => transaction.id);

beforeEach(() => {
  vi.clearAllMocks();
});

let counter = 0;
function transfer(node: SimulatedNode, fields: Partial<Parameters<typeof signedTransfer>[0]> = {}) {
  return signedTransfer({ timestamp: BigInt(node.nowMs - counter++), ...fields });
}

/** Asset of the poor account, with a script that allows all. */
function scriptedIssue(node: SimulatedNode) {
  const unsigned = buildTransaction({
    type: TransactionType.Issue,
    version: 3,
    chainId,
    sender: poorKey.publicKey,
    feeAsset: null,
    timestamp: BigInt(node.nowMs),
    name: utf8Bytes("asset"),
    description: utf8Bytes(""),
    quantity: 1_000n,
    decimals: 0,
    reissuable: false,
    script: assetScriptOf("true"),
    fee: waves,
    proofs: [],
  });
  return signedBy(poorKey, unsigned);
}

/**
 * Node with micro-blocks of its own on the tip, and a key block that discards them.
 * @returns content of the micro-blocks: a payment, and a transaction that depends on it
 */
function forkedNode() {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const other = new SimulatedNode({ startMs: node.nowMs });
  const [parent] = node.keyBlocks;
  if (parent === undefined) throw new Error("the node has made a block");
  other.append(parent);
  const pays = transfer(node, { amount: 10n * waves });
  const issue = scriptedIssue(node);
  for (const transaction of [pays, issue]) {
    node.broadcast(transaction);
    while (node.pool.size > 0) node.step();
  }
  expect([node.height, node.chain.stored.microBlockCount()]).toEqual([2, 2]);
  other.mineTo(3);
  const [, block] = other.keyBlocks;
  if (block === undefined) throw new Error("the other node has made a block");
  node.nowMs = Math.max(node.nowMs, other.nowMs);
  return { node, other, block, pays, issue };
}

/** Transfer that depends on the payment. */
const spends = (node: SimulatedNode) => transfer(node, { key: poorKey, to: richKey, amount: waves });
const ids = ({ pool }: SimulatedNode) => [...pool.ids()];

test("after a key block submissions are validated on the priority pool, and nothing else is run", () => {
  const { node, block, pays, issue } = forkedNode();
  node.append(block);
  expect(ids(node)).toEqual([pays.id, issue.id]);
  vi.clearAllMocks();
  const [first, second] = [spends(node), spends(node)];
  for (const transaction of [first, second]) expect(node.broadcast(transaction)).toBe(true);
  expect(applied()).toEqual([first.id, second.id]);
});

test("a key block with transactions of its own invalidates the effects: they are not in its state snapshots", () => {
  const { node, other, pays, issue } = forkedNode();
  // The account keeps enough for the returned transactions, and no more.
  const spent = transfer(other, { amount: 99_999_000n * waves });
  other.broadcast(spent);
  while (other.pool.size > 0) other.step();
  node.nowMs = Math.max(node.nowMs, other.nowMs);
  node.append(other.chain.stored.findBlock(3) as Block);
  expect([node.chain.view.findTransaction(spent.id) !== undefined, ids(node)]).toEqual([true, [pays.id, issue.id]]);
  expect(violationOf(() => node.broadcast(transfer(node, { amount: 50_000n * waves })))).toMatchObject({
    code: "fundsMissing",
  });
});

test("the effects also count after a restart in between", () => {
  const { node, block } = forkedNode();
  const { database, nowMs } = node;
  const again = new SimulatedNode({ startMs: nowMs, database });
  again.append(block);
  vi.clearAllMocks();
  const transaction = spends(again);
  expect(again.broadcast(transaction)).toBe(true);
  expect(applied()).toEqual([transaction.id]);
});

test("a script of an asset costs as much as before", () => {
  const { node, block, issue } = forkedNode();
  const asset = () => node.chain.view.findAsset(issue.id as Uint8Array as never);
  const issued = asset();
  node.append(block);
  expect(asset()).toBeUndefined();
  const unsigned = buildTransaction({
    ...transfer(node),
    sender: poorKey.publicKey,
    asset: issue.id as Uint8Array as never,
    fee: 500_000n,
    proofs: [],
  });
  node.broadcast(signedBy(poorKey, unsigned));
  const [, view] = vi.mocked(applyTransaction).mock.calls.at(-1) ?? [];
  expect(view?.findAsset(issue.id as Uint8Array as never)?.script).toEqual(issued?.script);
});

test("effects of the first transaction are in the chain with it; the others still count", () => {
  const { node, block, pays, issue } = forkedNode();
  node.append(block);
  const { view } = node.chain;
  node.pool.follow({ appended: [{ id: pays.id }], discarded: undefined, dropped: [] }, view)();
  expect(ids(node)).toEqual([issue.id]);
  // The chain did not follow: the account's balance is the rest after the issue.
  expect(node.broadcast(spends(node))).toBe(true);
});

test.each([
  ["one of them is gone", (node: SimulatedNode, [pays]: readonly Transaction[]) => node.pool.removeAll([pays!])],
  [
    "others came into the chain",
    (node: SimulatedNode, [pays]: readonly Transaction[]) =>
      node.pool.follow({ appended: [pays!, transfer(node)], discarded: undefined, dropped: [] }, node.chain.view)(),
  ],
])("if %s, later transactions no longer count, and the clean-up keeps those that may depend on them", (_, change) => {
  const { node, block, pays, issue } = forkedNode();
  node.append(block);
  const early = spends(node);
  node.broadcast(early);
  change(node, [pays, issue]);
  expect(violationOf(() => node.broadcast(spends(node)))).toMatchObject({ code: "fundsMissing" });
  node.pool.startCleanUp();
  while (node.pool.cleanUp(node.chain.view, node.nowMs));
  expect(ids(node)).toEqual([issue.id, early.id]);
});

test("a transaction without a known state snapshot does not count, nor those after it", () => {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const [before, pays] = [transfer(node), transfer(node, { amount: 10n * waves })];
  const [first, second] = discardedOf(node, [before, pays]);
  const { view } = node.chain;
  node.pool.follow({ appended: [], discarded: [...withoutStateSnapshots([before]), second!], dropped: [] }, view)();
  expect(violationOf(() => node.broadcast(spends(node)))).toMatchObject({ code: "fundsMissing" });
  node.pool.removeAll([before, pays]);
  node.pool.follow({ appended: [], discarded: [first!, second!], dropped: [] }, view)();
  expect(node.broadcast(spends(node))).toBe(true);
});

test("a state snapshot that changes an absent value ends the effects: that value was made in another way", () => {
  const node = new SimulatedNode({ startMs });
  node.mineTo(2);
  const [pays, cancels, later] = [transfer(node, { amount: 10n * waves }), transfer(node), transfer(node)];
  const [first, , third] = discardedOf(node, [pays, cancels, later]);
  const cancelledLeases = [{ leaseId: new Uint8Array(32) as never, cancelTransactionId: cancels.id }];
  const stateSnapshot = encodeTransactionSnapshot({ snapshot: { cancelledLeases }, status: "succeeded" });
  const discarded = [first!, { transaction: cancels, stateSnapshot }, third!];
  node.pool.follow({ appended: [], discarded, dropped: [] }, node.chain.view)();
  expect(node.broadcast(spends(node))).toBe(true);
  expect(Array.from(node.pool.priorityEffects(), ({ transaction }) => transaction.id)).toEqual([pays.id]);
});

test("of the tip's state snapshots the last ones up to a limit of bytes are read", () => {
  const { node, pays, issue } = forkedNode();
  const { stored } = node.chain;
  const sizes = [...stored.stateSnapshotsOfTip(1_000_000).values()].map(({ length }) => length);
  expect(sizes).toHaveLength(2);
  const [ofPayment, ofIssue] = sizes as [number, number];
  const keysOf = (maxBytes: number) => [...stored.stateSnapshotsOfTip(maxBytes).keys()].map((key) => key.length);
  expect(keysOf(ofPayment + ofIssue)).toHaveLength(2);
  expect(keysOf(ofPayment + ofIssue - 1)).toHaveLength(1);
  expect(keysOf(ofIssue - 1)).toHaveLength(0);
  expect([pays.id.length, issue.id.length]).toEqual([32, 32]);
});
