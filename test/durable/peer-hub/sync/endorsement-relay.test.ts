import { describe, expect, it } from "vitest";
import { ErrorLog } from "../../../../durable/peer-hub/error-log.ts";
import { EndorsementRelay } from "../../../../durable/peer-hub/sync/endorsement-relay.ts";
import { OpenPeers } from "../../../../durable/peer-hub/sync/open-peers.ts";
import type { ConflictEndorsement } from "../../../../src/protocol/blocks/block.ts";
import { encodeEndorsement, parseEndorsement } from "../../../../src/protocol/messages/endorsement.ts";
import type { VotingRound } from "../../../../src/rules/finality/voting-round.ts";
import { extended, genesis } from "../../../support/builders/test-block.ts";
import { endorsementBy, generatorsWith, roundOf, someBlockId } from "../../../support/builders/test-generators.ts";
import { testSync } from "../../../support/builders/test-sync.ts";
import { FakeChain } from "../../../support/fakes/fake-chain.ts";
import type { FakePeer } from "../../../support/fakes/fake-peer.ts";
import { allDone, FakeTimers } from "../../../support/fakes/fake-timers.ts";

const ours = extended([genesis], 2);
const generators = generatorsWith(0n, 30n, 20n, 50n);
/** The last of four generates; the first has no vote. */
const round = roundOf(generators, 3);
/** Following round: the block of the first one is endorsed now. */
const next: VotingRound = { ...round, endorsedBlockId: someBlockId(10), generator: 1 };
const contradiction = (index: number, other = 77): ConflictEndorsement =>
  endorsementBy(index, { finalizedBlockId: someBlockId(other) });
/** Endorsement with another generator's signature. */
const forged = (index: number): ConflictEndorsement => ({
  ...endorsementBy(index),
  signature: endorsementBy((index % 3) + 1).signature,
});

/** Synchronization in the round, with peers that send and one that listens. */
async function inRound(initial: VotingRound | "none" = round, prepare: (chain: FakeChain) => void = () => {}) {
  const test = await testSync(ours, { prepare });
  const { sync, chain, timers } = test;
  const notifies = (votingRound: VotingRound | undefined, ...endorsements: readonly ConflictEndorsement[]) => {
    sync.onChainEvents({
      tip: chain.now,
      voting: { round: votingRound, endorsements: endorsements.map(encodeEndorsement) },
    });
    return timers.pass(0);
  };
  if (initial !== "none") await notifies(initial);
  const [source, listener] = [test.peer(), test.peer()];
  return {
    ...test,
    source,
    listener,
    notifies,
    sends: async (peer: FakePeer, ...endorsements: readonly ConflictEndorsement[]) => {
      // The next message is read once this one was handled.
      for (const value of endorsements) {
        void peer.emit({ kind: "endorsement", value });
        await timers.pass(0);
      }
      await timers.pass(0);
    },
    /** Indexes of the endorsers sent to the chain. */
    sentIndexes: () => chain.endorsements.flat().map(({ endorsement }) => parseEndorsement(endorsement).endorserIndex),
  };
}

