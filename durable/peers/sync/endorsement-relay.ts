/**
 * Endorsements of peers: what cannot count is dropped unread, signatures are verified here, beside the chain, and the chain says which
 * of them is new to it: that goes to the other peers. As a whole no more is kept than the generators of one round may have said.
 *
 * As in the reference nobody is shut out for an endorsement: where chains part, honest nodes disagree about who has which index.
 * Whoever sends signatures that do not hold again and again is closed for a while, since each of them costs milliseconds; but for those
 * that would contradict the chain: the Go node passes these on without looking at their signatures.
 * @source docs/protocol/consensus-and-finality.md 3.4, 3.6; Waves 1.6: Application.scala (endorseBlocks)
 */
import { blsVerify } from "../../../src/crypto/bls.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { encodeEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import { isSameVoting, meaningOf, type VotingRound } from "../../../src/rules/finality/voting-round.ts";
import type { ChainForPeers, RoundNews } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { EarlyEndorsements, type Received } from "./early-endorsements.ts";
import { EndorsementFailures } from "./endorsement-failures.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import type { OpenPeers } from "./open-peers.ts";

/**
 * Of one endorser in a round, of those that are not what is asked for: one contradicts the chain, another one may have come late. More of
 * them change nothing.
 */
const MOST_OTHERS = 2;
/** Rounds before the current one whose endorsements are known to come late. */
const MOST_PAST = 100;
/** Before our own are sent: whoever gets them before the block drops them, and the block goes out at the same time. */
const OWN_DELAY_MS = 200;

export interface EndorsementRelayFacts {
  readonly faults: FaultLog;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly peers: OpenPeers;
}

/** One whose signature holds. */
interface Verified extends Received {
  readonly verifiedBy: Uint8Array;
}

/** What an endorser has signed in the round. */
interface Heard {
  valid: Verified | undefined;
  readonly others: Verified[];
}

/** What has a place in the round, if the signature holds. */
interface Claim {
  readonly isAskedFor: boolean;
  readonly publicKey: Uint8Array;
  readonly heard: Heard;
  readonly failures: EndorsementFailures;
}

export class EndorsementRelay {
  readonly #facts: EndorsementRelayFacts;
  #round: VotingRound | undefined;
  #wasTold = false;
  readonly #heard = new Map<number, Heard>();
  readonly #early = new EarlyEndorsements();
  /** Blocks that were endorsed in earlier rounds, and those that were final then, with their heights. */
  readonly #pastEndorsed = new Set<BytesKey>();
  readonly #pastFinal = new Map<number, BlockId>();
  /** Of what is asked for, and of what contradicts the chain. */
  readonly #failures: Readonly<Record<"asked" | "contradicting", EndorsementFailures>>;
  /** Of a signature. */
  #lastTurn: Promise<void> = Promise.resolve();
  #queue: Verified[] = [];
  #isOffering = false;

  constructor(facts: EndorsementRelayFacts) {
    this.#facts = facts;
    const failures = (): EndorsementFailures => new EndorsementFailures(() => facts.timers.nowMs());
    this.#failures = { asked: failures(), contradicting: failures() };
  }

