import { describe, expect, it, vi } from "vitest";
import { blsPublicKeyOf, blsSecretKeyOf, blsVerify } from "../../../../src/crypto/bls.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { NodeSettings } from "../../../../src/network/settings.ts";
import { endorsementSignedBytes } from "../../../../src/protocol/blocks/finalization-voting.ts";
import { parseEndorsement } from "../../../../src/protocol/messages/endorsement.ts";
import type { ChainEvents, RoundStartEvent } from "../../../../src/rpc/chain-for-peers.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { Committee, type CommitteeOptions } from "../../../support/builders/committee.ts";
import { walletKey } from "../../../support/builders/signed-transfer.ts";

/** The first two accounts of the committee are the node's own; the third is on another node. */
const ownAccounts: NodeSettings = { ...privateNetwork.node, walletAccounts: 3 };
const foreign = 2;
const three: CommitteeOptions = { balances: [2_000_000n, 2_000_000n, 2_000_000n], node: ownAccounts };

/** Committee in its period, and its node's notifications about votings. */
function listening(options: Parameters<typeof Committee.committed>[0] = {}) {
  const events: RoundStartEvent[] = [];
  const peers = {
    onChainEvents: async ({ voting }: ChainEvents) => {
      if (voting !== undefined) events.push(voting);
    },
  };
  const committee = Committee.committed({ ...three, ...options, peers });
  return { committee, told: events, node: committee.node.node };
}

/** Indexes of the endorsers in the last notified round. */
function endorsersOf(rounds: readonly RoundStartEvent[]): readonly number[] | undefined {
  return rounds.at(-1)?.endorsements.map((payload) => parseEndorsement(payload).endorserIndex);
}

/** Endorsement of the tip's parent by a member, as another node sends it. */
function endorsementOf(committee: Committee, index: number, finalizedHeight = 1) {
  const endorsedBlockId = committee.idAt(committee.view.height - 1);
  return committee.conflict(index, {
    finalizedHeight,
    finalizedBlockId: committee.idAt(finalizedHeight),
    endorsedBlockId,
  });
}

/** Time just after the tip: no account may forge yet, and transactions sent now are not too old. */
function momentAfter(committee: Committee): number {
  return Number(committee.chain.stored.tip().timestamp) + 1;
}

/** Next micro-block of the node on its own tip. */
function extended(committee: Committee, from = foreign) {
  const { node } = committee;
  const { nowMs } = node;
  node.nowMs = momentAfter(committee);
  node.broadcast(committee.transfer(from));
  const microBlock = node.miner.makeMicroBlock(node.nowMs);
  node.nowMs = nowMs;
  if (microBlock === undefined) throw new Error("the node has made no micro-block");
  return microBlock;
}

