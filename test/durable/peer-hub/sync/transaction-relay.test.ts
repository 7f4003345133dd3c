import { describe, expect, it } from "vitest";
import { blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../../src/crypto/bls.ts";
import { sign } from "../../../../src/crypto/curve25519.ts";
import { utf8Bytes } from "../../../../src/protocol/codec/utf8.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../../src/protocol/transactions/parse-transaction.ts";
import { proofOfPossessionMessage } from "../../../../src/protocol/transactions/proof-of-possession.ts";
import type { Transaction, TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { fromPeers } from "../../../../src/rules/blocks/from-peers.ts";
import { transfersFor } from "../../../support/builders/own-blocks.ts";
import { chainId, extended, genesis, keys } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 2);
const [transfer, second] = transfersFor(5) as [Transaction, Transaction];

/** The same transfer under other ids; its content does not matter here. */
const copies = (count: number, from = 0): Transaction[] =>
  Array.from({ length: count }, (_, index) => {
    const id = new Uint8Array(32);
    new DataView(id.buffer).setUint32(0, from + index + 1);
    return { ...transfer, id: id as Uint8Array as TransactionId };
  });

/** Commitments of one account with one BLS key, whose proof is verified once. */
function commitments(count: number, from = 0): Transaction[] {
  const { publicKey, privateKey } = keys;
  const secretKey = blsSecretKeyOf(privateKey);
  const endorserPublicKey = blsPublicKeyOf(secretKey);
  const generationPeriodStart = 12;
  const commitmentSignature = blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, generationPeriodStart));
  return Array.from({ length: count }, (_, index) => {
    const unsigned = buildTransaction({
      type: TransactionType.CommitToGeneration,
      version: 1,
      chainId,
      sender: publicKey,
      feeAsset: null,
      fee: 10_000_000n,
      timestamp: BigInt(from + index),
      generationPeriodStart,
      endorserPublicKey,
      commitmentSignature,
      proofs: [],
    });
    return { ...unsigned, proofs: [sign(privateKey, unsigned.bodyBytes, new Uint8Array(64))] } as Transaction;
  });
}

function withOtherProofs(signed: Transaction): Transaction {
  const bytes = encodeProtobuf(signed);
  // The signature is at the end.
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return parseSignedTransaction(bytes, chainId, fromPeers);
}

describe("a transaction of a peer", () => {
  it("is submitted to the chain with its signatures verified, and relayed to all others if it is new", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    await source.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(chain.submissions).toEqual([
      [{ signedTransaction: encodeProtobuf(transfer), id: transfer.id, areSignaturesVerified: true, host: "10.0.0.1" }],
    ]);
    expect(other.got("transaction").map(({ id }) => id)).toEqual([transfer.id]);
    expect(source.got("transaction")).toEqual([]);
  });

  it("that commits to generation is submitted with its proof of possession verified, a hundred a minute of all peers", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const flags = () => chain.submissions.flat().map(({ areSignaturesVerified }) => areSignaturesVerified);
    const peers = [newPeer(), newPeer()];
    for (const [index, value] of commitments(102).entries()) {
      await peers[index % 2]?.emit({ kind: "transaction", value });
      await timers.pass(0);
    }
    expect(flags()).toEqual([...new Array<boolean>(100).fill(true), false, false]);
    await timers.pass(60_000);
    for (const value of commitments(1, 200)) await peers[0]?.emit({ kind: "transaction", value });
    await timers.pass(0);
    expect(flags().at(-1)).toBe(true);
  });

  it.each([
    ["known", { accepted: true, isNew: false }],
    ["refused", { accepted: false, violation: { code: "tooFewPeers", connected: 0, minimum: 1 } }],
  ] as const)("that is %s is not passed on", async (_, result) => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    chain.results = () => [result];
    await source.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(other.got("transaction")).toEqual([]);
    expect(source.isClosed).toBe(false);
  });

  it("is submitted once until there is another block", async () => {
    const { sync, peer: newPeer, chain, timers } = await testSync(ours);
    const peers = [newPeer(), newPeer()];
    for (const peer of peers) await peer.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(chain.submissions.length).toBe(1);
    chain.blocks = extended(ours, 1);
    sync.onChainEvents({ tip: chain.now });
    await peers[0]?.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(chain.submissions.length).toBe(2);
  });

  it("is submitted once more after a micro-block, in whose state it may fit", async () => {
    const { sync, peer: newPeer, chain, timers } = await testSync(ours);
    const peers = [newPeer(), newPeer()];
    await peers[0]?.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    chain.totalId = new Uint8Array(32).fill(7);
    sync.onChainEvents({ tip: chain.now });
    await peers[1]?.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(chain.submissions.length).toBe(2);
  });

  it("that failed by an error of the node is submitted once more", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    chain.results = (submissions) =>
      submissions.map(() => (chain.submissions.length === 1 ? "failed" : { accepted: true, isNew: true }));
    await source.emit({ kind: "transaction", value: transfer });
    await timers.pass(0);
    expect(other.got("transaction")).toEqual([]);
    await timers.pass(1_000);
    expect(other.got("transaction").length).toBe(1);
    chain.results = (submissions) => submissions.map(() => "failed");
    await source.emit({ kind: "transaction", value: second });
    await timers.pass(60_000);
    expect(chain.submissions.length).toBe(4);
  });

  it("to which the chain had no result yet is submitted with the next ones", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    chain.results = (submissions) => submissions.slice(0, 20).map(() => ({ accepted: true, isNew: true }));
    const gate = Promise.withResolvers<void>();
    chain.gates.set("submitTransactions", gate.promise);
    for (const value of copies(51)) await source.emit({ kind: "transaction", value });
    gate.resolve();
    await timers.pass(0);
    expect(chain.submissions.map(({ length }) => length)).toEqual([1, 50, 30, 10]);
    expect(other.got("transaction").length).toBe(51);
  });
});

