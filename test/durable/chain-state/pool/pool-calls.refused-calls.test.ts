/** Calls whose refusal costs their sender nothing: limits of running them, by sender and host. */
import { beforeEach, describe, expect, test } from "vitest";
import type { KeyPair } from "../../../../src/crypto/identities.ts";
import type { PoolSubmission, SubmissionResult } from "../../../../src/env.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { MAX_REFUSED_COMPLEXITY } from "../../../../src/platform/refused-work.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type {
  InvokeScriptTransaction,
  Script,
  Transaction,
} from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { keyBytes } from "../../../../verification/fuzz/families/rsa-key-bytes.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { callable, compiled, expensive } from "../../../support/builders/dapps.ts";
import { signedBy } from "../../../support/builders/signed-by.ts";
import { signedCall } from "../../../support/builders/signed-call.ts";
import { poorKey, richKey, signedTransfer, walletKey } from "../../../support/builders/signed-transfer.ts";

const { chainId, genesis } = privateNetwork.blockchain;
const waves = 100_000_000n;
const otherKey = walletKey(2);
/** Script that is refused in the end, after most of a call's maximum complexity. */
const refusing = compiled(6, callable(`if (${expensive(200)}) then [] else throw("no")`));
/** Key of 4,104 bits, which the reference accepts. */
const longKey = Buffer.from(keyBytes({ modulus: 2n ** 4_103n + 3n, exponent: 3n })).toString("base64");
const ofLongKey = `rsaVerify_16Kb(SHA256, base58'', base58'', base64'${longKey}')`;
/** Script that is refused by a limit of this node. */
const bounded = (signatures: number) =>
  compiled(6, callable(`if (${expensive(signatures)} || ${ofLongKey}) then [] else throw("no")`));
/** Number of calls that use up the budget of one sender. */
const CALLS = 7;

let node: SimulatedNode;
beforeEach(() => {
  node = new SimulatedNode({ startMs: 1_700_000_000_000 });
  for (const to of [poorKey, otherKey])
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), to, amount: waves }));
  while (node.pool.size > 0) node.step();
  setDApp(refusing);
});

function setDApp(script: Script): void {
  const transaction = buildTransaction({
    ...{ type: TransactionType.SetScript, version: 2, chainId, sender: richKey.publicKey, feeAsset: null, proofs: [] },
    ...{ fee: waves, timestamp: BigInt(node.nowMs), script },
  });
  node.broadcast(signedBy(richKey, transaction));
  while (node.pool.size > 0) node.step();
  node.mineTo(node.height + 1);
}

let callCount = 0;
/** A call that asks for something else than those before it. */
function call(key: KeyPair): InvokeScriptTransaction {
  return signedCall({ key, timestamp: BigInt(node.nowMs), fee: 500_000n + BigInt(callCount++) });
}
/** A call that asks for the same as those before it. */
function sameCall(key: KeyPair, fields: Partial<InvokeScriptTransaction> = {}): InvokeScriptTransaction {
  return signedCall({ key, timestamp: BigInt(node.nowMs - callCount++), ...fields });
}

async function submit(
  transaction: Transaction,
  more: Partial<PoolSubmission> = {},
): Promise<SubmissionResult | undefined> {
  const signed = { signedTransaction: encodeProtobuf(transaction), areSignaturesVerified: true };
  const [result] = await node.node.poolCalls.broadcastAll([{ ...signed, host: "a", ...more }]);
  return result;
}

async function spendBudget(key: KeyPair, more: Partial<PoolSubmission> = {}): Promise<void> {
  for (let count = 0; count < CALLS; count++) expect(await submit(call(key), more)).toMatchObject(refused);
}

const refused = { accepted: false, violation: { code: "callRejected" } };
const ofSender = { accepted: false, exceeded: "sender" };
const ofHost = { accepted: false, exceeded: "host" };

describe("calls that are refused after long scripts", () => {
  test("use up their sender's budget, and then are not run until the block interval ends", async () => {
    await spendBudget(poorKey);
    const result = await submit(call(poorKey));
    expect(result).toMatchObject(ofSender);
    const { retryAfterMs } = result as { retryAfterMs: number };
    expect(retryAfterMs).toBeLessThanOrEqual(genesis.averageBlockDelayMs);
    node.advanceTo(node.nowMs + retryAfterMs);
    expect(await submit(call(poorKey))).toMatchObject(refused);
  });

  test("leave the same dApp to others, of that host and of other ones", async () => {
    await spendBudget(poorKey);
    expect(await submit(call(otherKey))).toMatchObject(refused);
    expect(await submit(call(poorKey), { host: "b" })).toMatchObject(refused);
  });

  test("use up the host's budget if they are unsigned, and no account's", async () => {
    const unsigned = { areSignaturesVerified: false };
    for (let spent = 0; spent < MAX_REFUSED_COMPLEXITY.host; spent += MAX_REFUSED_COMPLEXITY.sender)
      await spendBudget(poorKey, unsigned);
    expect(await submit(call(otherKey))).toMatchObject(ofHost);
    expect(await submit(call(poorKey), { host: "b" })).toMatchObject(refused);
  });

  test("do not affect their sender's transactions without scripts", async () => {
    await spendBudget(poorKey);
    const transfer = signedTransfer({ timestamp: BigInt(node.nowMs), key: poorKey, to: otherKey });
    expect(await submit(transfer)).toEqual({ accepted: true, isNew: true });
  });

  test("are run without a limit for submissions without a host", async () => {
    await spendBudget(poorKey);
    const [result] = await node.node.poolCalls.broadcastAll([{ signedTransaction: encodeProtobuf(call(poorKey)) }]);
    expect(result).toMatchObject(refused);
  });

  test("are handled sixty in one batch once they are not run", async () => {
    await spendBudget(poorKey);
    const submissions = Array.from({ length: 60 }, () => ({
      ...{ signedTransaction: encodeProtobuf(call(poorKey)), areSignaturesVerified: true, host: "a" },
    }));
    const results = await node.node.poolCalls.broadcastAll(submissions);
    expect(results).toHaveLength(submissions.length);
    for (const result of results) expect(result).toMatchObject(ofSender);
  });
});

