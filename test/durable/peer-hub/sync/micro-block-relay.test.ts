import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { sign } from "../../../../src/crypto/curve25519.ts";
import type { Signature } from "../../../../src/crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../../../src/crypto/seed.ts";
import type { BlockId, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { encodeMicroBlock, microBlockSignedBytes } from "../../../../src/protocol/messages/micro-block.ts";
import {
  buildMicroBlockInv,
  encodeMicroBlockInv,
  type MicroBlockInv,
} from "../../../../src/protocol/messages/micro-block-inv.ts";
import { transfersFor } from "../../../support/builders/own-blocks.ts";
import { chainId, extended, genesis, keys } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 2);
const keyBlockId = ours.at(-1)?.id as BlockId;
const random = (sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes).fill(5);
const idOf = (number: number): BlockId => new Uint8Array(32).fill(number) as Uint8Array as BlockId;

function microBlock(totalBlockId: BlockId, reference: BlockId): MicroBlock {
  const unsigned = {
    version: 5,
    reference,
    totalBlockSignature: new Uint8Array(64) as Signature,
    sender: keys.publicKey,
    transactions: transfersFor(5),
    stateHash: undefined,
    finalizationVoting: undefined,
  };
  return { ...unsigned, signature: sign(keys.privateKey, microBlockSignedBytes(unsigned), random(64)), totalBlockId };
}

const invOf = (totalBlockId: BlockId, reference: BlockId): MicroBlockInv =>
  buildMicroBlockInv({ totalBlockId, reference }, keys, random, chainId);

const first = microBlock(idOf(1), keyBlockId);
const firstInv = invOf(idOf(1), keyBlockId);

describe("a micro-block", () => {
  it("is requested from its announcer, applied, and announced to the peers without it", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, owner, other] = [newPeer(), newPeer(), newPeer()];
    await source.emit({ kind: "microBlockInv", value: firstInv });
    expect(source.got("getMicroBlock")).toEqual([idOf(1)]);
    await owner.emit({ kind: "microBlockInv", value: firstInv });
    expect(owner.got("getMicroBlock")).toEqual([]);
    void source.emit({ kind: "microBlock", value: first });
    // No timer is involved.
    await timers.pass(0);
    expect(chain.totalId).toEqual(idOf(1));
    expect(other.got("microBlockInv")).toEqual([firstInv]);
    expect([...source.got("microBlockInv"), ...owner.got("microBlockInv")]).toEqual([]);
  });

  it("is sent to peers that request it", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    await source.emit({ kind: "microBlockInv", value: firstInv });
    await source.emit({ kind: "microBlock", value: first });
    await other.emit({ kind: "getMicroBlock", value: idOf(1) });
    await other.emit({ kind: "getMicroBlock", value: idOf(9) });
    await timers.pass(0);
    expect(other.got("microBlock").map(encodeMicroBlock)).toEqual([encodeMicroBlock(first)]);
  });

  it("is requested once its reference is the tip", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const source = newPeer();
    await source.emit({ kind: "microBlockInv", value: invOf(idOf(2), idOf(1)) });
    expect(source.got("getMicroBlock")).toEqual([]);
    await source.emit({ kind: "microBlockInv", value: firstInv });
    await source.emit({ kind: "microBlock", value: first });
    await timers.pass(0);
    expect(source.got("getMicroBlock")).toEqual([idOf(1), idOf(2)]);
  });

  it("is requested from one other peer, if the first does not send it in time", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const peers = [newPeer(), newPeer(), newPeer()];
    for (const peer of peers) await peer.emit({ kind: "microBlockInv", value: firstInv });
    const requestCounts = () => peers.map((peer) => peer.got("getMicroBlock").length);
    expect(requestCounts()).toEqual([1, 0, 0]);
    await timers.pass(1_999);
    expect(requestCounts()).toEqual([1, 0, 0]);
    await timers.pass(1);
    expect(requestCounts()).toEqual([1, 1, 0]);
    await timers.pass(60_000);
    expect(requestCounts()).toEqual([1, 1, 0]);
  });

  it("is not accepted from a peer that it was not requested from", async () => {
    const { peer: newPeer, chain } = await testSync(ours);
    const [source, stranger] = [newPeer(), newPeer()];
    await source.emit({ kind: "microBlockInv", value: firstInv });
    await stranger.emit({ kind: "microBlock", value: first });
    await source.emit({ kind: "microBlock", value: microBlock(idOf(7), keyBlockId) });
    expect(chain.count("applyMicroBlock")).toBe(0);
    await source.emit({ kind: "microBlock", value: first });
    expect(chain.totalId).toEqual(idOf(1));
  });

  it("is not requested again once the chain has it", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const [source, late] = [newPeer(), newPeer()];
    await source.emit({ kind: "microBlockInv", value: firstInv });
    await source.emit({ kind: "microBlock", value: first });
    await timers.pass(46_000);
    await late.emit({ kind: "microBlockInv", value: firstInv });
    expect(late.got("getMicroBlock")).toEqual([]);
  });

  it("that breaks a rule gets its sender blacklisted, and is requested from another", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    for (const peer of [source, other]) await peer.emit({ kind: "microBlockInv", value: firstInv });
    chain.verdict = () => ({ kind: "refused", reason: "a signature is invalid", isInvalid: true });
    await source.emit({ kind: "microBlock", value: first });
    expect(source.reasons).toEqual([`Could not append microblock ${encodeBase58(idOf(1))}: a signature is invalid`]);
    chain.verdict = undefined;
    await timers.pass(2_000);
    await other.emit({ kind: "microBlock", value: first });
    expect(chain.totalId).toEqual(idOf(1));
  });

  it("that no longer fits harms no peer", async () => {
    const { peer: newPeer, chain } = await testSync(ours);
    const source = newPeer();
    await source.emit({ kind: "microBlockInv", value: firstInv });
    chain.verdict = () => ({ kind: "refused", reason: "it does not fit", isInvalid: false });
    await source.emit({ kind: "microBlock", value: first });
    expect(source.isClosed).toBe(false);
  });

  it("of this node is announced to all, and sent on request", async () => {
    const { sync, peer: newPeer, chain, timers } = await testSync(ours);
    const peers = [newPeer(), newPeer()];
    chain.totalId = idOf(1);
    const own = { inv: encodeMicroBlockInv(firstInv), totalId: idOf(1), microBlock: encodeMicroBlock(first) };
    sync.onChainEvents({ tip: chain.now, microBlock: own });
    for (const peer of peers) {
      expect(peer.got("microBlockInv")).toEqual([firstInv]);
      await peer.emit({ kind: "getMicroBlock", value: idOf(1) });
      await timers.pass(0);
      expect(peer.got("microBlock").length).toBe(1);
    }
  });
});

