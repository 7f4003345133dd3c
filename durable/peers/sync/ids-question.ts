/**
 * The question which blocks a peer has behind ours. It is put to one peer at a time, and nobody waits long for an answer; who gives
 * none at all is shut out in the end.
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Signature } from "../../../src/crypto/identities.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { afterAwake } from "./awake-timer.ts";
import type { Extension } from "./extension.ts";
import type { SyncWith } from "./score-observer.ts";

/** How long one peer is waited for before another one is asked. */
const PATIENCE_MS = 5_000;
/** Peers of an older release know ids of blocks as signatures only. */
const IDS_SINCE = { major: 1, minor: 2 } as const;
const SIGNATURE_BYTES = 64;

export interface AskedIds {
  readonly of: SyncWith;
  /** They go on where this one ends, which the chain has not applied yet. */
  readonly behind: Extension | undefined;
  /** They go on where this one ends, which the chain has refused because it does not weigh enough by itself. */
  readonly longer: Extension | undefined;
  /** The blocks that it was told, the newest first; undefined: nothing was sent yet. */
  known: readonly BlockId[] | undefined;
  stopWaiting: Cancel | undefined;
}

export interface IdsQuestionFacts {
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** The peer has not answered so far. */
  readonly isSlow: (peer: Peer) => void;
  /** It has not answered at all. */
  readonly isSilent: (from: SyncWith) => void;
}

export class IdsQuestion {
  readonly #facts: IdsQuestionFacts;
  #asked: AskedIds | undefined;
  readonly #unanswered = new Map<Peer, { readonly asked: AskedIds; readonly cancel: Cancel }>();
  /** What peers were told with questions that nobody wants answered any more; the answers may be on their way. */
  readonly #forgotten = new Map<Peer, ReadonlySet<BytesKey>>();

  constructor(facts: IdsQuestionFacts) {
    this.#facts = facts;
  }

  /** What is asked at the moment. */
  get asked(): AskedIds | undefined {
    return this.#asked;
  }

  begin(of: SyncWith, { behind, longer }: Partial<Pick<AskedIds, "behind" | "longer">> = {}): AskedIds {
    this.#asked = { of, behind, longer, known: undefined, stopWaiting: undefined };
    return this.#asked;
  }

  /** @param known the newest first */
  send(asked: AskedIds, known: readonly BlockId[]): void {
    const { timers, timeoutMs, isSlow, isSilent } = this.#facts;
    const { peer } = asked.of;
    asked.known = known;
    asked.stopWaiting = afterAwake(timers, Math.min(PATIENCE_MS, timeoutMs), () => {
      if (this.#asked === asked) this.#asked = undefined;
      isSlow(peer);
    });
    if (!this.#unanswered.has(peer)) {
      const cancel = afterAwake(timers, timeoutMs, () => {
        this.#unanswered.delete(peer);
        isSilent(asked.of);
      });
      this.#unanswered.set(peer, { asked, cancel });
    }
    peer.send(messageFor(peer, known));
  }

  /**
   * The peer has sent ids.
   * @returns what it was asked; undefined: nothing, or that is asked of another one by now
   */
  answeredBy(peer: Peer, ids: readonly BlockId[]): AskedIds | undefined {
    if (this.#isOfForgotten(peer, ids)) return undefined;
    const asked = this.#asked ?? this.#findLate(peer);
    this.#forgive(peer);
    if (asked?.known === undefined || asked.of.peer !== peer) return undefined;
    this.forget();
    return asked;
  }

  /** An answer begins with the newest block of those that the peer was told and that it has. */
  #isOfForgotten(peer: Peer, [common]: readonly BlockId[]): boolean {
    const forgotten = this.#forgotten.get(peer);
    if (forgotten === undefined || common === undefined) return false;
    this.#forgotten.delete(peer);
    const isOfThis = this.#asked?.of.peer === peer && this.#asked.known?.some((id) => equalBytes(id, common)) === true;
    return !isOfThis && forgotten.has(bytesKey(common));
  }

  /** What stood on blocks that the chain had not taken then may stand on nothing now. */
  #findLate(peer: Peer): AskedIds | undefined {
    const late = this.#unanswered.get(peer)?.asked;
    return late?.behind === undefined ? late : undefined;
  }

  forget(): void {
    if (this.#asked === undefined) return;
    const { known, of } = this.#asked;
    if (known !== undefined && this.#unanswered.has(of.peer))
      this.#forgotten.set(of.peer, new Set(known.map(bytesKey)));
    this.#forgive(of.peer);
    this.#asked.stopWaiting?.();
    this.#asked = undefined;
  }

  closed(peer: Peer): void {
    this.#forgive(peer);
    if (this.#asked?.of.peer === peer) this.forget();
    this.#forgotten.delete(peer);
  }

  #forgive(peer: Peer): void {
    this.#unanswered.get(peer)?.cancel();
    this.#unanswered.delete(peer);
  }
}

function messageFor(peer: Peer, known: readonly BlockId[]): PeerMessage {
  const { major, minor } = peer.handshake.version;
  if (major > IDS_SINCE.major || (major === IDS_SINCE.major && minor >= IDS_SINCE.minor))
    return { kind: "getBlockIds", value: known };
  const signatures: readonly Uint8Array[] = known.filter(({ length }) => length === SIGNATURE_BYTES);
  return { kind: "getSignatures", value: signatures as readonly Signature[] };
}
