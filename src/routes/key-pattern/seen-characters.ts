/** What the tests of a pattern said of the characters of one key: each is asked once of each character. */

const unknown = 0;
const passed = 1;
const failed = 2;

export class SeenCharacters {
  readonly #tests: number;
  /** For each character of the key its place among the different ones. */
  #places = new Int32Array(0);
  #different = 0;
  /** For each test and each of the different characters. */
  #answers = new Uint8Array(0);

  /** @param tests how many there are */
  constructor(tests: number) {
    this.#tests = tests;
  }

  /** Forgets the key before. */
  begin(key: readonly number[]): void {
    if (this.#tests === 0) return;
    const places = new Map<number, number>();
    if (this.#places.length < key.length) this.#places = new Int32Array(key.length);
    for (const [index, character] of key.entries()) {
      const place = places.get(character) ?? places.size;
      places.set(character, place);
      this.#places[index] = place;
    }
    this.#different = places.size;
    const cells = this.#tests * places.size;
    if (this.#answers.length < cells) this.#answers = new Uint8Array(cells);
    else this.#answers.fill(unknown, 0, cells);
  }

  /** @returns undefined when the test was not asked of the character yet */
  find(test: number, index: number): boolean | undefined {
    const answer = this.#answers[this.#cell(test, index)];
    return answer === unknown ? undefined : answer === passed;
  }

  keep(test: number, index: number, has: boolean): void {
    this.#answers[this.#cell(test, index)] = has ? passed : failed;
  }

  #cell(test: number, index: number): number {
    return test * this.#different + (this.#places[index] as number);
  }
}
