/**
 * What other nodes ask for: ids, blocks, micro-blocks and change sets. Each peer is answered one question after the other, the
 * chain is asked a few at a time, and what is not there is not answered.
 * @source Waves: network/HistoryReplierL1.scala
 */

import type { Signature } from "../../../src/crypto/identities.ts";
import type { SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import { peerHubBytes } from "../../../src/platform/memory-budget.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeFrame } from "../../../src/protocol/messages/frame.ts";
import { frameOf, type MessageContext, type PeerMessage } from "../../../src/protocol/messages/message-table.ts";
import type { ChainForPeers } from "../chain-for-peers.ts";
import type { Timers } from "../connection.ts";
import type { FaultLog } from "../fault-log.ts";
import type { Peer } from "../peer.ts";
import { FrameCache } from "./frame-cache.ts";
import { blockFrame, microBlockFrame, payloadFrame } from "./frames-of-bytes.ts";
import type { KeptMicroBlocks } from "./kept-micro-blocks.ts";
import { Turns } from "./turns.ts";

/**
 * Ids in the questions of one peer that wait. A light node asks for a hundred blocks and their change sets at once. Who asks more is not
 * read until some are answered.
 */
const MOST_WAITING = 256;
const AT_ONCE = 4;
/** After the chain was not to be reached. */
const RETRY_MS = 1_000;
const SIGNATURE_BYTES = 64;

const questionKinds = [
  "getBlockIds",
  "getSignatures",
  "getBlock",
  "getMicroBlock",
  "getBlockSnapshot",
  "getMicroBlockSnapshot",
] as const;
const kinds: ReadonlySet<string> = new Set(questionKinds);

export type Question = Extract<PeerMessage, { readonly kind: (typeof questionKinds)[number] }>;

export interface HistoryReplierFacts {
  readonly faults: FaultLog;
  readonly settings: Pick<SynchronizationSettings, "maxRollback" | "historyReplier">;
  readonly chain: ChainForPeers;
  readonly kept: KeptMicroBlocks;
  readonly messages: MessageContext;
  readonly timers: Timers;
}

/** Questions of one peer. */
interface Waiting {
  readonly questions: Question[];
  /** In these questions. */
  ids: number;
  /** Goes on with reading what the peer sends. */
  readonly resume: (() => void)[];
}

export class HistoryReplier {
  readonly #facts: HistoryReplierFacts;
  readonly #waiting = new Map<Peer, Waiting>();
  readonly #turns = new Turns(AT_ONCE);
  readonly #blocks: FrameCache;
  readonly #snapshots: FrameCache;
  readonly #microSnapshots: FrameCache;

  constructor(facts: HistoryReplierFacts) {
    this.#facts = facts;
    const { maxBlockCacheSize, maxMicroBlockCacheSize } = facts.settings.historyReplier;
    this.#blocks = new FrameCache({ maxCount: maxBlockCacheSize, maxBytes: peerHubBytes.cachedBlocks });
    this.#snapshots = new FrameCache({ maxCount: maxBlockCacheSize, maxBytes: peerHubBytes.cachedSnapshots });
    this.#microSnapshots = new FrameCache({
      maxCount: maxMicroBlockCacheSize,
      maxBytes: peerHubBytes.cachedMicroSnapshots,
    });
  }

  get keptBlocks(): number {
    return this.#blocks.size;
  }

  /** @returns undefined, or when the next message of this peer should be read */
  received(peer: Peer, question: Question): Promise<void> | undefined {
    let waiting = this.#waiting.get(peer);
    if (waiting === undefined) {
      waiting = { questions: [question], ids: idsIn(question), resume: [] };
      this.#waiting.set(peer, waiting);
      void this.#answerAll(peer, waiting);
    } else {
      waiting.questions.push(question);
      waiting.ids += idsIn(question);
    }
    const { ids, resume } = waiting;
    return ids < MOST_WAITING ? undefined : new Promise((resolve) => resume.push(resolve));
  }

  closed(peer: Peer): void {
    const waiting = this.#waiting.get(peer);
    this.#waiting.delete(peer);
    waiting?.questions.splice(0);
    for (const resume of waiting?.resume.splice(0) ?? []) resume();
  }

  async #answerAll(peer: Peer, waiting: Waiting): Promise<void> {
    const { questions, resume } = waiting;
    for (let question = questions.shift(); question !== undefined; question = questions.shift()) {
      waiting.ids -= idsIn(question);
      if (waiting.ids < MOST_WAITING) for (const read of resume.splice(0)) read();
      await peer.drained();
      const frame = await this.#findAnswer(question, true);
      if (frame !== undefined) peer.sendFrame(frame);
    }
    if (this.#waiting.get(peer) === waiting) this.#waiting.delete(peer);
  }

  /**
   * Never rejects.
   * @param mayFail where the chain is not to be reached it is asked once more: the reference shuts out whoever does not answer
   */
  async #findAnswer(question: Question, mayFail: boolean): Promise<Uint8Array | undefined> {
    try {
      return await this.#answer(question);
    } catch (error) {
      this.#facts.faults.add(`the question ${question.kind} of a peer was not answered`, error);
    }
    if (!mayFail) return undefined;
    await new Promise<void>((resolve) => this.#facts.timers.after(RETRY_MS, resolve));
    return this.#findAnswer(question, false);
  }

  async #answer(question: Question): Promise<Uint8Array | undefined> {
    const { chain, kept } = this.#facts;
    switch (question.kind) {
      case "getBlockIds":
        return this.#encode({ kind: "blockIds", value: await this.#idsAfter(question.value) });
      case "getSignatures":
        return this.#encode({ kind: "signatures", value: leadingSignatures(await this.#idsAfter(question.value)) });
      case "getBlock":
        return this.#ask(this.#blocks, question.value, () => chain.findBlock(question.value), blockFrame);
      case "getMicroBlock": {
        const payload = kept.find(question.value);
        return payload && microBlockFrame(payload);
      }
      case "getBlockSnapshot":
        return this.#ask(
          this.#snapshots,
          question.value,
          () => chain.findBlockSnapshot(question.value),
          (payload) => payloadFrame("blockSnapshot", payload),
        );
      case "getMicroBlockSnapshot":
        return this.#ask(
          this.#microSnapshots,
          question.value,
          () => chain.findMicroBlockSnapshot(question.value),
          (payload) => payloadFrame("microBlockSnapshot", payload),
        );
    }
  }

  #ask(
    cache: FrameCache,
    id: Uint8Array,
    find: () => Promise<Uint8Array | undefined>,
    frameFor: (payload: Uint8Array) => Uint8Array,
  ): Promise<Uint8Array | undefined> {
    return cache.get(id, async () => {
      const payload = await this.#turns.run(find);
      return payload && frameFor(payload);
    });
  }

  async #idsAfter(ids: readonly Uint8Array[]): Promise<BlockId[]> {
    const { chain, settings } = this.#facts;
    return (await this.#turns.run(() => chain.blockIdsAfter(ids, settings.maxRollback))) as BlockId[];
  }

  #encode(message: PeerMessage): Uint8Array {
    return encodeFrame(frameOf(message, this.#facts.messages));
  }
}

/** Whether the history replier answers it. */
export function isQuestion(message: PeerMessage): message is Question {
  return kinds.has(message.kind);
}

/** A question without any takes its place, too. */
function idsIn({ kind, value }: Question): number {
  return kind === "getBlockIds" || kind === "getSignatures" ? Math.max(1, value.length) : 1;
}

/** Ids that an older peer can read: those before the first one that is no signature. */
function leadingSignatures(ids: readonly BlockId[]): Signature[] {
  const end = ids.findIndex(({ length }) => length !== SIGNATURE_BYTES);
  return (end === -1 ? ids : ids.slice(0, end)) as readonly Uint8Array[] as Signature[];
}
