/** Cached results of a pattern's tests on the characters of one key: each test runs once per different character. */

const unknown = 0;
const passed = 1;
const failed = 2;

export class SeenCharacters {
  readonly #tests: number;
  /** Number of each character of the key among the different ones. */
  #indexes = new Int32Array(0);
  #different = 0;
  /** Results by test and different character. */
  #results = new Uint8Array(0);

  /** @param tests number of tests */
  constructor(tests: number) {
    this.#tests = tests;
  }

  /** Drops the results of the key before. */
  begin(key: readonly number[]): void {
    if (this.#tests === 0) return;
    const numbers = new Map<number, number>();
    if (this.#indexes.length < key.length) this.#indexes = new Int32Array(key.length);
    for (const [index, character] of key.entries()) {
      const number = numbers.get(character) ?? numbers.size;
      numbers.set(character, number);
      this.#indexes[index] = number;
    }
    this.#different = numbers.size;
    const cells = this.#tests * numbers.size;
    if (this.#results.length < cells) this.#results = new Uint8Array(cells);
    else this.#results.fill(unknown, 0, cells);
  }

  /** @returns undefined: the test has not run on the character yet */
  find(test: number, index: number): boolean | undefined {
    const result = this.#results[this.#cell(test, index)];
    return result === unknown ? undefined : result === passed;
  }

  store(test: number, index: number, has: boolean): void {
    this.#results[this.#cell(test, index)] = has ? passed : failed;
  }

  #cell(test: number, index: number): number {
    return test * this.#different + (this.#indexes[index] as number);
  }
}
