/** Cached results of a pattern's tests on the characters of one key: each test runs once per different character. */

const unknown = 0;
const passed = 1;
const failed = 2;

export class SeenCharacters {
  readonly #tests: number;
  /** Number of each character of the key among the different ones. */
  #places = new Int32Array(0);
  #different = 0;
  /** Results by test and different character. */
  #answers = new Uint8Array(0);

  /** @param tests number of tests */
  constructor(tests: number) {
    this.#tests = tests;
  }

  /** Drops the results of the key before. */
  begin(key: readonly number[]): void {
    if (this.#tests === 0) return;
    const numbers = new Map<number, number>();
    if (this.#places.length < key.length) this.#places = new Int32Array(key.length);
    for (const [index, character] of key.entries()) {
      const number = numbers.get(character) ?? numbers.size;
      numbers.set(character, number);
      this.#places[index] = number;
    }
    this.#different = numbers.size;
    const cells = this.#tests * numbers.size;
    if (this.#answers.length < cells) this.#answers = new Uint8Array(cells);
    else this.#answers.fill(unknown, 0, cells);
  }

  /** @returns undefined: the test has not run on the character yet */
  find(test: number, index: number): boolean | undefined {
    const result = this.#answers[this.#cell(test, index)];
    return result === unknown ? undefined : result === passed;
  }

  keep(test: number, index: number, has: boolean): void {
    this.#answers[this.#cell(test, index)] = has ? passed : failed;
  }

  #cell(test: number, index: number): number {
    return test * this.#different + (this.#places[index] as number);
  }
}
