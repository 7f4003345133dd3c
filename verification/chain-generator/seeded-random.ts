/** Deterministic pseudo-random numbers. @source Bob Jenkins: small fast counting generator (sfc32) */
import { sha256 } from "../../src/crypto/hash.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";

export class SeededRandom {
  readonly #words: Uint32Array;

  constructor(seed: string) {
    const digest = sha256(utf8Bytes(seed));
    this.#words = new Uint32Array(digest.slice().buffer, 0, 4);
  }

  /** Integer from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit);
  }

  /** Integer, both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Integer with both ends included; every count of digits is equally likely. */
  amount(least: bigint, most: bigint): bigint {
    const span = most - least + 1n;
    if (span <= 1n) return least;
    const digits = this.below(span.toString().length) + 1;
    const top = 10n ** BigInt(digits);
    return least + (this.#wide() % (top < span ? top : span));
  }

  boolean(probability: number): boolean {
    return this.#next() < probability * 2 ** 32;
  }

  /** @throws RangeError the list is empty */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError("nothing to pick from");
    return items[this.below(items.length)] as T;
  }

  /** An item with probability proportional to its weight. @throws RangeError the list is empty */
  pickByWeight<T extends { readonly weight: number }>(items: readonly T[]): T {
    const total = items.reduce((sum, { weight }) => sum + weight, 0);
    let point = (this.#next() / 2 ** 32) * total;
    for (const item of items) {
      point -= item.weight;
      if (point < 0) return item;
    }
    return this.pick(items);
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.below(256));
  }

  /** Characters from an alphabet. */
  text(length: number, alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"): string {
    const characters = [...alphabet];
    return Array.from({ length }, () => this.pick(characters)).join("");
  }

  #wide(): bigint {
    return (BigInt(this.#next()) << 32n) | BigInt(this.#next());
  }

  #next(): number {
    const words = this.#words as Uint32Array & { 0: number; 1: number; 2: number; 3: number };
    const result = (words[0] + words[1] + words[3]) >>> 0;
    words[3] = words[3] + 1;
    words[0] = words[1] ^ (words[1] >>> 9);
    words[1] = words[2] + (words[2] << 3);
    words[2] = ((words[2] << 21) | (words[2] >>> 11)) + result;
    return result;
  }
}
