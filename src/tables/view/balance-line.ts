/**
 * Effective balances of an account, lowest height first, in 12 bytes each: a generator set may have a million of them.
 */
import type { EffectiveBalance, EffectiveHistory } from "../../rules/consensus/generating-balance.ts";

/** Least number of spare entries after growing. */
const ROOM_ENTRIES = 4;
/** Spare entries as a fraction of the entries, on top of that. */
const ROOM_SHARE = 8;

export class BalanceLine implements EffectiveHistory {
  #heights = new Uint32Array(0);
  #effective = new BigInt64Array(0);
  /** Sums beyond 64 bits, by height: leases could cause them before their patch. */
  #beyond: Map<number, bigint> | undefined;
  #first = 0;
  #end = 0;

  /** @param entries lowest height first */
  constructor(entries: readonly EffectiveBalance[]) {
    this.#makeRoom(entries.length);
    for (const entry of entries) this.put(entry);
  }

  get length(): number {
    return this.#end - this.#first;
  }

  at(index: number): EffectiveBalance | undefined {
    const slot = this.#first + index;
    if (index < 0 || slot >= this.#end) return undefined;
    const height = this.#heights[slot] as number;
    return { height, effective: this.#beyond?.get(height) ?? (this.#effective[slot] as bigint) };
  }

  /** Sets the balance from a height on, which is not below that of the last entry. */
  put({ height, effective }: EffectiveBalance): void {
    if (this.length > 0 && this.#heights[this.#end - 1] === height) this.#end--;
    if (this.#end === this.#heights.length) this.#makeRoom(this.length);
    this.#heights[this.#end] = height;
    this.#effective[this.#end] = effective;
    this.#end++;
    this.#beyond?.delete(height);
    if (BigInt.asIntN(64, effective) !== effective) {
      this.#beyond ??= new Map();
      this.#beyond.set(height, effective);
    }
  }

  /** Drops entries that were in force only before a height. */
  forgetBefore(height: number): void {
    let first = this.#first;
    while (first + 1 < this.#end && (this.#heights[first + 1] as number) <= height) {
      this.#beyond?.delete(this.#heights[first] as number);
      first++;
    }
    this.#first = first;
  }

  /** @param wanted number of entries */
  #makeRoom(entryCount: number): void {
    const { length } = this;
    const size = entryCount + ROOM_ENTRIES + Math.floor(entryCount / ROOM_SHARE);
    const heights = new Uint32Array(size);
    const effective = new BigInt64Array(size);
    heights.set(this.#heights.subarray(this.#first, this.#end));
    effective.set(this.#effective.subarray(this.#first, this.#end));
    this.#heights = heights;
    this.#effective = effective;
    this.#first = 0;
    this.#end = length;
  }
}
