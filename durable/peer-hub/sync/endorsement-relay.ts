/**
 * Relay of endorsements: those that cannot count are dropped unread, signatures are verified here, without the chain,
 * and the chain decides which are new: these go to the other peers. Altogether no more are kept than the generators of
 * one round may have sent.
 *
 * Like in the reference, no peer is blacklisted for an endorsement: on diverging chains honest nodes disagree about the
 * indexes of generators. A peer that repeatedly sends invalid signatures is suspended, since each costs milliseconds;
 * except for endorsements that contradict the chain, which the Go node relays without verifying their signatures.
 * @source docs/protocol/consensus-and-finality.md 3.4, 3.6; Waves 1.6: Application.scala (endorseBlocks)
 */
import { blsVerify } from "../../../src/crypto/bls.ts";
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { encodeEndorsement } from "../../../src/protocol/messages/endorsement.ts";
import type { ChainForPeers, RoundStartEvent } from "../../../src/rpc/chain-for-peers.ts";
import { classifyEndorsement, isSameVoting, type VotingRound } from "../../../src/rules/finality/voting-round.ts";
import type { Timers } from "../connection.ts";
import type { ErrorLog } from "../error-log.ts";
import type { Peer } from "../peer.ts";
import { EarlyEndorsements, type PeerEndorsement } from "./early-endorsements.ts";
import { EndorsementFailures } from "./endorsement-failures.ts";
import { payloadFrame } from "./frames-of-bytes.ts";
import type { OpenPeers } from "./open-peers.ts";

/**
 * Maximum of non-matching endorsements kept per endorser and round: one that conflicts, one late. More change nothing.
 */
const MOST_OTHERS = 2;
/** Number of past rounds whose endorsements are recognized as late. */
const MOST_PAST = 100;
/**
 * Delay before our own endorsements are sent: a peer that gets them before the block drops them, and the block is sent
 * at the same time.
 */
const OWN_DELAY_MS = 200;

export interface EndorsementRelayOptions {
  readonly errorLog: ErrorLog;
  readonly chain: ChainForPeers;
  readonly timers: Timers;
  readonly peers: OpenPeers;
}

/** Endorsement with a valid signature. */
interface Verified extends PeerEndorsement {
  readonly verifiedBy: Uint8Array;
}

/** Endorsements of one endorser in the round. */
interface SeenEndorsements {
  valid: Verified | undefined;
  readonly others: Verified[];
}

/** Place of an endorsement in the round, if its signature is valid. */
interface Claim {
  readonly isExpected: boolean;
  readonly publicKey: Uint8Array;
  readonly seen: SeenEndorsements;
  readonly failures: EndorsementFailures;
}

export class EndorsementRelay {
  readonly #options: EndorsementRelayOptions;
  #round: VotingRound | undefined;
  #hasReceivedRound = false;
  readonly #seen = new Map<number, SeenEndorsements>();
  readonly #early = new EarlyEndorsements();
  /** Endorsed blocks of earlier rounds, and the final blocks then, by height. */
  readonly #pastEndorsed = new Set<BytesKey>();
  readonly #pastFinal = new Map<number, BlockId>();
  /** For matching endorsements, and for those that contradict the chain. */
  readonly #failures: Readonly<Record<"asked" | "contradicting", EndorsementFailures>>;
  /** Last queued verification. */
  #lastVerification: Promise<void> = Promise.resolve();
  #queue: Verified[] = [];
  #isSubmitting = false;

  constructor(options: EndorsementRelayOptions) {
    this.#options = options;
    const failures = (): EndorsementFailures => new EndorsementFailures(() => options.timers.nowMs());
    this.#failures = { asked: failures(), contradicting: failures() };
  }

