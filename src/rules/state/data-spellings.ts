/**
 * Data keys with `?` or half of a surrogate pair, as a process of the reference sees them that has run for long. Its
 * cache distinguishes keys by their UTF-16. It holds the value of a key's last write, or of its first read, independent
 * of other keys with the same UTF-8, which share a key in its database.
 * @source Waves: database/Caches.scala (accountDataCache)
 * @see docs/decisions/0069-data-of-the-liquid-block.md
 */
import { type BytesKey, bytesKey, equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** Blocks after which an entry expires, which keeps its table small. */
export const rememberedBlocks = 2_000;
/**
 * Maximum of remembered reads of a transaction, and of the transactions that are applied in a batch: a read costs next
 * to nothing.
 */
const mostOfTransaction = 20;
const mostOfBatch = 10_000;
/** Maximum size of their keys and values: a transaction that writes as much pays the fee of a call for it. */
const mostBytesOfTransaction = 5_000;
const mostBytesOfBatch = 1_000_000;
/** Size limit of keys. */
const maxKeyBytes = 400;
/** Maximum of tried restart heights. */
const mostRestarts = 2;

type FoundValue = DataValue | undefined;

/** Remembered values of a key, in addition to its stored entry. */
export interface RememberedData {
  /** Value of the last write with this spelling, or of its first read, with its height. */
  readonly last: { readonly value: FoundValue; readonly height: number } | undefined;
  /** Value before the last block that wrote any of the spellings. */
  readonly before: { readonly value: FoundValue } | undefined;
}

/** Read of a spelling without a remembered value. */
export interface SpellingRead {
  readonly address: Address;
  readonly key: string;
  readonly value: FoundValue;
}

export interface SpellingsOptions {
  /** Height at which the process started: it remembers nothing earlier. */
  readonly since?: number;
  /** Whether its pool has read every unknown key before the last block that wrote the key. */
  readonly hasReadBefore?: boolean;
  /** Whether to refuse reads that differ between processes: in the pool and in own blocks. */
  readonly refuses?: boolean;
}

/** Observations of reads so far. */
export interface SpellingsState {
  readonly staleHeights: readonly number[];
  readonly dependsOnPool: boolean;
}

export class DataSpellings {
  /** First reads by the included transactions. */
  readonly firstReads = new Map<BytesKey, SpellingRead>();
  readonly #options: Required<SpellingsOptions>;
  /** Heights of remembered entries that differ from the stored ones. */
  readonly #staleHeights = new Set<number>();
  /** Whether a value from before the last write would have differed. */
  #dependsOnPool = false;
  #firstReadBytes = 0;
  /** Reads of the current transaction. */
  #reads = new Map<BytesKey, SpellingRead>();
  #readBytes = 0;

  constructor({ since = 0, hasReadBefore = false, refuses = false }: SpellingsOptions = {}) {
    this.#options = { since, hasReadBefore, refuses };
  }

  /**
   * Variants of a reference node's cache for the block, most likely first; each one only if the previous ones mattered.
   * At most `2 + 2 * mostRestarts`.
   */
  static *variants(): Iterable<DataSpellings> {
    const longRunning = new DataSpellings();
    yield longRunning;
    yield* longRunning.#afterPool();
    const heights = [...longRunning.#staleHeights].sort((left, right) => right - left);
    for (const height of heights.slice(0, mostRestarts)) {
      const restarted = new DataSpellings({ since: height + 1 });
      yield restarted;
      yield* restarted.#afterPool();
    }
  }

  *#afterPool(): Iterable<DataSpellings> {
    if (this.#dependsOnPool) yield new DataSpellings({ ...this.#options, hasReadBefore: true });
  }

  /** @param stored value of the database @throws WorkRefused */
  read(address: Address, key: string, stored: FoundValue, { last, before }: RememberedData): FoundValue {
    const { since, hasReadBefore, refuses } = this.#options;
    const isStale = last !== undefined && !isSame(last.value, stored);
    if (isStale) this.#staleHeights.add(last.height);
    const isKnown = last !== undefined && last.height >= since;
    const isUncertain = !isKnown && before !== undefined && !isSame(before.value, stored);
    if (isUncertain) this.#dependsOnPool = true;
    if (refuses && (isStale || isUncertain))
      throw new WorkRefused(
        "a script reads a data key with half of a surrogate pair, whose value differs between nodes",
      );
    if (isKnown) return last.value;
    const value = isUncertain && hasReadBefore ? before.value : stored;
    const sizeBytes = sizeOfRead({ address, key, value });
    const hasRoom = this.#reads.size < mostOfTransaction && this.#readBytes + sizeBytes <= mostBytesOfTransaction;
    if (hasRoom && utf8SizeBytes(key) <= maxKeyBytes) {
      this.#reads.set(`${bytesKey(address)}${key}` as BytesKey, { address, key, value });
      this.#readBytes += sizeBytes;
    }
    return value;
  }

  /** Observations on which other variants depend. */
  get state(): SpellingsState {
    return { staleHeights: [...this.#staleHeights], dependsOnPool: this.#dependsOnPool };
  }

  /** Continues with stored observations. */
  restore({ staleHeights, dependsOnPool }: SpellingsState): void {
    for (const height of staleHeights) this.#staleHeights.add(height);
    this.#dependsOnPool = dependsOnPool;
  }

  /** Starts the next transaction. */
  begin(): void {
    this.#reads = new Map();
    this.#readBytes = 0;
  }

  /** Reads of the last transaction. */
  reads(): ReadonlyMap<BytesKey, SpellingRead> {
    return this.#reads;
  }

  /** Starts over: the transactions are included again, from the first one on. */
  clearFirstReads(): void {
    this.firstReads.clear();
    this.#firstReadBytes = 0;
  }

  /** Records the reads of an included transaction. */
  addFirstReads(reads: ReadonlyMap<BytesKey, SpellingRead>): void {
    for (const [key, read] of reads) {
      const sizeBytes = sizeOfRead(read);
      if (this.firstReads.size >= mostOfBatch || this.#firstReadBytes + sizeBytes > mostBytesOfBatch) continue;
      this.firstReads.set(key, read);
      this.#firstReadBytes += sizeBytes;
    }
  }
}

function sizeOfRead({ key, value }: SpellingRead): number {
  const content = value?.value;
  const sizeBytes =
    typeof content === "string" ? utf8SizeBytes(content) : content instanceof Uint8Array ? content.length : 8;
  return utf8SizeBytes(key) + sizeBytes;
}

function isSame(left: FoundValue, right: FoundValue): boolean {
  if (left?.type === "binary" && right?.type === "binary") return equalBytes(left.value, right.value);
  return left?.type === right?.type && left?.value === right?.value;
}