describe("an endorsement of a peer", () => {
  it("is sent to the chain with the key that verified it, and relayed to all other peers", async () => {
    const { chain, source, listener, sends } = await inRound();
    await sends(source, endorsementBy(1));
    const verifiedBy = generators.committed[1]?.endorserPublicKey;
    expect(chain.endorsements).toEqual([[{ endorsement: encodeEndorsement(endorsementBy(1)), verifiedBy }]]);
    expect(listener.got("endorsement")).toEqual([endorsementBy(1)]);
    expect(source.got("endorsement")).toEqual([]);
  });

  it("is verified in a turn of its own, even if other peers have sent one at the same time", async () => {
    const { source, listener, timers, sentIndexes } = await inRound();
    const sent = [source.emit({ kind: "endorsement", value: endorsementBy(1) })];
    sent.push(listener.emit({ kind: "endorsement", value: endorsementBy(2) }));
    await allDone();
    // The next message of neither is read before.
    expect(sentIndexes()).toEqual([]);
    await timers.pass(0);
    expect(await Promise.all(sent)).toEqual([true, true]);
    expect(sentIndexes()).toEqual([1, 2]);
  });

  it("is not relayed if the chain does not accept it", async () => {
    const { chain, source, listener, sends } = await inRound();
    chain.passesOn = () => false;
    await sends(source, endorsementBy(1));
    expect(chain.endorsements.length).toBe(1);
    expect(listener.got("endorsement")).toEqual([]);
  });

  it("is sent once, for all its senders", async () => {
    const { source, listener, sends, sentIndexes } = await inRound();
    await sends(source, endorsementBy(1), endorsementBy(2));
    await sends(listener, endorsementBy(1), contradiction(2), contradiction(2));
    await sends(source, contradiction(2));
    expect(sentIndexes()).toEqual([1, 2, 2]);
  });

  it("is sent in a batch with others that come while the chain is busy", async () => {
    const { chain, source, sends } = await inRound();
    let open = () => {};
    chain.gates.set("applyEndorsements", new Promise((resolve) => (open = resolve)));
    await sends(source, endorsementBy(1), endorsementBy(2), contradiction(2));
    expect(chain.endorsements.map(({ length }) => length)).toEqual([1]);
    chain.gates.clear();
    open();
    await sends(source);
    expect(chain.endorsements.map(({ length }) => length)).toEqual([1, 2]);
  });

  it.each([
    ["of a generator without a vote", endorsementBy(0)],
    ["of the block's generator", endorsementBy(3)],
    ["of an unknown index", { ...endorsementBy(1), endorserIndex: 4 }],
    ["of a block that is not final yet", endorsementBy(1, { finalizedHeight: 6 })],
    ["of another block on the same final one", endorsementBy(1, { endorsedBlockId: someBlockId(8) })],
  ])("%s is not sent to the chain, and blacklists no peer", async (_name, endorsement) => {
    const { source, sends, sentIndexes } = await inRound();
    await sends(source, endorsement);
    expect([sentIndexes(), source.isClosed]).toEqual([[], false]);
  });

  it("with a wrong signature is not sent; the right one after it is", async () => {
    const { source, sends, sentIndexes } = await inRound();
    await sends(source, forged(1));
    expect([sentIndexes(), source.isClosed]).toEqual([[], false]);
    await sends(source, endorsementBy(1));
    expect(sentIndexes()).toEqual([1]);
  });

  it("with a wrong signature closes the peer for a while if repeated, and its host is not read then", async () => {
    const { source, peer: newPeer, sends, sentIndexes } = await inRound();
    await sends(source, ...Array.from({ length: 10 }, () => forged(1)));
    expect(source.suspensions).toBe(0);
    await sends(source, forged(2));
    expect(source.suspensions).toBe(1);
    const again = newPeer({ host: source });
    await sends(again, endorsementBy(1));
    expect(sentIndexes()).toEqual([]);
    const elsewhere = newPeer();
    await sends(elsewhere, endorsementBy(1));
    expect(sentIndexes()).toEqual([1]);
  });

  it("is not verified any more if its host has sent a wrong one, once all hosts in total have sent a hundred", async () => {
    const { source, listener, peer: newPeer, sends, sentIndexes } = await inRound();
    await sends(source, forged(1));
    for (let host = 0; host < 10; host++) await sends(newPeer(), ...Array.from({ length: 10 }, () => forged(1)));
    await sends(source, endorsementBy(1));
    expect([sentIndexes(), source.isClosed]).toEqual([[], false]);
    await sends(listener, endorsementBy(1));
    expect(sentIndexes()).toEqual([1]);
  });

  it("that is conflicting and wrongly signed closes no peer: the Go node relays it unverified. No more of them are verified", async () => {
    const { source, listener, sends, sentIndexes } = await inRound();
    const unsigned = (other: number): ConflictEndorsement => ({
      ...contradiction(1, other),
      signature: endorsementBy(2).signature,
    });
    await sends(source, ...Array.from({ length: 20 }, (_, number) => unsigned(100 + number)));
    expect([source.isClosed, source.suspensions]).toEqual([false, 0]);
    await sends(source, contradiction(1));
    expect(sentIndexes()).toEqual([]);
    await sends(source, endorsementBy(1));
    await sends(listener, contradiction(1));
    expect(sentIndexes()).toEqual([1, 1]);
  });

  it("that is conflicting is sent, two of an endorser at most", async () => {
    const { source, sends, sentIndexes } = await inRound();
    await sends(source, contradiction(1, 77), contradiction(1, 78), contradiction(1, 79), contradiction(2, 77));
    expect(sentIndexes()).toEqual([1, 1, 2]);
  });

  it("of a lower height is sent, unless it is one of the round before", async () => {
    const { source, sends, notifies, sentIndexes } = await inRound();
    await notifies({ ...next, finalizedHeight: 8, finalizedBlockId: someBlockId(8) });
    await sends(source, endorsementBy(2), endorsementBy(3, { finalizedHeight: 7, finalizedBlockId: someBlockId(7) }));
    expect(sentIndexes()).toEqual([3]);
  });

  it("that comes before its block waits for it", async () => {
    const { source, listener, sends, notifies, sentIndexes } = await inRound();
    const early = [2, 3].map((index) => endorsementBy(index, { endorsedBlockId: next.endorsedBlockId }));
    await sends(source, ...early);
    expect(sentIndexes()).toEqual([]);
    await notifies(next);
    await sends(source);
    expect(sentIndexes()).toEqual([2, 3]);
    expect(listener.got("endorsement")).toEqual(early);
  });

  it("waits for the first round, too", async () => {
    const { source, sends, notifies, sentIndexes } = await inRound("none");
    await sends(source, endorsementBy(1));
    expect(sentIndexes()).toEqual([]);
    await notifies(round);
    expect(sentIndexes()).toEqual([1]);
  });

  it("waits with 128 others of its host at most, over any number of connections", async () => {
    const { source, peer: newPeer, sends, notifies, sentIndexes } = await inRound();
    const lies = Array.from({ length: 128 }, (_, number) => ({
      ...endorsementBy(1),
      endorsedBlockId: someBlockId(100 + (number % 100)),
    }));
    for (let connection = 0; connection < 9; connection++) await sends(newPeer({ host: source }), ...lies);
    await sends(newPeer(), endorsementBy(2, { endorsedBlockId: next.endorsedBlockId }));
    await notifies(next);
    expect(sentIndexes()).toEqual([2]);
  });

  it("has room to wait, however many hosts have filled the queue", async () => {
    const { peer: newPeer, sends, notifies, sentIndexes } = await inRound();
    const lies = Array.from({ length: 128 }, (_, number) => ({
      ...endorsementBy(1),
      endorsedBlockId: someBlockId(100 + (number % 100)),
    }));
    for (let host = 0; host < 8; host++) await sends(newPeer(), ...lies);
    const early = [2, 3].map((index) => endorsementBy(index, { endorsedBlockId: next.endorsedBlockId }));
    await sends(newPeer(), ...early);
    await notifies(next);
    expect(sentIndexes()).toEqual([2, 3]);
  });

  it("waits with 127 others of its peer at most, and leaves room to other peers", async () => {
    const { source, listener, sends, notifies, sentIndexes } = await inRound();
    const early = endorsementBy(2, { endorsedBlockId: next.endorsedBlockId });
    const made = (number: number) => ({ ...early, endorsedBlockId: someBlockId(100 + number) });
    await sends(source, ...Array.from({ length: 128 }, (_, number) => made(number % 100)), early);
    await sends(listener, endorsementBy(3, { endorsedBlockId: next.endorsedBlockId }));
    await notifies(next);
    expect(sentIndexes()).toEqual([3]);
  });

  it("is sent again when the chain begins the same round again: it has forgotten the endorsements", async () => {
    const { source, sends, notifies, sentIndexes } = await inRound();
    await sends(source, endorsementBy(1), contradiction(2));
    await notifies(round);
    expect(sentIndexes()).toEqual([1, 2, 1, 2]);
    await notifies(next);
    expect(sentIndexes()).toEqual([1, 2, 1, 2]);
  });

  it("is lost to the chain when that does not respond, and sent once it begins the round again", async () => {
    const { chain, source, sends, notifies, sentIndexes, errors } = await inRound();
    chain.broken.add("applyEndorsements");
    await sends(source, endorsementBy(1));
    expect(errors).toEqual([expect.stringContaining("the chain returned no result for endorsements")]);
    chain.broken.clear();
    await notifies(round);
    expect(sentIndexes()).toEqual([1, 1]);
  });
});

