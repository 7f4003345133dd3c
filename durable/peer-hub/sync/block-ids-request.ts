/**
 * Request for the ids of the blocks that a peer has after ours. One peer at a time gets it, and is given up soon; a
 * peer that never responds is blacklisted in the end.
 */
import { type BytesKey, bytesKey, equalBytes } from "../../../src/crypto/bytes.ts";
import type { Signature } from "../../../src/crypto/identities.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { Cancel, Timers } from "../connection.ts";
import type { Peer } from "../peer.ts";
import { afterAwake } from "./awake-timer.ts";
import type { Extension } from "./extension.ts";
import type { SyncTarget } from "./score-observer.ts";

/** Time before another peer is used. */
const WAIT_TIMEOUT_MS = 5_000;
/** Peers of an older release know only signatures as ids of blocks. */
const IDS_SINCE = { major: 1, minor: 2 } as const;
const SIGNATURE_BYTES = 64;

export interface PendingBlockIds {
  readonly of: SyncTarget;
  /** Extension to be continued, which the chain has not applied yet. */
  readonly continuationOf: Extension | undefined;
  /** Extension to be continued, which the chain has refused because its score is too low by itself. */
  readonly longer: Extension | undefined;
  /** Our ids in the request, newest first; undefined: nothing was sent yet. */
  known: readonly BlockId[] | undefined;
  stopWaiting: Cancel | undefined;
}

export interface BlockIdsRequestOptions {
  readonly timers: Timers;
  readonly timeoutMs: number;
  /** Called when the peer has not responded so far. */
  readonly isSlow: (peer: Peer) => void;
  /** Called when the peer has not responded at all. */
  readonly isSilent: (from: SyncTarget) => void;
}

export class BlockIdsRequest {
  readonly #options: BlockIdsRequestOptions;
  #current: PendingBlockIds | undefined;
  readonly #unanswered = new Map<Peer, { readonly current: PendingBlockIds; readonly cancel: Cancel }>();
  /** Our ids in cancelled requests; the responses may be on their way. */
  readonly #forgotten = new Map<Peer, ReadonlySet<BytesKey>>();

  constructor(options: BlockIdsRequestOptions) {
    this.#options = options;
  }

  /** Request in progress. */
  get current(): PendingBlockIds | undefined {
    return this.#current;
  }

  begin(
    of: SyncTarget,
    { continuationOf, longer }: Partial<Pick<PendingBlockIds, "continuationOf" | "longer">> = {},
  ): PendingBlockIds {
    this.#current = { of, continuationOf, longer, known: undefined, stopWaiting: undefined };
    return this.#current;
  }

  /** @param known newest first */
  send(current: PendingBlockIds, known: readonly BlockId[]): void {
    const { timers, timeoutMs, isSlow, isSilent } = this.#options;
    const { peer } = current.of;
    current.known = known;
    current.stopWaiting = afterAwake(timers, Math.min(WAIT_TIMEOUT_MS, timeoutMs), () => {
      if (this.#current === current) this.#current = undefined;
      isSlow(peer);
    });
    if (!this.#unanswered.has(peer)) {
      const cancel = afterAwake(timers, timeoutMs, () => {
        this.#unanswered.delete(peer);
        isSilent(current.of);
      });
      this.#unanswered.set(peer, { current, cancel });
    }
    peer.send(messageFor(peer, known));
  }

  /**
   * Matches ids from a peer with its request.
   * @returns the request; undefined: there was none, or another peer has it by now
   */
  matchResponse(peer: Peer, ids: readonly BlockId[]): PendingBlockIds | undefined {
    if (this.#isOfForgotten(peer, ids)) return undefined;
    const current = this.#current ?? this.#findLate(peer);
    this.#forgive(peer);
    if (current?.known === undefined || current.of.peer !== peer) return undefined;
    this.forget();
    return current;
  }

  /** Whether the response belongs to a cancelled request. It starts with the newest of our ids that the peer has. */
  #isOfForgotten(peer: Peer, [common]: readonly BlockId[]): boolean {
    const forgotten = this.#forgotten.get(peer);
    if (forgotten === undefined || common === undefined) return false;
    this.#forgotten.delete(peer);
    const isForCurrent =
      this.#current?.of.peer === peer && this.#current.known?.some((id) => equalBytes(id, common)) === true;
    return !isForCurrent && forgotten.has(bytesKey(common));
  }

  /** A late response is of use, unless it continues an extension that may be gone. */
  #findLate(peer: Peer): PendingBlockIds | undefined {
    const late = this.#unanswered.get(peer)?.current;
    return late?.continuationOf === undefined ? late : undefined;
  }

  forget(): void {
    if (this.#current === undefined) return;
    const { known, of } = this.#current;
    if (known !== undefined && this.#unanswered.has(of.peer))
      this.#forgotten.set(of.peer, new Set(known.map(bytesKey)));
    this.#forgive(of.peer);
    this.#current.stopWaiting?.();
    this.#current = undefined;
  }

  closed(peer: Peer): void {
    this.#forgive(peer);
    if (this.#current?.of.peer === peer) this.forget();
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