describe("calls that ask for the same as one that was refused", () => {
  /** More than the budget of one sender, were they run. */
  async function offerMany(fields: Partial<InvokeScriptTransaction> = {}): Promise<(SubmissionResult | undefined)[]> {
    const answers: (SubmissionResult | undefined)[] = [];
    for (let count = 0; count < 3 * CALLS; count++) answers.push(await submit(sameCall(poorKey, fields)));
    return answers;
  }

  async function spendRest(key: KeyPair): Promise<void> {
    for (let count = 0; count < CALLS; count++) await submit(call(key));
    expect(await submit(call(key))).toMatchObject(ofSender);
  }

  test("are refused alike, and spend nothing", async () => {
    const [first, ...others] = await offerMany();
    expect(first).toMatchObject({ accepted: false, violation: { code: "callRejected", message: "no" } });
    for (const answer of others) expect(answer).toEqual(first);
    await spendRest(poorKey);
    expect(await submit(sameCall(poorKey))).toEqual(first);
  });

  test("run where another sender, fee or payment is asked for", async () => {
    await submit(sameCall(poorKey));
    await spendRest(poorKey);
    expect(await submit(sameCall(poorKey, { fee: 600_000n }))).toMatchObject(ofSender);
    expect(await submit(sameCall(poorKey, { payments: [{ asset: null, amount: 1n }] }))).toMatchObject(ofSender);
    expect(await submit(sameCall(otherKey))).toMatchObject(refused);
  });

  test("run where the signature is wrong, or a trace is wanted", async () => {
    await submit(sameCall(poorKey));
    await spendRest(poorKey);
    const unsigned = buildTransaction({ ...sameCall(poorKey), proofs: [new Uint8Array(64)] });
    const answer = await submit(unsigned, { areSignaturesVerified: false });
    expect(answer).toMatchObject({ accepted: false, violation: { code: "proofInvalid" } });
    expect(await submit(sameCall(poorKey), { isTraced: true })).toMatchObject(ofSender);
  });

  test("run where the dApp has looked at the transaction's id", async () => {
    setDApp(compiled(6, callable(`if (${expensive(200)}) then [] else throw(toBase58String(i.transactionId))`)));
    const answers = await offerMany();
    expect(answers[0]).toMatchObject(refused);
    expect(answers.at(-1)).toMatchObject(ofSender);
  });

  test("run on another state", async () => {
    setDApp(compiled(6, callable(`if (${expensive(200)}) then [] else throw(toString(lastBlock.height))`)));
    const first = await submit(sameCall(poorKey));
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), to: otherKey, amount: waves }));
    while (node.pool.size > 0) node.step();
    await spendRest(poorKey);
    expect(await submit(sameCall(poorKey))).toMatchObject(ofSender);
    node.mineTo(node.height + 2);
    const later = await submit(sameCall(poorKey));
    expect(later).toMatchObject(refused);
    expect(later).not.toEqual(first);
  });

  test("from peers are remembered apart, since their scripts run less far", async () => {
    await submit(sameCall(poorKey));
    const signed = { signedTransaction: encodeProtobuf(sameCall(poorKey)), areSignaturesVerified: true, host: "peer" };
    expect(await node.node.poolCalls.submitFromPeers([signed])).toEqual([{ accepted: true, isNew: true }]);
  });
});

describe("calls that only a limit of this node refuses", () => {
  async function fromPeer(transaction: Transaction): Promise<SubmissionResult | undefined> {
    const signed = { signedTransaction: encodeProtobuf(transaction), areSignaturesVerified: true, host: "peer" };
    const [result] = await node.node.poolCalls.submitFromPeers([signed]);
    return result;
  }
  const refusedHere = { accepted: false, violation: { code: "generic", message: expect.stringContaining("RSA key") } };

  test("use up their sender's budget if a client has sent them", async () => {
    setDApp(bounded(200));
    for (let count = 0; count < CALLS; count++) expect(await submit(call(poorKey))).toMatchObject(refusedHere);
    expect(await submit(call(poorKey))).toMatchObject(ofSender);
  });

  test("use up nothing of it if a peer has sent them, which could not know", async () => {
    setDApp(bounded(1));
    const leastCost = 600;
    for (let spent = 0; spent < MAX_REFUSED_COMPLEXITY.sender; spent += leastCost)
      expect(await fromPeer(call(poorKey))).toMatchObject(refusedHere);
    expect(await fromPeer(call(poorKey))).toMatchObject(refusedHere);
  });
});