  /** Asks the chain what is voted on. Where it does not answer, it tells of the next round by itself. */
  async start(): Promise<void> {
    try {
      const round = await this.#facts.chain.votingRound();
      if (!this.#wasTold) this.told({ round, endorsements: [] });
    } catch (error) {
      this.#facts.faults.add("the chain did not say what is voted on", error);
    }
  }

  /** @returns undefined, or when its signature was looked at */
  received(peer: Peer, endorsement: ConflictEndorsement): Promise<void> | undefined {
    const received = { peer, endorsement };
    const claim = this.#claimOf(received);
    if (claim === "beside") this.#holdIfEarly(received);
    return typeof claim === "string" ? undefined : this.#inTurn(received);
  }

  /**
   * What the chain votes on from now on. It tells the same round again where it has begun anew: what was heard is new to it
   * then.
   */
  told({ round, endorsements }: RoundNews): void {
    this.#wasTold = true;
    const before = this.#round;
    this.#round = round;
    if (isSameVoting(before, round)) {
      for (const { valid, others } of this.#heard.values()) this.#offer(...(valid ? [valid] : []), ...others);
    } else {
      this.#heard.clear();
      this.#queue = [];
      if (before !== undefined) this.#remember(before);
      void this.#examineAll(this.#early.take());
    }
    if (endorsements.length > 0) this.#facts.timers.after(OWN_DELAY_MS, () => this.#sendOwn(endorsements));
  }

  /** How many endorsements are held in memory. */
  get held(): number {
    let held = this.#early.size;
    for (const { valid, others } of this.#heard.values()) held += others.length + (valid === undefined ? 0 : 1);
    return held;
  }

  #sendOwn(endorsements: readonly Uint8Array[]): void {
    for (const payload of endorsements) this.#facts.peers.broadcast(payloadFrame("endorsement", payload));
  }

  #remember({ endorsedBlockId, finalizedHeight, finalizedBlockId }: VotingRound): void {
    this.#pastEndorsed.add(bytesKey(endorsedBlockId));
    this.#pastFinal.set(finalizedHeight, finalizedBlockId);
    dropOldest(this.#pastEndorsed);
    dropOldest(this.#pastFinal);
  }

  /** What belongs to another round still has waited long enough. */
  async #examineAll(early: readonly Received[]): Promise<void> {
    for (const received of early) if (typeof this.#claimOf(received) !== "string") await this.#inTurn(received);
  }

  /** One signature after the other, with room for all else between them: each takes milliseconds, and many come at once. */
  #inTurn(received: Received): Promise<void> {
    this.#lastTurn = this.#lastTurn
      .then(() => new Promise<void>((resolve) => this.#facts.timers.after(0, resolve)))
      .then(() => this.#verify(received));
    return this.#lastTurn;
  }

  /** @returns `beside`: it has no place in the round; `dropped`: it is nothing new, or its host is not heard any more */
  #claimOf({ peer, endorsement }: Received): "beside" | "dropped" | Claim {
    const meaning = this.#round && meaningOf(this.#round, endorsement);
    if (meaning === undefined || meaning.kind === "refused" || meaning.kind === "beside") return "beside";
    if (meaning.kind === "older" && this.#isLate(endorsement)) return "dropped";
    const isAskedFor = meaning.kind === "valid";
    const heard = this.#heard.get(endorsement.endorserIndex) ?? { valid: undefined, others: [] };
    const isHeard = isAskedFor
      ? heard.valid !== undefined
      : heard.others.length >= MOST_OTHERS || heard.others.some((other) => isSame(other.endorsement, endorsement));
    const failures = this.#failures[isAskedFor ? "asked" : "contradicting"];
    return isHeard || failures.isOver(peer) ? "dropped" : { isAskedFor, publicKey: meaning.publicKey, heard, failures };
  }

  #verify(received: Received): void {
    const { peer, endorsement } = received;
    // Others may have sent it meanwhile, or a round may have begun.
    const claim = this.#claimOf(received);
    if (typeof claim === "string") return;
    const { isAskedFor, publicKey: verifiedBy, heard, failures } = claim;
    if (!blsVerify(verifiedBy, endorsementSignedBytes(endorsement), endorsement.signature)) {
      if (failures.count(peer) && isAskedFor) peer.suspend();
      return;
    }
    const verified: Verified = { ...received, verifiedBy };
    if (isAskedFor) heard.valid = verified;
    else heard.others.push(verified);
    this.#heard.set(endorsement.endorserIndex, heard);
    this.#offer(verified);
  }

  /** It may be one of the next round: its block is on its way. */
  #holdIfEarly(received: Received): void {
    const { endorsedBlockId } = received.endorsement;
    const isOfThisRound = this.#round !== undefined && equalBytes(this.#round.endorsedBlockId, endorsedBlockId);
    if (isOfThisRound || this.#pastEndorsed.has(bytesKey(endorsedBlockId))) return;
    this.#early.hold(received);
  }

  #isLate({ finalizedHeight, finalizedBlockId }: ConflictEndorsement): boolean {
    const ours = this.#pastFinal.get(finalizedHeight);
    return ours !== undefined && equalBytes(ours, finalizedBlockId);
  }

  #offer(...verified: readonly Verified[]): void {
    this.#queue.push(...verified);
    if (this.#isOffering || this.#queue.length === 0) return;
    this.#isOffering = true;
    void this.#offerAll();
  }

  async #offerAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const offered = this.#queue;
      this.#queue = [];
      for (const verified of await this.#newOnes(offered)) this.#passOn(verified);
    }
    this.#isOffering = false;
  }

  /** Never rejects. */
  async #newOnes(offered: readonly Verified[]): Promise<readonly Verified[]> {
    try {
      const arePassedOn = await this.#facts.chain.applyEndorsements(
        offered.map(({ endorsement, verifiedBy }) => ({ endorsement: encodeEndorsement(endorsement), verifiedBy })),
      );
      return offered.filter((_, index) => arePassedOn[index]);
    } catch (error) {
      this.#facts.faults.add("the chain did not say what became of endorsements", error);
      return [];
    }
  }

  #passOn({ peer, endorsement }: Verified): void {
    this.#facts.peers.broadcast(payloadFrame("endorsement", encodeEndorsement(endorsement)), new Set([peer]));
  }
}

/** Leaves no more of them than are kept. */
function dropOldest<Key>(
  past: Pick<Map<Key, unknown> | Set<Key>, "size" | "delete"> & { keys(): Iterable<Key> },
): void {
  for (const oldest of past.keys()) {
    if (past.size <= MOST_PAST) return;
    past.delete(oldest);
  }
}

/** Of two of one endorser: for each message there is one signature. */
function isSame(one: ConflictEndorsement, other: ConflictEndorsement): boolean {
  return equalBytes(one.signature, other.signature);
}