describe("announcements", () => {
  it("with a wrong signature get their sender blacklisted", async () => {
    const { peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    await peer.emit({ kind: "microBlockInv", value: { ...firstInv, signature: new Uint8Array(64) as Signature } });
    const short = (id: BlockId): string => `${encodeBase58(id).slice(0, 7)}...`;
    expect(peer.reasons).toEqual([
      `InvalidSignature(MicroBlockInv(${short(idOf(1))} ~> ${short(keyBlockId)}) reason: None)`,
    ]);
  });

  it("of unknown micro-blocks do not displace those of real ones", async () => {
    const { peer: newPeer, chain } = await testSync(ours);
    for (let number = 0; number < 40; number++) {
      const hostile = newPeer();
      for (let made = 0; made < 3; made++)
        await hostile.emit({ kind: "microBlockInv", value: invOf(idOf(100 + number * 3 + made), keyBlockId) });
      // Two of one peer on one block are requested.
      expect(hostile.got("getMicroBlock").length).toBe(2);
    }
    const honest = newPeer();
    await honest.emit({ kind: "microBlockInv", value: firstInv });
    await honest.emit({ kind: "microBlock", value: first });
    expect(chain.totalId).toEqual(idOf(1));
  });

  it("without end get their sender suspended", async () => {
    const { peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    for (let number = 0; number <= 100; number++)
      await peer.emit({ kind: "microBlockInv", value: invOf(idOf(number), idOf(number + 1)) });
    expect(peer.suspensions).toBe(1);
    expect(peer.reasons).toEqual([]);
    const again = newPeer({ host: peer });
    await again.emit({ kind: "microBlockInv", value: invOf(idOf(200), idOf(201)) });
    expect(again.suspensions).toBe(1);
  });
});

describe("a peer that announces another node's micro-block as its own", () => {
  it("does not displace the announcement of the generator", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [hostile, source] = [newPeer(), newPeer()];
    const stranger = keyPairOfAccountSeed(new Uint8Array(32).fill(2));
    const forged = buildMicroBlockInv({ totalBlockId: idOf(1), reference: keyBlockId }, stranger, random, chainId);
    await hostile.emit({ kind: "microBlockInv", value: forged });
    await source.emit({ kind: "microBlockInv", value: firstInv });
    expect(source.got("getMicroBlock")).toEqual([idOf(1)]);
    void source.emit({ kind: "microBlock", value: first });
    await timers.pass(0);
    expect(chain.totalId).toEqual(idOf(1));
  });
});