describe("a new block", () => {
  it("of other nodes is endorsed by each account of the wallet that has committed", () => {
    const { committee, told } = listening();
    expect(told).toEqual([]);
    committee.append(foreign);
    expect(told.length).toBe(1);
    expect(told[0]?.round).toMatchObject({
      finalizedHeight: 1,
      finalizedBlockId: committee.idAt(1),
      endorsedBlockId: committee.idAt(2),
      generator: foreign,
    });
    expect(endorsersOf(told)).toEqual([0, 1]);
    for (const endorsement of (told[0]?.endorsements ?? []).map(parseEndorsement)) {
      const publicKey = blsPublicKeyOf(blsSecretKeyOf(committee.key(endorsement.endorserIndex).privateKey));
      expect(blsVerify(publicKey, endorsementSignedBytes(endorsement), endorsement.signature)).toBe(true);
    }
  });

  it("of this node is endorsed by its other accounts, and no peer needs the endorsements", () => {
    const { committee, told } = listening();
    committee.append(0);
    expect(told[0]?.round?.generator).toBe(0);
    expect(endorsersOf(told)).toEqual([]);
    expect(extended(committee).finalizationVoting?.endorserIndexes).toEqual([1]);
  });

  it("begins a round, and a micro-block does not", () => {
    const { committee, told } = listening();
    committee.append(foreign);
    committee.appendMicroBlock(foreign, undefined);
    expect(told.length).toBe(1);
    committee.append(foreign);
    expect(told.length).toBe(2);
    expect(told[1]?.round?.endorsedBlockId).toEqual(committee.idAt(3));
  });

  it("is not endorsed if the account has committed with another BLS key, and the log says so once", () => {
    const log = vi.spyOn(console, "info").mockImplementation(() => {});
    const events: RoundStartEvent[] = [];
    const peers = {
      onChainEvents: async ({ voting }: ChainEvents) => {
        if (voting !== undefined) events.push(voting);
      },
    };
    const committee = new Committee({ ...three, peers });
    const otherKey = walletKey(50);
    const transactions = [
      committee.commitment(committee.key(0), 3, otherKey),
      committee.commitment(committee.key(1), 3),
      committee.commitment(committee.key(foreign), 3),
    ];
    committee.append(0, { transactions });
    committee.append(foreign);
    committee.append(foreign);
    expect(events.map((event) => event.endorsements.map((payload) => parseEndorsement(payload).endorserIndex))).toEqual(
      [[1], [1]],
    );
    const lines = log.mock.calls.flat().filter((line) => String(line).includes("is not its own"));
    expect(lines.length).toBe(1);
  });

  it("is not endorsed by a node that is far behind, but begins a round", () => {
    const { miner } = privateNetwork.node;
    const { committee, told } = listening({
      node: { ...ownAccounts, miner: { ...miner, intervalAfterLastBlockThenGenerationIsAllowedMs: 60_000 } },
    });
    committee.append(foreign);
    expect(told.length).toBe(1);
    expect(endorsersOf(told)).toEqual([]);
  });

  it("is not voted on if its generator has not committed, or its parent is final", () => {
    const { committee, told } = listening({ members: [] });
    committee.append(foreign);
    expect(told).toEqual([]);
    const { committee: alone, told: eventsAlone } = listening({ members: [foreign] });
    alone.append(foreign);
    alone.append(foreign);
    // Its generator holds all: the block before is final as soon as this one is appended.
    expect(eventsAlone.map(({ round }) => round?.finalizedHeight)).toEqual([1, 2]);
  });

  it("is not voted on if it is this node's challenge: no micro-block follows it", () => {
    const { committee, told, node } = listening();
    const [, challenge] = committee.challenge(foreign, committee.key(0));
    committee.node.append(challenge);
    expect(told).toEqual([]);
    expect(node.votingRound()).toBeUndefined();
  });

  it("ends the round if it begins none", () => {
    const { committee, told, node } = listening();
    committee.append(foreign);
    node.rollBack(2, {});
    expect(told.map(({ round }) => round?.generator)).toEqual([foreign, undefined]);
    expect(node.votingRound()).toBeUndefined();
  });
});

describe("an endorsement of another node", () => {
  it("is relayed if it is new, and not if the block is this node's own", () => {
    const { committee, node } = listening();
    committee.append(foreign);
    // Own endorsements are known, and so is the generator's.
    expect([0, 1, foreign].map((index) => node.endorse({ endorsement: endorsementOf(committee, index) }))).toEqual([
      false,
      false,
      false,
    ]);
    const contradiction = committee.conflict(1, { endorsedBlockId: committee.idAt(2) });
    expect(node.endorse({ endorsement: contradiction })).toBe(true);
    expect(node.endorse({ endorsement: contradiction })).toBe(false);

    const { committee: own, node: ownNode } = listening();
    own.append(0);
    expect(ownNode.endorse({ endorsement: endorsementOf(own, foreign) })).toBe(false);
    expect(extended(own, 0).finalizationVoting?.endorserIndexes).toEqual([1]);
  });

  it("is verified, unless it was verified with the right key outside the chain", () => {
    const { committee, node } = listening({ balances: [2_000_000n, 2_000_000n, 2_000_000n, 2_000_000n] });
    committee.append(foreign);
    const unsigned = { ...endorsementOf(committee, 3), signature: endorsementOf(committee, 1).signature };
    expect(node.endorse({ endorsement: unsigned })).toBe(false);
    const keyOf = (index: number) => blsPublicKeyOf(blsSecretKeyOf(committee.key(index).privateKey));
    expect(node.endorse({ endorsement: unsigned, verifiedBy: keyOf(1) })).toBe(false);
    expect(node.endorse({ endorsement: unsigned, verifiedBy: keyOf(3) })).toBe(true);
  });
});

