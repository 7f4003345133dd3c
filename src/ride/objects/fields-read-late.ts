/** Fields of an object, one of which is computed at its first access, alone or with all others. */
import type { Value } from "../values/value.ts";

export class FieldsReadLate extends Map<string, Value> {
  readonly #name: string;
  #read: (() => Value) | undefined;

  /** @param fields all fields; the given value of `name` is never visible */
  constructor(fields: Iterable<readonly [string, Value]>, name: string, read: () => Value) {
    super();
    for (const [field, value] of fields) super.set(field, value);
    this.#name = name;
    this.#read = read;
  }

  override get(name: string): Value | undefined {
    if (name === this.#name) this.#readNow();
    return super.get(name);
  }

  override values(): MapIterator<Value> {
    this.#readNow();
    return super.values();
  }

  override entries(): MapIterator<[string, Value]> {
    this.#readNow();
    return super.entries();
  }

  override forEach(each: (value: Value, name: string, all: Map<string, Value>) => void): void {
    this.#readNow();
    super.forEach(each);
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  #readNow(): void {
    const read = this.#read;
    if (read === undefined) return;
    this.#read = undefined;
    super.set(this.#name, read());
  }
}
