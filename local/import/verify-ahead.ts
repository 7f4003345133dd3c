/**
 * Verifies signatures of blocks that wait while ChainState is busy with earlier ones, on another processor. ChainState
 * itself verifies all signatures that were not reached or not valid here, so it alone decides about blocks.
 */
import { setImmediate } from "node:timers/promises";
import { BlockFileReader } from "../../src/protocol/blocks/block-file.ts";
import { readFiledBlock } from "../../src/rules/blocks/read-filed-block.ts";
import { encodeFlags, ownSignatureAlone, verifiedSignatures } from "../../src/rules/blocks/verified-signatures.ts";
import type { BlockChunk } from "./block-file.ts";

/** Most chunks read ahead of ChainState. */
const CHUNKS_AHEAD = 4;
/** Longest work slice, after which a response of ChainState might wait. */
const SLICE_MS = 2;

export interface VerifiedChunk extends BlockChunk {
  /** `encodeFlags` of the signatures verified before the chunk was requested. */
  readonly verified: string;
}

/** A waiting chunk and the results of its signatures. */
interface WaitingChunk {
  readonly chunk: BlockChunk;
  readonly flags: boolean[];
  /** Verifies one signature a step. */
  readonly verification: Iterator<boolean>;
  isVerified: boolean;
}

/** End of the file, or an error. */
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
   * The next chunk; undefined after the last one.
   * @throws the error of reading, after the chunks before it
   */
  async next(): Promise<VerifiedChunk | undefined> {
    if (this.#waiting.length === 0) await this.#read();
    const next = this.#waiting.shift();
    if (next !== undefined) return { ...next.chunk, verified: encodeFlags(next.flags) };
    if (this.#end !== undefined && this.#end !== "end") throw this.#end.error;
    return undefined;
  }

  /** Awaits the response, and meanwhile verifies signatures of the next chunks. */
  async until<T>(result: Promise<T>): Promise<T> {
    let isSettled = false;
    const onSettled = (): void => {
      isSettled = true;
    };
    result.then(onSettled, onSettled);
    while (!isSettled) {
      const chunk = this.#waiting.find(({ isVerified }) => !isVerified);
      if (chunk !== undefined) verifySome(chunk);
      else if (this.#end === undefined && this.#waiting.length < CHUNKS_AHEAD) await this.#read();
      else break;
      await setImmediate();
    }
    return result;
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
    // With snapshots, the transactions' signatures are not needed.
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
