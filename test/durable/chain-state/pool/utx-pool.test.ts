import { expect, test } from "vitest";
import { forgeMicroBlock } from "../../../../durable/chain-state/miner/forge-micro-block.ts";
import { SqlPoolStorage } from "../../../../durable/chain-state/pool/sql-pool-storage.ts";
import { type Packed, type PoolChange, UtxPool } from "../../../../durable/chain-state/pool/utx-pool.ts";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { equalBytes } from "../../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { utxDefaults } from "../../../../src/network/defaults.ts";
import type { MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { describeViolation } from "../../../../src/protocol/describe-violation.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { Script, Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { SimulatedNode, type SimulationOptions } from "../../../../verification/simulation/simulated-node.ts";
import { discardedOf, withoutStateSnapshots } from "../../../support/builders/discarded.ts";
import { chainId, violationOf } from "../../../support/builders/sample-transactions.ts";
import { signedBy } from "../../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer, walletKey } from "../../../support/builders/signed-transfer.ts";
import { dAppOf, scriptOf } from "../../../support/builders/test-scripts.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const startMs = 1_700_000_000_000;
const hourMs = 3_600_000;
const waves = 100_000_000n;

/** Node with two blocks, whose pool is filled by hand. */
function startedNode(options: Partial<SimulationOptions> = {}): SimulatedNode {
  const node = new SimulatedNode({ startMs, ...options });
  node.mineTo(2);
  return node;
}

let counter = 0;
/** Valid transfer, another one each time. */
function transfer(node: SimulatedNode, fields: Partial<Parameters<typeof signedTransfer>[0]> = {}) {
  return signedTransfer({ timestamp: BigInt(node.nowMs - counter++), ...fields });
}
const add = (node: SimulatedNode, transaction: Transaction) => node.pool.add(transaction, node.chain.view, node.nowMs);
const refusal = (node: SimulatedNode, transaction: Transaction) => violationOf(() => add(node, transaction));
const ids = (transactions: Iterable<Transaction>) => Array.from(transactions, ({ id }) => id);

/** Change of the chain that has been committed. */
function follow(node: SimulatedNode, change: Partial<PoolChange>): void {
  node.pool.follow({ appended: [], discarded: undefined, dropped: [], ...change }, node.chain.view)();
}

function pack(node: SimulatedNode, maxTransactions = 500, isTimeUp = (): boolean => false): Packed {
  const { view } = node.chain;
  const { run } = node.chain.liquid.openMicroBlock({ verifySignatures: true });
  return node.pool.pack(run, { view, maxTransactions, nowMs: node.nowMs, isTimeUp });
}

test("a transaction is new once", () => {
  const node = startedNode();
  const transaction = transfer(node);
  expect(add(node, transaction)).toBe(true);
  expect(add(node, transaction)).toBe(false);
  expect(node.pool.size).toBe(1);
  expect(node.pool.sizeBytes).toBe(transaction.bytes.length);
  expect(node.pool.find(transaction.id)).toEqual(transaction);
});

test("the tip refuses no funds, a wrong signature, a low fee, and a date out of the window", () => {
  const node = startedNode();
  expect(refusal(node, transfer(node, { key: poorKey }))).toMatchObject({ code: "fundsMissing" });
  const signed = transfer(node);
  expect(refusal(node, { ...signed, proofs: [new Uint8Array(64)] })).toMatchObject({ code: "proofInvalid" });
  expect(refusal(node, transfer(node, { fee: 99_999n }))).toMatchObject({ code: "feeTooLow" });
  const tooEarly = transfer(node, { timestamp: BigInt(node.nowMs + 90 * 60_000 + 1) });
  expect(refusal(node, tooEarly)).toMatchObject({ code: "timestampFromFuture", blockTimestamp: BigInt(node.nowMs) });
  const tooLate = transfer(node, { timestamp: BigInt(node.nowMs - 3 * hourMs) });
  expect(refusal(node, tooLate)).toMatchObject({ code: "timestampFromPast" });
  expect(node.pool.size).toBe(0);
});

test("a date near -2^63 is refused as too old, though a block of others may have it", () => {
  const node = startedNode();
  expect(refusal(node, transfer(node, { timestamp: -(2n ** 63n) }))).toMatchObject({ code: "timestampFromPast" });
});

test("a transaction in a block is refused as known", () => {
  const node = startedNode();
  const transaction = transfer(node);
  node.broadcast(transaction);
  node.advanceTo(node.nowMs + 2_000);
  expect(node.pool.size).toBe(0);
  expect(refusal(node, transaction)).toMatchObject({ code: "alreadyInState" });
});

test("a full pool refuses with the reference's message, but accepts the best paying transaction", () => {
  const node = startedNode({ utx: { maxSize: 2 } });
  add(node, transfer(node, { fee: 200_000n }));
  add(node, transfer(node, { fee: 150_000n }));
  expect(describeViolation(refusal(node, transfer(node, { fee: 199_999n })))).toBe(
    "Transaction pool size limit is reached",
  );
  expect(add(node, transfer(node, { fee: 200_001n }))).toBe(true);
});

test("all of the pool is listed in the miner's order", () => {
  const node = startedNode();
  const fees = [100_000n, 300_000n, 200_000n];
  const transactions = fees.map((fee) => transfer(node, { fee }));
  for (const transaction of transactions) add(node, transaction);
  const [low, high, middle] = transactions;
  expect([...node.pool.all()]).toEqual([high, middle, low]);
  expect([...node.pool.ids()]).toEqual([high, middle, low].map((transaction) => transaction?.id));
  expect(pack(node).transactions).toEqual([high, middle, low]);
});

test("packing takes no more than requested, stops after its time limit, and leaves the packed ones in the pool", () => {
  const node = startedNode();
  for (let count = 0; count < 5; count++) add(node, transfer(node));
  expect(pack(node, 3).transactions).toHaveLength(3);
  expect(pack(node, 5, () => true).transactions).toHaveLength(1);
  expect(node.pool.size).toBe(5);
  const { transactions } = pack(node);
  node.pool.removeAll(transactions.slice(0, 4));
  expect([...node.pool.all()]).toEqual(transactions.slice(4));
  expect(node.pool.sizeBytes).toBe(transactions[4]?.bytes.length);
});

test("packing drops transactions that those before have made impossible", () => {
  const node = startedNode();
  const balance = node.chain.view.balance(node.wallet.accounts()[0]!.address, null);
  const wins = transfer(node, { amount: balance - waves, fee: 200_000n });
  add(node, transfer(node, { amount: balance - waves }));
  add(node, wins);
  expect(pack(node).transactions).toEqual([wins]);
  expect(ids(node.pool.all())).toEqual([wins.id]);
});

test("packing and cleaning up drop expired transactions", () => {
  for (const throwOut of [(node: SimulatedNode) => pack(node), (node: SimulatedNode) => cleanUp(node)]) {
    const node = startedNode();
    add(node, transfer(node, { timestamp: BigInt(node.nowMs - 2 * hourMs + 10) }));
    throwOut(node);
    expect(node.pool.size).toBe(1);
    node.nowMs += 11;
    throwOut(node);
    expect(node.pool.size).toBe(0);
  }
});

test("a transaction dated too far after its block waits for a later one", () => {
  const node = startedNode();
  const blockTimestamp = Number(node.chain.view.findHeader(2)?.header.timestamp);
  node.nowMs = blockTimestamp + 50_000;
  const early = transfer(node, { timestamp: BigInt(node.nowMs + 90 * 60_000) });
  add(node, early);
  expect(pack(node).transactions).toEqual([]);
  expect(node.pool.size).toBe(1);
  node.mineTo(15);
  expect(node.chain.view.findTransaction(early.id)).toBeDefined();
});

test("a block that is nearly full takes the transactions that still fit, and reports when none can", () => {
  const node = startedNode();
  const { view } = node.chain;
  const { run } = node.chain.liquid.openMicroBlock({ verifySignatures: true });
  const attachment = new Uint8Array(140);
  const big = transfer(node, { fee: 1_000_000n, attachment });
  const small = transfer(node);
  for (const transaction of [big, small]) add(node, transaction);
  // After the big one there is room for 108 bytes: no transaction is as small.
  run.usage = { ...run.usage, sizeBytes: (run.limits.sizeBytes as number) - big.bytes.length - 108 };
  const packed = node.pool.pack(run, { view, maxTransactions: 10, nowMs: node.nowMs });
  expect(packed.isBlockFull).toBe(true);
  expect(packed.transactions).toEqual([big]);
});

test("transactions of dropped micro-blocks have priority, and those that depend on them get in", () => {
  const node = startedNode();
  const pays = transfer(node, { amount: 2n * waves });
  const spends = transfer(node, { key: poorKey, to: richKey, amount: waves, fee: 5_000_000n });
  expect(refusal(node, spends)).toMatchObject({ code: "fundsMissing" });
  follow(node, { discarded: discardedOf(node, [pays]) });
  expect(add(node, spends)).toBe(true);
  const dear = transfer(node, { fee: 10_000_000n });
  add(node, dear);
  expect(ids(node.pool.all())).toEqual([pays.id, dear.id, spends.id]);
  expect(pack(node).transactions).toEqual([pays, dear, spends]);
});

test("the next key block puts the priority pool back into the common order", () => {
  const node = startedNode();
  const [first, second] = [transfer(node), transfer(node)];
  const dear = transfer(node, { fee: 10_000_000n });
  follow(node, { discarded: withoutStateSnapshots([first]) });
  add(node, dear);
  follow(node, { discarded: withoutStateSnapshots([second]) });
  expect([...node.pool.all()]).toEqual([second, dear, first]);
  follow(node, { discarded: [] });
  expect(node.pool.size).toBe(3);
});

test("returned transactions are skipped when a block or the pool has them", () => {
  const node = startedNode();
  const inBlock = transfer(node);
  node.broadcast(inBlock);
  node.advanceTo(node.nowMs + 1_500);
  const inPool = transfer(node);
  add(node, inPool);
  follow(node, { dropped: [inBlock, inPool] });
  follow(node, { discarded: withoutStateSnapshots([inBlock, inPool]) });
  expect(ids(node.pool.all())).toEqual([inPool.id]);
});

/** Node with two scripted accounts and a dApp, and transactions with decreasing fees. */
function nodeWithScripts() {
  const node = startedNode();
  const [first, second, dApp] = [poorKey, walletKey(2), walletKey(3)] as const;
  const verifier = scriptOf("sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)");
  const callable = dAppOf('@Callable(i) func f() = [IntegerEntry("x", 1)]');
  const scripts = [
    { key: first, script: verifier },
    { key: second, script: verifier },
    { key: dApp, script: callable },
  ];
  for (const { key } of scripts) node.broadcast(transfer(node, { to: key, amount: waves }));
  while (node.pool.size > 0) node.step();
  for (const { key, script } of scripts) node.broadcast(setScript(key, script));
  while (node.pool.size > 0) node.step();
  return {
    node,
    callOfFirst: call(first, dApp, 9_000_000n),
    callOfSecond: call(second, dApp, 5_000_000n),
    transferOfSecond: transfer(node, { key: second, to: richKey, fee: 500_000n }),
    transferOfOther: transfer(node),
  };
}

/** Fields that every transaction has. */
function sentBy({ publicKey }: KeyPair) {
  return { version: 2, chainId, sender: publicKey, feeAsset: null, timestamp: BigInt(startMs + counter++), proofs: [] };
}

function setScript(key: KeyPair, script: Script): Transaction {
  const fields = { type: TransactionType.SetScript, fee: 1_400_000n, script } as const;
  return signedBy(key, buildTransaction({ ...sentBy(key), ...fields }));
}

function call(key: KeyPair, dApp: KeyPair, fee: bigint): Transaction {
  const unsigned = buildTransaction({
    ...sentBy(key),
    type: TransactionType.InvokeScript,
    fee,
    dApp: { kind: "address", address: addressOfPublicKey(dApp.publicKey, chainId) },
    call: { function: "f", args: [] },
    payments: [],
  });
  return signedBy(key, unsigned);
}

test("an error that is no rule's costs no transaction, unless it is repeated", () => {
  const node = startedNode();
  const { view, liquid } = node.chain;
  add(node, transfer(node));
  const { run } = liquid.openMicroBlock({ verifySignatures: true });
  run.add = () => {
    throw new Error("the disk");
  };
  const packAgain = () => node.pool.pack(run, { view, maxTransactions: 5, nowMs: node.nowMs });
  expect(packAgain).toThrow("the disk");
  expect(node.pool.size).toBe(1);
  expect(packAgain).toThrow("the disk");
  expect(node.pool.size).toBe(0);
});

// The order in which a reference node packed the same transactions.
test("a transaction that waits for a script's next turn holds up no others of its sender", () => {
  const { node, callOfFirst, callOfSecond, transferOfSecond } = nodeWithScripts();
  const transactions = [callOfFirst, callOfSecond, transferOfSecond];
  for (const transaction of transactions) add(node, transaction);
  expect(ids(node.pool.all())).toEqual(ids(transactions));
  expect(ids(pack(node).transactions)).toEqual(ids([callOfFirst, transferOfSecond, callOfSecond]));
});

test("one account with more and better paying transactions than a packing tries holds up no other account", () => {
  const { node, transferOfOther } = nodeWithScripts();
  const calls = Array.from({ length: 30 }, () => call(poorKey, walletKey(3), 2_000_000n));
  for (const transaction of [...calls, transferOfOther]) add(node, transaction);
  expect(ids(node.pool.all()).slice(0, 30)).toEqual(ids(calls));
  expect(ids(pack(node, 5).transactions)).toEqual(ids([calls[0]!, transferOfOther, ...calls.slice(1, 4)]));
});

test("transactions from before their account had a script are read once, in slices, and then hold up no other account", () => {
  const node = startedNode();
  node.broadcast(transfer(node, { amount: 100n * waves }));
  while (node.pool.size > 0) node.step();
  const plain = Array.from({ length: 50 }, () => transfer(node, { key: poorKey, to: richKey, fee: 2_000_000n }));
  const other = transfer(node);
  for (const transaction of [...plain, other]) add(node, transaction);
  const script = setScript(poorKey, scriptOf("sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)"));
  const { liquid } = node.chain;
  const scripted = () => {
    const { run, overlay } = liquid.openMicroBlock({ verifySignatures: true });
    run.add(script);
    return ids(node.pool.pack(run, { view: overlay, maxTransactions: 5, nowMs: node.nowMs }).transactions);
  };
  const packings = [scripted(), scripted(), scripted()].map((packed) => packed.some((id) => equalBytes(id, other.id)));
  expect(packings).toEqual([false, false, true]);
});

test("a script that a returned transaction runs has had its turn", () => {
  const { node, callOfFirst, callOfSecond, transferOfOther } = nodeWithScripts();
  follow(node, { discarded: withoutStateSnapshots([callOfFirst]) });
  for (const transaction of [callOfSecond, transferOfOther]) add(node, transaction);
  expect(ids(pack(node).transactions)).toEqual(ids([callOfFirst, transferOfOther, callOfSecond]));
});

/** Cleans up in slices. @returns number of slices */
function cleanUp(node: SimulatedNode, atMost = 200): number {
  node.pool.startCleanUp();
  let slices = 1;
  while (node.pool.cleanUp(node.chain.view, node.nowMs, atMost)) slices++;
  return slices;
}

test("cleaning up drops, slice by slice, the transactions that the tip no longer accepts", () => {
  const node = startedNode();
  const address = node.wallet.accounts()[0]!.address;
  const balance = node.chain.view.balance(address, null);
  const spend = transfer(node, { amount: balance - waves, fee: 200_000n });
  const others = Array.from({ length: 10 }, () => transfer(node, { amount: balance - waves }));
  for (const transaction of [spend, ...others]) add(node, transaction);
  expect(cleanUp(node, 4)).toBe(3);
  expect(node.pool.size).toBe(11);
  const microBlock = microBlockOf(node, 1);
  expect(microBlock.transactions).toEqual([spend]);
  node.chain.liquid.appendMicroBlock(microBlock, { nowMs: node.nowMs, verifySignatures: true });
  node.pool.removeAll([spend]);
  expect(node.pool.size).toBe(10);
  cleanUp(node, 4);
  expect(node.pool.size).toBe(0);
});

/** Micro-block as the node's miner would make it. */
function microBlockOf(node: SimulatedNode, maxTransactions: number): MicroBlock {
  const { microBlock } = forgeMicroBlock({
    view: node.chain.view,
    liquid: node.chain.liquid.block(),
    run: node.chain.liquid.openMicroBlock({ verifySignatures: true }).run,
    pool: node.pool,
    account: richKey,
    maxTransactions,
    nowMs: node.nowMs,
    random: secureRandomBytes,
  });
  if (microBlock === undefined) throw new Error("no micro-block was made");
  return microBlock;
}

test("transactions submitted to a pool that was empty when the tip changed are not checked again", () => {
  const node = startedNode();
  node.pool.startCleanUp();
  add(node, transfer(node));
  expect(node.pool.hasCleanUp).toBe(false);
  node.pool.startCleanUp();
  expect(node.pool.hasCleanUp).toBe(true);
});

test("a new pass follows when the tip changed during one", () => {
  const node = startedNode();
  for (let count = 0; count < 3; count++) add(node, transfer(node));
  node.pool.startCleanUp();
  expect(node.pool.cleanUp(node.chain.view, node.nowMs, 2)).toBe(true);
  node.pool.startCleanUp();
  expect(node.pool.cleanUp(node.chain.view, node.nowMs, 2)).toBe(true);
  expect(node.pool.cleanUp(node.chain.view, node.nowMs, 4)).toBe(false);
  expect(node.pool.cleanUp(node.chain.view, node.nowMs, 4)).toBe(false);
});

test("transactions in a block leave the pool, read since the start or not", () => {
  const node = startedNode();
  const { view } = node.chain;
  const { database } = testStore();
  const poolOf = () =>
    new UtxPool({ settings: utxDefaults, chainId: view.settings.chainId, storage: new SqlPoolStorage(database) });
  const made = (fee: bigint) => transfer(node, { fee, timestamp: BigInt(node.nowMs) });
  const [unread, unreadStays, read, readStays] = [made(100_000n), made(200_000n), made(300_000n), made(400_000n)];
  const before = poolOf();
  for (const transaction of [unread, unreadStays]) before.add(transaction, view, node.nowMs);
  const pool = poolOf();
  pool.restore();
  for (const transaction of [read, readStays]) pool.add(transaction, view, node.nowMs);
  const appended = [unread, read, made(500_000n), unread, read];
  pool.follow({ appended, discarded: undefined, dropped: [] }, view)();
  expect(pool.size).toBe(2);
  while (!pool.isRead) pool.cleanUp(view, node.nowMs);
  expect([...pool.all()]).toEqual([readStays, unreadStays]);
  expect(pool.sizeBytes).toBe(readStays.bytes.length + unreadStays.bytes.length);
});

test("a pool that starts again has its content, in the same order, without unreadable entries", () => {
  const node = startedNode();
  const { database } = testStore();
  const poolOf = () =>
    new UtxPool({
      settings: utxDefaults,
      chainId: node.chain.view.settings.chainId,
      storage: new SqlPoolStorage(database),
    });
  const before = poolOf();
  for (const fee of [100_000n, 300_000n, 100_000n, 200_000n])
    before.add(transfer(node, { fee, timestamp: BigInt(node.nowMs) }), node.chain.view, node.nowMs);
  database.exec("INSERT INTO pool (id, bytes) VALUES (?, ?)", new Uint8Array(32).buffer, new Uint8Array(3).buffer);
  const after = poolOf();
  after.restore();
  expect(after.size).toBe(before.size + 1);
  while (!after.isRead) after.cleanUp(node.chain.view, node.nowMs);
  expect([...after.all()]).toEqual([...before.all()]);
  expect(after.sizeBytes).toBe(before.sizeBytes);
  expect([...database.exec("SELECT COUNT(*) FROM pool").raw()]).toEqual([[3]]);
});
