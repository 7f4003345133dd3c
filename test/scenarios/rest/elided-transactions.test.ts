/** Elided transactions as clients meet them: of every type, in a challenging block. */
import { beforeAll, describe, expect, test } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import type { Digest, KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { referenceSettings } from "../../../src/network/reference-settings.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { transactionsTree } from "../../../src/protocol/blocks/transactions-root.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Order } from "../../../src/protocol/transactions/order.ts";
import { buildOrder } from "../../../src/protocol/transactions/order-bytes.ts";
import type {
  AuthorizedTransaction,
  LeaseId,
  Transaction,
  TransactionOf,
} from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { callableAbis } from "../../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { addTransactions, includerOf, openBlock } from "../../../src/rules/blocks/apply-block.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { type Validation, validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import { encodeCallData } from "../../../verification/chain-generator/ethereum-call-data.ts";
import { EthereumWallet } from "../../../verification/chain-generator/ethereum-wallet.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { compiled } from "../../support/builders/dapps.ts";
import { follower, receivedBlocks } from "../../support/builders/follower.ts";
import { blockAfter, drawOf, networkOf } from "../../support/builders/next-block.ts";
import { sample, sampleOrder, to } from "../../support/builders/sample-transactions.ts";
import { signedAs } from "../../support/builders/signed-by.ts";
import { richKey, walletKey } from "../../support/builders/signed-transfer.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { scriptOf } from "../../support/builders/test-scripts.ts";

const waves = 100_000_000n;
const [challenged, user, dApp] = [walletKey(5), walletKey(6), walletKey(7)];
const BALANCE = 50_000_000n * waves;
const { chainId } = privateNetwork.blockchain;
const addressOf = ({ publicKey }: KeyPair) => addressOfPublicKey(publicKey, chainId);
const ofNetwork = networkOf(Feature.BoostBlockReward, [
  { key: challenged, amount: BALANCE },
  { key: dApp, amount: 100n * waves },
]);
const blockchain = { ...ofNetwork, functionality: { ...ofNetwork.functionality, minAssetInfoUpdateInterval: 0 } };
const startMs = Number(blockchain.genesis.blockTimestampMs);
const dAppScript = compiled(6, "@Callable(i)\nfunc call() = []\n");
const abi = callableAbis(parseScript(dAppScript))[0] as ReturnType<typeof callableAbis>[0];
const wallet = new EthereumWallet("elided", chainId);
let lastTimestamp = 0n;
function nextTimestamp(): bigint {
  lastTimestamp += 1n;
  return lastTimestamp;
}

type Fields<Type extends TransactionType> = Partial<Omit<TransactionOf<Type>, "type">>;

/** A signed transaction with a unique timestamp. */
function signed<Type extends Exclude<AuthorizedTransaction["type"], 20>>(
  key: KeyPair,
  type: Type,
  fields: Fields<Type> = {},
): TransactionOf<Type> {
  const plain = sample(type, { timestamp: nextTimestamp(), ...fields } as Fields<Type>);
  return signedAs(key, plain as unknown as AuthorizedTransaction) as unknown as TransactionOf<Type>;
}

function orderOf(key: KeyPair, side: Order["side"], asset: AssetId): Order {
  const { publicKey } = key;
  const timestamp = nextTimestamp();
  const terms = { amountAsset: asset, amount: 1n, price: 100_000_000n, proofs: [], side };
  const expiration = timestamp + 86_400_000n;
  const unsigned = buildOrder(sampleOrder({ ...terms, sender: publicKey, matcher: publicKey, timestamp, expiration }));
  return buildOrder({ ...unsigned, proofs: [sign(key.privateKey, unsigned.bodyBytes, secureRandomBytes(64))] });
}

/**
 * Transactions of the user with funds from the challenged account, and of an Ethereum wallet with funds from the user:
 * if the first is unfunded, all are.
 */
function doings(): readonly Transaction[] {
  const of = signed.bind(undefined, user) as <Type extends Exclude<AuthorizedTransaction["type"], 20>>(
    type: Type,
    fields?: Fields<Type>,
  ) => TransactionOf<Type>;
  const issue = of(TransactionType.Issue, { fee: waves });
  const smart = of(TransactionType.Issue, { fee: waves, script: compiled(6, "true", "ASSET") });
  const [asset, smartAsset] = [issue.id, smart.id] as Uint8Array[] as [AssetId, AssetId];
  const lease = of(TransactionType.Lease, { recipient: to(addressOf(dApp)), amount: waves });
  const transfers = [{ recipient: to(wallet.address), amount: waves }];
  const ethereum = { fee: 500_000n, timestamp: nextTimestamp() };
  return [
    signed(challenged, TransactionType.Transfer, { recipient: to(addressOf(user)), amount: BALANCE + 1n }),
    ...[issue, smart, lease],
    of(TransactionType.Burn, { asset, amount: 1n }),
    of(TransactionType.CreateAlias, { alias: { chainId, name: "elided" } }),
    of(TransactionType.Data),
    of(TransactionType.Exchange, {
      ...{ order1: orderOf(user, "buy", asset), order2: orderOf(user, "sell", asset) },
      ...{ amount: 1n, price: 100_000_000n },
    }),
    of(TransactionType.InvokeScript, { dApp: to(addressOf(dApp)), call: { function: "call", args: [] } }),
    of(TransactionType.LeaseCancel, { leaseId: lease.id as Uint8Array as LeaseId }),
    of(TransactionType.MassTransfer, { transfers }),
    of(TransactionType.Reissue, { asset }),
    of(TransactionType.SetAssetScript, { asset: smartAsset, script: compiled(6, "true", "ASSET"), fee: waves }),
    of(TransactionType.Transfer, { recipient: to(wallet.address), amount: waves }),
    of(TransactionType.SponsorFee, { asset, fee: waves }),
    of(TransactionType.UpdateAssetInfo, { asset }),
    of(TransactionType.SetScript, { script: dAppScript, fee: waves }),
    wallet.transfer({ ...ethereum, recipient: addressOf(dApp), asset: null, amount: 1n }),
    wallet.call({ ...ethereum, dApp: addressOf(dApp), data: encodeCallData(abi, { args: [], payments: [] }) }),
  ];
}

const { d1, sqlite } = d1Double();
const own = follower({ blockchain, startMs, readModel: d1Sink(d1.withSession()) });
let node: TestNode;
let transactions: readonly Transaction[];
/** A transfer of an earlier block. */
let confirmed: Transaction;

/** Statuses of the transactions in a block of the challenged account with the right state hash. */
function statusesInOriginal(): readonly string[] {
  const { view, stored } = own.node.chain;
  const { header } = blockAfter(view, { key: challenged, timestamp: BigInt(own.node.nowMs), transactions });
  const parent = { carryFee: stored.tip().carryFee, transactions: () => [] };
  const { hitSource } = drawOf(view, challenged);
  const { run } = openBlock(view, header, hitSource, [], parent, { verifySignatures: true });
  addTransactions(run, transactions, includerOf({ verifySignatures: true }));
  return run.included.map(({ status }) => status);
}

let inOriginal: readonly string[];

beforeAll(async () => {
  own.node.mineTo(2);
  lastTimestamp = own.node.chain.stored.tip().timestamp;
  own.node.broadcast(signed(dApp, TransactionType.SetScript, { script: dAppScript, fee: waves }));
  confirmed = signed(richKey, TransactionType.Transfer, { recipient: to(addressOf(richKey)) });
  own.node.broadcast(confirmed);
  own.node.nowMs = Number(lastTimestamp);
  while (own.node.pool.size > 0) own.node.step();
  own.node.mineTo(3);
  own.node.nowMs = Number(headerAt(own.node.chain.view, 3).header.timestamp) + 1_000_000;
  transactions = doings();
  inOriginal = statusesInOriginal();
  const wrong = blockAfter(own.node.chain.view, {
    ...{ key: challenged, timestamp: BigInt(own.node.nowMs), transactions },
    stateHash: new Uint8Array(32).fill(1) as Digest,
  });
  const judgement = await own.calls.applyBlock(receivedBlocks([encodeBlock(wrong, chainId)]));
  expect(judgement).toMatchObject({ kind: "refused", reason: expect.stringContaining("State hash is") });
  await own.node.node.drain();
  const network = jsonText({
    waves: referenceSettings({ ...privateNetwork, blockchain, name: "elided" }) as unknown as JsonObject,
  });
  node = testNode({ database: d1, network });
});

async function get(path: string): Promise<unknown> {
  return (await node.fetch(path)).json();
}
async function post(path: string, body: unknown): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  return (await node.fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}
const idOf = ({ id }: Transaction) => encodeBase58(id);
/** JSON as clients get it. */
const jsonOf = (transaction: Transaction) => JSON.parse(jsonText(transactionJson(transaction))) as JsonObject;

/** Members of a transaction by its type, besides its status. */
function ofType(transaction: Transaction): Record<string, unknown> {
  switch (transaction.type) {
    case TransactionType.Lease:
      return { status: "canceled" };
    case TransactionType.LeaseCancel:
      return {
        lease: {
          ...{ id: encodeBase58(transaction.leaseId), originTransactionId: null, sender: null, recipient: null },
          ...{ amount: null, height: null, status: "canceled", cancelHeight: null, cancelTransactionId: null },
        },
      };
    case TransactionType.InvokeScript:
      return { stateChanges: null };
    case TransactionType.Ethereum:
      return { payload: {} };
    default:
      return {};
  }
}
const printed = (transaction: Transaction) => ({
  ...jsonOf(transaction),
  ...{ height: 4, applicationStatus: "elided", spentComplexity: 0, ...ofType(transaction) },
});

describe("transactions that a challenge takes their money from", () => {
  test("are elided, of each type, though they succeed in the challenged block (NODE-899)", () => {
    expect(inOriginal).toEqual(transactions.map(() => "succeeded"));
    const { view, stored } = own.node.chain;
    expect(stored.rowAt(4).transactionCount).toBe(transactions.length);
    expect(transactions.map(({ id }) => view.findTransaction(id))).toEqual(
      transactions.map(() => ({ height: 4, status: "elided" })),
    );
  });

  test("are found by their ids, with that status and nothing that they would have done (NODE-916)", async () => {
    for (const transaction of transactions)
      expect(await get(`/transactions/info/${idOf(transaction)}`)).toEqual(printed(transaction));
    const ids = transactions.map(idOf);
    expect(await post("/transactions/info", { ids })).toEqual(transactions.map(printed));
  });

  test("are confirmed with the status elided (NODE-917)", async () => {
    const expected = transactions.map((transaction) => ({
      ...{ id: idOf(transaction), status: "confirmed", height: 4, confirmations: 0 },
      ...{ applicationStatus: "elided", spentComplexity: 0 },
    }));
    expect(await post("/transactions/status", { ids: transactions.map(idOf) })).toEqual(expected);
    expect(await get(`/transactions/status/${idOf(transactions[0] as Transaction)}`)).toEqual(expected[0]);
  });

  test("stand in the lists of the accounts that they name (NODE-915)", async () => {
    const listed = async (address: string) => {
      const [list] = (await get(`/transactions/address/${address}/limit/100`)) as [{ id: string; height: number }[]];
      return list.filter(({ height }) => height === 4).map(({ id }) => id);
    };
    const ofTypes = (...types: readonly TransactionType[]) =>
      transactions.filter(({ type }) => types.includes(type)).map(idOf);
    const byWallet = ofTypes(TransactionType.Ethereum);
    const byUser = transactions.map(idOf).filter((id) => !byWallet.includes(id));
    expect(await listed(addressText(addressOf(user)))).toEqual(byUser.toReversed());
    expect(await listed(addressText(addressOf(challenged)))).toEqual(byUser.slice(0, 1));
    const { MassTransfer, Transfer, InvokeScript, Lease, Ethereum } = TransactionType;
    const toWallet = ofTypes(MassTransfer, Transfer).filter((id) => id !== byUser[0]);
    expect(await listed(addressText(wallet.address))).toEqual([...toWallet, ...byWallet].toReversed());
    // The cancellation names a lease that was never created, and so has no recipient.
    expect(await listed(addressText(addressOf(dApp)))).toEqual(
      transactions
        .filter(({ type }) => [InvokeScript, Lease, Ethereum].includes(type as never))
        .map(idOf)
        .toReversed(),
    );
  });

  test("have proofs like any other of their block (NODE-904)", async () => {
    const tree = transactionsTree(transactions);
    const ids = transactions.map(idOf);
    expect(await post("/transactions/merkleProof", { ids })).toEqual(
      ids.map((id, transactionIndex) => ({
        id,
        transactionIndex,
        merkleProof: tree.proof(transactionIndex).map(encodeBase58),
      })),
    );
  });

  test.each([
    [2, "transactionById"],
    [1, "transactionHeightById"],
    [6, "transactionHeightById"],
    [3, "transferTransactionById"],
    [6, "transferTransactionById"],
  ])("are nothing to scripts, though they are transfers of the block (NODE-905): version %i, %s", (version, lookup) => {
    const { view } = own.node.chain;
    /** Result of a transfer whose sender's script allows everything if it finds the transaction. */
    const outcomeIf = ({ id }: Transaction): Validation["result"] => {
      const overlay = new OverlayView(view, { height: view.height });
      const script = scriptOf(`isDefined(${lookup}(base58'${encodeBase58(id)}'))`, { version });
      overlay.apply({ accountScripts: [{ publicKey: dApp.publicKey, script, verifierComplexity: 200n }] });
      const timestamp = BigInt(own.node.nowMs);
      const transfer = signed(dApp, TransactionType.Transfer, {
        timestamp,
        fee: 500_000n,
        recipient: to(addressOf(user)),
      });
      return validateTransaction(transfer, overlay, own.node.nowMs).result;
    };
    expect(outcomeIf(confirmed)).toMatchObject({ isValid: true });
    const elided = transactions.filter(({ type }) => type === TransactionType.Transfer);
    expect(elided.length).toBeGreaterThan(1);
    for (const transaction of elided)
      expect(outcomeIf(transaction)).toMatchObject({ isValid: false, violation: { code: "scriptRefused" } });
  });

  test("are unknown to evaluated scripts (NODE-905)", async () => {
    const first = idOf(transactions[0] as Transaction);
    for (const lookup of ["transactionHeightById", "transferTransactionById"]) {
      const expr = `${lookup}(base58'${first}')`;
      const path = `/utils/script/evaluate/${addressText(addressOf(dApp))}`;
      expect(await post(path, { expr })).toMatchObject({ result: { type: "Unit", value: {} } });
    }
  });

  test("are in their block with that status and their fees, which no account got", async () => {
    const block = (await get("/blocks/at/4")) as { transactions: unknown[]; fee: number; totalFee: number };
    expect(block.transactions).toEqual(
      transactions.map((transaction) => ({ ...jsonOf(transaction), applicationStatus: "elided" })),
    );
    expect(block.fee).toBe(Number(transactions.reduce((sum, { fee }) => sum + fee, 0n)));
    expect(block.totalFee).toBe(0);
  });

  test("have an empty change set", async () => {
    const { applicationStatus, ...changes } = (await get(
      `/transactions/snapshot/${idOf(transactions[0] as Transaction)}`,
    )) as Record<string, unknown>;
    expect(applicationStatus).toBe("elided");
    expect(Object.keys(changes).length).toBeGreaterThan(10);
    for (const change of Object.values(changes)) expect(change).toEqual([]);
  });

  test("are the same for readers as in the tables", () => {
    expect(readModelDifferences(own.node.database.database, sqlite)).toEqual([]);
  });
});