describe("pending endorsements", () => {
  /** Relay without a synchronization. */
  async function relayIn(initial: VotingRound) {
    const chain = new FakeChain(ours);
    const timers = new FakeTimers(chain.now.tipTimestampMs);
    const peers = new OpenPeers();
    const relay = new EndorsementRelay({ chain, timers, peers, errorLog: new ErrorLog(() => timers.nowMs()) });
    relay.onRoundStart({ round: initial, endorsements: [] });
    const { peer: newPeer } = await testSync(ours);
    return { relay, timers, newPeer };
  }

  it("are at most two for each generator, regardless of the number sent", async () => {
    const { relay, timers, newPeer } = await relayIn(round);
    const peer = newPeer();
    const sent = [1, 2].flatMap((index) => [
      endorsementBy(index),
      ...[77, 78, 79, 80].map((other) => contradiction(index, other)),
    ]);
    for (const endorsement of [...sent, ...sent]) void relay.received(peer, endorsement);
    await timers.pass(0);
    expect(relay.size).toBe(6);
    relay.onRoundStart({ round: next, endorsements: [] });
    expect(relay.size).toBe(0);
  });

  it("are 1,024 at most until their block comes, of all peers in total, and are dropped with the next round", async () => {
    const { relay, timers, newPeer } = await relayIn(round);
    const early = endorsementBy(2, { endorsedBlockId: next.endorsedBlockId });
    for (let sender = 0; sender < 20; sender++) {
      const peer = newPeer();
      for (let number = 0; number < 100; number++)
        void relay.received(peer, { ...early, endorsedBlockId: someBlockId(100 + number) });
    }
    expect(relay.size).toBe(1_024);
    relay.onRoundStart({ round: next, endorsements: [] });
    await timers.pass(0);
    expect(relay.size).toBe(0);
  });
});