describe("floods of transactions", () => {
  it("are submitted one batch at a time, and every peer is served", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const peers = Array.from({ length: 100 }, () => newPeer());
    chain.results = (submissions) => submissions.map(() => ({ accepted: true, isNew: false }));
    const gate = Promise.withResolvers<void>();
    chain.gates.set("submitTransactions", gate.promise);
    for (const [index, peer] of peers.entries())
      for (const value of copies(index === 99 ? 1 : 600, index * 1_000))
        await peer.emit({ kind: "transaction", value });
    await timers.pass(0);
    expect(chain.submissions.length).toBe(1);
    gate.resolve();
    await timers.pass(0);
    const submitted = chain.submissions.flat();
    // One with the first call; then as many as there was room for.
    expect(submitted.length).toBe(5_001);
    expect(Math.max(...chain.submissions.map(({ length }) => length))).toBe(50);
  });

  it("of a few peers keep no other peer waiting", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [flooder, honest] = [newPeer(), newPeer()];
    const gate = Promise.withResolvers<void>();
    chain.gates.set("submitTransactions", gate.promise);
    const taken = [];
    for (const value of copies(10_000)) taken.push(await flooder.emit({ kind: "transaction", value }));
    // The ones without room may come from other peers.
    expect(taken.indexOf(false)).toBe(501);
    await honest.emit({ kind: "transaction", value: second });
    gate.resolve();
    await timers.pass(0);
    const submitted = chain.submissions.flat().map(({ id }) => id);
    expect(submitted.length).toBe(502);
    // After the batch in flight, and the one whose turn it was.
    expect(submitted.indexOf(second.id)).toBeLessThanOrEqual(2);
  });

  it("of disconnected peers are dropped", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const gone = newPeer();
    const gate = Promise.withResolvers<void>();
    chain.gates.set("submitTransactions", gate.promise);
    for (const value of copies(100)) await gone.emit({ kind: "transaction", value });
    gone.close();
    gate.resolve();
    await timers.pass(0);
    expect(chain.submissions.flat().length).toBe(1);
    // Other peers may send them.
    await newPeer().emit({ kind: "transaction", value: copies(2)[1] as Transaction });
    await timers.pass(0);
    expect(chain.submissions.flat().length).toBe(2);
  });
});

describe("transactions of clients", () => {
  it("are sent to all", async () => {
    const { sync, peer: newPeer, chain } = await testSync(ours);
    const peers = [newPeer(), newPeer()];
    sync.onChainEvents({ tip: chain.now, transactions: [transfer, second].map(encodeProtobuf) });
    for (const peer of peers) expect(peer.got("transaction").map(({ id }) => id)).toEqual([transfer.id, second.id]);
  });
});

it("with a different signature that is invalid does not keep the signed one from the chain", async () => {
  const { peer: newPeer, chain, timers } = await testSync(ours);
  const [hostile, source, other] = [newPeer(), newPeer(), newPeer()];
  const forged = withOtherProofs(transfer);
  expect(forged.id).toEqual(transfer.id);
  chain.results = (submissions) =>
    submissions.map(({ areSignaturesVerified }) =>
      areSignaturesVerified
        ? { accepted: true, isNew: true }
        : { accepted: false, violation: { code: "tooFewPeers", connected: 0, minimum: 1 } },
    );
  await hostile.emit({ kind: "transaction", value: forged });
  await source.emit({ kind: "transaction", value: transfer });
  await timers.pass(0);
  expect(other.got("transaction").map(({ id }) => id)).toEqual([transfer.id]);
});

describe("a transaction of the older form whose texts are no UTF-8", () => {
  it("has no form in protobuf, and is not submitted as another one", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const fields = {
      ...{
        type: TransactionType.Issue,
        version: 2,
        chainId,
        sender: keys.publicKey,
        fee: 100_000_000n,
        feeAsset: null,
      },
      ...{ description: new Uint8Array(), quantity: 1n, decimals: 0, reissuable: false, script: null },
      ...{ timestamp: 1n, proofs: [] },
    } as const;
    const signedIssue = (name: Uint8Array): Transaction => {
      const unsigned = buildTransaction({ ...fields, name });
      const signature = sign(keys.privateKey, unsigned.bodyBytes, new Uint8Array(64));
      return buildTransaction({ ...fields, name, proofs: [signature] });
    };
    const good = signedIssue(utf8Bytes("good name"));
    for (const value of [signedIssue(Uint8Array.of(255, 254, 253, 252)), good])
      await newPeer().emit({ kind: "legacyTransaction", value });
    await timers.pass(0);
    expect(chain.submissions.flat().map(({ id }) => Buffer.from(id ?? []).toString("hex"))).toEqual([
      Buffer.from(good.id).toString("hex"),
    ]);
  });
});
