/**
 * Verifies signatures of blocks that wait for ChainState, while it is busy with those before them: this process has
 * another processor for it. ChainState verifies itself whatever was not reached here and whatever did not verify, so
 * that it alone decides about blocks.
 */
import { setImmediate } from "node:timers/promises";
import { BlockFileReader } from "../../src/protocol/blocks/block-file.ts";
import { readFiledBlock } from "../../src/rules/blocks/read-filed-block.ts";
import { encodeFlags, ownSignatureAlone, verifiedSignatures } from "../../src/rules/blocks/verified-signatures.ts";
import type { BlockChunk } from "./block-file.ts";

/** Chunks that are read ahead of ChainState at most. */
const CHUNKS_AHEAD = 4;
/** After so long without a break an answer of ChainState might wait. */
const SLICE_MS = 2;

export interface VerifiedChunk extends BlockChunk {
  /** `encodeFlags` of the signatures that were verified before the chunk was asked for. */
  readonly verified: string;
}

/** A chunk that waits, and what is known of its signatures. */
interface WaitingChunk {
  readonly chunk: BlockChunk;
  readonly flags: boolean[];
  /** Verifies the next signature each time that it is asked. */
  readonly verification: Iterator<boolean>;
  isVerified: boolean;
}

/** What comes after the last chunk: nothing, or an error. */
type FileEnd = { readonly error: unknown } | "end";

export class VerifyAhead {
  readonly #chunks: AsyncIterator<BlockChunk>;
  readonly #chainId: number;
  readonly #waiting: WaitingChunk[] = [];
  #end: FileEnd | undefined;

  constructor(chunks: AsyncIterator<BlockChunk>, chainId: number) {
    this.#chunks = chunks;
    this.#chainId = chainId;
  }

  /**
   * The next chunk, undefined after the last one.
   * @throws what reading threw, after the chunks before
   */
  async next(): Promise<VerifiedChunk | undefined> {
    if (this.#waiting.length === 0) await this.#read();
    const next = this.#waiting.shift();
    if (next !== undefined) return { ...next.chunk, verified: encodeFlags(next.flags) };
    if (this.#end !== undefined && this.#end !== "end") throw this.#end.error;
    return undefined;
  }

  /** Awaits the answer, and verifies signatures of the chunks that come next until it is there. */
  async until<T>(answer: Promise<T>): Promise<T> {
    let isAnswered = false;
    const answered = (): void => {
      isAnswered = true;
    };
    answer.then(answered, answered);
    while (!isAnswered) {
      const chunk = this.#waiting.find(({ isVerified }) => !isVerified);
      if (chunk !== undefined) verifySome(chunk);
      else if (this.#end === undefined && this.#waiting.length < CHUNKS_AHEAD) await this.#read();
      else break;
      await setImmediate();
    }
    return answer;
  }

  async #read(): Promise<void> {
    if (this.#end !== undefined) return;
    try {
      const { done, value: chunk } = await this.#chunks.next();
      if (done) this.#end = "end";
      else this.#waiting.push({ chunk, flags: [], verification: flagsOf(chunk, this.#chainId), isVerified: false });
    } catch (error) {
      this.#end = { error };
    }
  }
}

/** Ends at the first block that cannot be read. */
function* flagsOf({ bytes, snapshots }: BlockChunk, chainId: number): Generator<boolean, void> {
  for (const record of new BlockFileReader().push(bytes)) {
    let block: ReturnType<typeof readFiledBlock>;
    try {
      block = readFiledBlock(record.bytes, chainId);
    } catch {
      return;
    }
    // Where snapshots say what transactions did, nobody asks who has signed them.
    yield* snapshots === undefined ? verifiedSignatures(block, chainId) : ownSignatureAlone(block, chainId);
  }
}

function verifySome(waiting: WaitingChunk): void {
  const endMs = performance.now() + SLICE_MS;
  while (performance.now() < endMs) {
    const { done, value } = waiting.verification.next();
    if (done) {
      waiting.isVerified = true;
      return;
    }
    waiting.flags.push(value);
  }
}