describe("the chain's own endorsements", () => {
  it("go to all peers, a moment after the block", async () => {
    const { source, listener, notifies, timers } = await inRound("none");
    await notifies(round, endorsementBy(1), endorsementBy(2));
    expect(listener.got("endorsement")).toEqual([]);
    await timers.pass(200);
    for (const peer of [source, listener])
      expect(peer.got("endorsement")).toEqual([endorsementBy(1), endorsementBy(2)]);
  });
});

describe("a start", () => {
  it("requests the current round from the chain", async () => {
    const { source, sends, sentIndexes } = await inRound("none", (chain) => {
      chain.round = round;
    });
    await sends(source, endorsementBy(1));
    expect(sentIndexes()).toEqual([1]);
  });

  it("keeps a notification of the chain that came after the request", async () => {
    let respond = () => {};
    const { source, sends, sentIndexes } = await inRound(next, (chain) => {
      chain.round = round;
      chain.gates.set("votingRound", new Promise((resolve) => (respond = resolve)));
    });
    respond();
    await sends(source, endorsementBy(1), endorsementBy(2, { endorsedBlockId: next.endorsedBlockId }));
    expect(sentIndexes()).toEqual([2]);
  });

  it("goes on without a response", async () => {
    const { source, sends, notifies, sentIndexes, errors } = await inRound("none", (chain) => {
      chain.broken.add("votingRound");
    });
    expect(errors).toEqual([expect.stringContaining("the chain did not return the voting round")]);
    await notifies(round);
    await sends(source, endorsementBy(1));
    expect(sentIndexes()).toEqual([1]);
  });
});