describe("a micro-block of this node", () => {
  it("carries the votes that finalize the parent, covered by the block's id and signature", () => {
    const { committee, node } = listening();
    committee.append(0);
    const microBlock = extended(committee);
    const { header, id } = committee.chain.liquid.block().block;
    expect(header.finalizationVoting).toEqual(microBlock.finalizationVoting);
    expect(id).toEqual(microBlock.totalBlockId);
    expect(extended(committee).finalizationVoting).toBeUndefined();
    expect(node.chain.stored.finalizedHeight()).toBe(1);
    committee.append(foreign);
    expect(node.chain.stored.finalizedHeight()).toBe(2);
  });

  it("carries no votes while the endorsers are too few", () => {
    const { committee, node } = listening({ balances: [2_000_000n, 1_200n, 6_000_000n] });
    committee.append(0);
    expect(extended(committee).finalizationVoting).toBeUndefined();
    expect(node.endorse({ endorsement: endorsementOf(committee, foreign) })).toBe(false);
    expect(extended(committee).finalizationVoting?.endorserIndexes).toEqual([foreign]);
  });

  it("lists endorsers that contradict the chain, who are out of the set from then on", () => {
    const { committee, node } = listening();
    committee.append(0);
    const contradiction = committee.conflict(foreign, { endorsedBlockId: committee.idAt(2) });
    node.endorse({ endorsement: contradiction });
    const { finalizationVoting } = extended(committee);
    expect(finalizationVoting?.conflictEndorsements).toEqual([contradiction]);
    expect(finalizationVoting?.endorserIndexes).toEqual([1]);
    const next = committee.append(0);
    expect(next.header.reference).toEqual(committee.idAt(3));
    expect([...committee.view.conflicts(3)]).toEqual([[foreign, 3]]);
    expect(node.votingRound()?.endorserKeys.map((key) => key !== undefined)).toEqual([true, true, false]);
  });

  it("is made only for transactions, not for votes alone", () => {
    const { committee } = listening();
    committee.append(0);
    const { node } = committee;
    node.nowMs = momentAfter(committee);
    expect(node.miner.makeMicroBlock(node.nowMs)).toBeUndefined();
    expect(node.miner.microBlockDueMs()).toBeUndefined();
  });
});

describe("a node that restarts", () => {
  it("has forgotten the endorsements of others, endorses as before, and leaves the block's voting as it is", () => {
    const { committee } = listening({ balances: [2_000_000n, 1_200n, 6_000_000n] });
    committee.append(0);
    committee.node.node.endorse({ endorsement: endorsementOf(committee, foreign) });
    expect(extended(committee).finalizationVoting?.endorserIndexes).toEqual([foreign]);
    const { settings } = committee.view;
    const { database } = committee.node;
    const nowMs = momentAfter(committee);
    const events: RoundStartEvent[] = [];
    const again = new SimulatedNode({
      blockchain: settings,
      node: ownAccounts,
      database,
      startMs: nowMs,
      peers: {
        onChainEvents: async ({ voting }) => {
          if (voting !== undefined) events.push(voting);
        },
      },
    });
    expect(again.node.votingRound()?.generator).toBe(0);
    again.broadcast(committee.transfer(0, 5n));
    const microBlock = again.miner.makeMicroBlock(nowMs);
    expect(microBlock?.transactions.length).toBe(1);
    expect(microBlock?.finalizationVoting).toBeUndefined();
    expect(again.chain.liquid.block().block.header.finalizationVoting?.endorserIndexes).toEqual([foreign]);
    expect(events.map(({ endorsements }) => endorsements)).toEqual([[]]);
  });

  it("endorses the block of another node again: it is the same endorsement", async () => {
    const { committee, told } = listening();
    committee.append(foreign);
    const before = told[0]?.endorsements;
    const laterEvents: RoundStartEvent[] = [];
    const again = new SimulatedNode({
      blockchain: committee.view.settings,
      node: ownAccounts,
      database: committee.node.database,
      startMs: momentAfter(committee),
      peers: {
        onChainEvents: async ({ voting }) => {
          if (voting !== undefined) laterEvents.push(voting);
        },
      },
    });
    expect(laterEvents).toEqual([]);
    await again.node.work();
    expect(laterEvents.map(({ endorsements }) => endorsements)).toEqual([before]);
  });
});

describe("another block at the tip's height", () => {
  it("on the same parent keeps the received endorsements, and is endorsed by the accounts that endorsed the one before", () => {
    const { committee, told, node } = listening({ balances: [2_000_000n, 2_000_000n, 2_000_000n, 2_000_000n] });
    // The earlier one replaces the other one.
    const candidates = [0, foreign].map((generator) => ({ generator, block: committee.block(generator) }));
    const [later, earlier] = candidates.toSorted((left, right) =>
      Number(right.block.header.timestamp - left.block.header.timestamp),
    ) as [(typeof candidates)[number], (typeof candidates)[number]];
    committee.node.append(later.block);
    const endorsement = endorsementOf(committee, 3);
    expect(node.endorse({ endorsement })).toBe(later.generator === foreign);
    committee.node.append(earlier.block);
    expect(told.map(({ round }) => round?.generator)).toEqual([later.generator, earlier.generator]);
    expect(endorsersOf(told)).toEqual(earlier.generator === foreign ? [0] : []);
    expect(node.endorse({ endorsement })).toBe(false);
    expect(node.votingRound()?.endorsedBlockId).toEqual(committee.idAt(2));
  });
});