  /** Fetches the current round. If the chain does not respond, its event of the next round follows anyway. */
  async start(): Promise<void> {
    try {
      const round = await this.#options.chain.votingRound();
      if (!this.#hasReceivedRound) this.onRoundStart({ round, endorsements: [] });
    } catch (error) {
      this.#options.errorLog.add("the chain did not return the voting round", error);
    }
  }

  /** @returns undefined, or a promise that resolves after the verification */
  received(peer: Peer, endorsement: ConflictEndorsement): Promise<void> | undefined {
    const received = { peer, endorsement };
    const claim = this.#claimOf(received);
    if (claim === "beside") this.#bufferIfEarly(received);
    return typeof claim === "string" ? undefined : this.#enqueue(received);
  }

  /**
   * Starts a round. The chain sends the same round again after a restart: then all endorsements are submitted again.
   */
  onRoundStart({ round, endorsements }: RoundStartEvent): void {
    this.#hasReceivedRound = true;
    const before = this.#round;
    this.#round = round;
    if (isSameVoting(before, round)) {
      for (const { valid, others } of this.#seen.values()) this.#submit(...(valid ? [valid] : []), ...others);
    } else {
      this.#seen.clear();
      this.#queue = [];
      if (before !== undefined) this.#remember(before);
      void this.#examineAll(this.#early.drain());
    }
    if (endorsements.length > 0) this.#options.timers.after(OWN_DELAY_MS, () => this.#sendOwn(endorsements));
  }

  /** Number of endorsements in memory. */
  get size(): number {
    let size = this.#early.size;
    for (const { valid, others } of this.#seen.values()) size += others.length + (valid === undefined ? 0 : 1);
    return size;
  }

  #sendOwn(endorsements: readonly Uint8Array[]): void {
    for (const payload of endorsements) this.#options.peers.broadcast(payloadFrame("endorsement", payload));
  }

  #remember({ endorsedBlockId, finalizedHeight, finalizedBlockId }: VotingRound): void {
    this.#pastEndorsed.add(bytesKey(endorsedBlockId));
    this.#pastFinal.set(finalizedHeight, finalizedBlockId);
    dropOldest(this.#pastEndorsed);
    dropOldest(this.#pastFinal);
  }

  /** One that still matches no round is dropped. */
  async #examineAll(early: readonly PeerEndorsement[]): Promise<void> {
    for (const received of early) if (typeof this.#claimOf(received) !== "string") await this.#enqueue(received);
  }

  /** Verifies one signature at a time and yields in between: each takes milliseconds, and many arrive at once. */
  #enqueue(received: PeerEndorsement): Promise<void> {
    this.#lastVerification = this.#lastVerification
      .then(() => new Promise<void>((resolve) => this.#options.timers.after(0, resolve)))
      .then(() => this.#verify(received));
    return this.#lastVerification;
  }

  /** @returns `beside`: it matches no place in the round; `dropped`: it is nothing new, or its host is ignored */
  #claimOf({ peer, endorsement }: PeerEndorsement): "beside" | "dropped" | Claim {
    const meaning = this.#round && classifyEndorsement(this.#round, endorsement);
    if (meaning === undefined || meaning.kind === "refused" || meaning.kind === "beside") return "beside";
    if (meaning.kind === "older" && this.#isLate(endorsement)) return "dropped";
    const isAskedFor = meaning.kind === "valid";
    const heard = this.#seen.get(endorsement.endorserIndex) ?? { valid: undefined, others: [] };
    const isKnown = isAskedFor
      ? heard.valid !== undefined
      : heard.others.length >= MOST_OTHERS || heard.others.some((other) => isSame(other.endorsement, endorsement));
    const failures = this.#failures[isAskedFor ? "asked" : "contradicting"];
    return isKnown || failures.isOver(peer)
      ? "dropped"
      : { isExpected: isAskedFor, publicKey: meaning.publicKey, seen: heard, failures };
  }

  #verify(received: PeerEndorsement): void {
    const { peer, endorsement } = received;
    // The same endorsement may have arrived meanwhile, or a round may have started.
    const claim = this.#claimOf(received);
    if (typeof claim === "string") return;
    const { isExpected, publicKey: verifiedBy, seen, failures } = claim;
    if (!blsVerify(verifiedBy, endorsementSignedBytes(endorsement), endorsement.signature)) {
      if (failures.count(peer) && isExpected) peer.suspend();
      return;
    }
    const verified: Verified = { ...received, verifiedBy };
    if (isExpected) seen.valid = verified;
    else seen.others.push(verified);
    this.#seen.set(endorsement.endorserIndex, seen);
    this.#submit(verified);
  }

  /** It may belong to the next round, whose block is on its way. */
  #bufferIfEarly(received: PeerEndorsement): void {
    const { endorsedBlockId } = received.endorsement;
    const isOfThisRound = this.#round !== undefined && equalBytes(this.#round.endorsedBlockId, endorsedBlockId);
    if (isOfThisRound || this.#pastEndorsed.has(bytesKey(endorsedBlockId))) return;
    this.#early.add(received);
  }

  #isLate({ finalizedHeight, finalizedBlockId }: ConflictEndorsement): boolean {
    const finalId = this.#pastFinal.get(finalizedHeight);
    return finalId !== undefined && equalBytes(finalId, finalizedBlockId);
  }

  #submit(...verified: readonly Verified[]): void {
    this.#queue.push(...verified);
    if (this.#isSubmitting || this.#queue.length === 0) return;
    this.#isSubmitting = true;
    void this.#submitAll();
  }

  async #submitAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const submitted = this.#queue;
      this.#queue = [];
      for (const verified of await this.#submitBatch(submitted)) this.#passOn(verified);
    }
    this.#isSubmitting = false;
  }

  /** Never rejects. */
  async #submitBatch(submitted: readonly Verified[]): Promise<readonly Verified[]> {
    try {
      const areNew = await this.#options.chain.applyEndorsements(
        submitted.map(({ endorsement, verifiedBy }) => ({ endorsement: encodeEndorsement(endorsement), verifiedBy })),
      );
      return submitted.filter((_, index) => areNew[index]);
    } catch (error) {
      this.#options.errorLog.add("the chain returned no result for endorsements", error);
      return [];
    }
  }

  #passOn({ peer, endorsement }: Verified): void {
    this.#options.peers.broadcast(payloadFrame("endorsement", encodeEndorsement(endorsement)), new Set([peer]));
  }
}

/** Removes the oldest entries beyond `MOST_PAST`. */
function dropOldest<Key>(
  past: Pick<Map<Key, unknown> | Set<Key>, "size" | "delete"> & { keys(): Iterable<Key> },
): void {
  for (const oldest of past.keys()) {
    if (past.size <= MOST_PAST) return;
    past.delete(oldest);
  }
}

/** Whether two endorsements of one endorser are the same: BLS has one signature for each message. */
function isSame(one: ConflictEndorsement, other: ConflictEndorsement): boolean {
  return equalBytes(one.signature, other.signature);
}
