/**
 * Data keys with halves of surrogate pairs, or with `?`, as a process of the reference sees them that has run for long. Its cache tells
 * keys apart by their UTF-16 and keeps the entry of each one's last write, or of its first read, whatever has become of the others that
 * are the same as UTF-8, and so in its database.
 * @see docs/decisions/0069-data-of-the-liquid-block.md
 * @source Waves: database/Caches.scala (accountDataCache)
 */
import { type BytesKey, bytesKey, equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { utf8SizeBytes } from "../../protocol/codec/utf8.ts";
import type { DataValue } from "../../protocol/transactions/transaction.ts";
import { WorkRefused } from "../../ride/work-refused.ts";

/** Blocks after which an entry is forgotten, so that the table that holds them stays small. */
export const rememberedBlocks = 2_000;
/** Reads that are remembered, of a transaction and of the transactions that are applied together: one of them costs next to nothing. */
const mostOfTransaction = 20;
const mostTogether = 10_000;
/** Keys and values of these reads: a transaction that writes as much pays the fee of a call for it. */
const mostBytesOfTransaction = 5_000;
const mostBytesTogether = 1_000_000;
/** No longer key was ever written. */
const maxKeyBytes = 400;
/** Heights of a restart that are tried. */
const mostRestarts = 2;

type FoundValue = DataValue | undefined;

/** What the tables say of a key beside its stored entry. */
export interface RememberedData {
  /** The entry of the last write by this spelling, or of its first read, and the height of it. */
  readonly last: { readonly value: FoundValue; readonly height: number } | undefined;
  /** The entry of before the last block that wrote any of the spellings. */
  readonly before: { readonly value: FoundValue } | undefined;
}

/** A read of a spelling that nothing was remembered of. */
export interface SpellingRead {
  readonly address: Address;
  readonly key: string;
  readonly value: FoundValue;
}

export interface SpellingsOptions {
  /** Height at which the process began: it remembers nothing of before. */
  readonly since?: number;
  /** Whether its pool has read what it does not remember before the last block that wrote the key. */
  readonly hasReadBefore?: boolean;
  /** Whether reads are refused that differ between processes: in the pool, and in own blocks. */
  readonly refuses?: boolean;
}

export class DataSpellings {
  /** First reads by the transactions that were placed. */
  readonly kept = new Map<BytesKey, SpellingRead>();
  readonly #options: Required<SpellingsOptions>;
  /** Heights of remembered entries that differ from the stored ones. */
  readonly #staleHeights = new Set<number>();
  /** Whether an entry of before the last write would have been another one. */
  #dependsOnPool = false;
  #keptBytes = 0;
  /** Of the transaction that is being judged. */
  #reads = new Map<BytesKey, SpellingRead>();
  #readBytes = 0;

  constructor({ since = 0, hasReadBefore = false, refuses = false }: SpellingsOptions = {}) {
    this.#options = { since, hasReadBefore, refuses };
  }

  /**
   * What a reference may have made of the block, likeliest first: one after the other, as long as anything depended on the one before.
   * At most `2 + 2 * mostRestarts`.
   */
  static *ways(): Iterable<DataSpellings> {
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

  /** @param stored what the database has @throws WorkRefused */
  read(address: Address, key: string, stored: FoundValue, { last, before }: RememberedData): FoundValue {
    const { since, hasReadBefore, refuses } = this.#options;
    const isStale = last !== undefined && !isSame(last.value, stored);
    if (isStale) this.#staleHeights.add(last.height);
    const isKnown = last !== undefined && last.height >= since;
    const isUnsure = !isKnown && before !== undefined && !isSame(before.value, stored);
    if (isUnsure) this.#dependsOnPool = true;
    if (refuses && (isStale || isUnsure))
      throw new WorkRefused(
        "a script reads a data key with half of a surrogate pair, of which nodes think differently",
      );
    if (isKnown) return last.value;
    const value = isUnsure && hasReadBefore ? before.value : stored;
    const sizeBytes = sizeOfRead({ address, key, value });
    const hasRoom = this.#reads.size < mostOfTransaction && this.#readBytes + sizeBytes <= mostBytesOfTransaction;
    if (hasRoom && utf8SizeBytes(key) <= maxKeyBytes) {
      this.#reads.set(`${bytesKey(address)}${key}` as BytesKey, { address, key, value });
      this.#readBytes += sizeBytes;
    }
    return value;
  }

  /** The next transaction is judged. */
  begin(): void {
    this.#reads = new Map();
    this.#readBytes = 0;
  }

  /** Of the transaction that was judged last. */
  reads(): ReadonlyMap<BytesKey, SpellingRead> {
    return this.#reads;
  }

  /** The transactions are placed once more, from the first one on. */
  forgetKept(): void {
    this.kept.clear();
    this.#keptBytes = 0;
  }

  /** The transaction is placed. */
  keep(reads: ReadonlyMap<BytesKey, SpellingRead>): void {
    for (const [key, read] of reads) {
      const sizeBytes = sizeOfRead(read);
      if (this.kept.size >= mostTogether || this.#keptBytes + sizeBytes > mostBytesTogether) continue;
      this.kept.set(key, read);
      this.#keptBytes += sizeBytes;
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
