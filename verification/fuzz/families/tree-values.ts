/** Trees of values of all types, at the limits of their ranges. */
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { call, constant, ref } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, type Value } from "../../../src/ride/values/value.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";

const toBigInteger = 310;
const parseBigInteger = 423;
const cons = 1100;
const tuplePair = 1300;
const bigIntegersSince = 5;
const typedEntriesSince = 4;

const integers = [0n, 1n, -1n, 2n, 5n, 8n, 9n, 19n, 100n, 255n, 1_000n, 2n ** 31n, -(2n ** 31n) - 1n, 2n ** 32n + 1n];
const largeIntegers = [2n ** 63n - 1n, -(2n ** 63n), 165_947n, 165_948n, 32_767n];
const texts = ["", "a", "key", "12", "-7", "base58:", "a,b,c", "\u{1f600}", "\u043f", "deadbeef"];
const byteSizes = [0, 1, 2, 8, 9, 20, 25, 26, 32, 32, 33, 64, 65, 128];
/** An address without an account. */
const someAddress = addressOfPublicKeyHash(new Uint8Array(20).fill(7), "R".charCodeAt(0));
const globals = ["unit", "CEILING", "DOWN", "HALFEVEN", "SHA256", "NOALG", "this", "nil"];

export class TreeValues {
  readonly #random: SeededRandom;
  readonly #version: number;

  constructor(random: SeededRandom, libraryVersion: number) {
    this.#random = random;
    this.#version = libraryVersion;
  }

  /** A value of any type. */
  any(depth = 2): Expression {
    const random = this.#random;
    const kinds = ["Int", "Int", "String", "String", "ByteVector", "ByteVector", "Boolean", "List", "Object", "BigInt"];
    return this.of(random.pick(kinds), depth);
  }

  /** @param type as the library prints it; an unknown type gives a value of any type */
  of(type: string, depth = 2): Expression {
    const random = this.#random;
    switch (type) {
      case "Int":
        return constant(random.pick([...integers, random.pick(largeIntegers)]));
      case "String":
        return constant(new Text(random.pick(texts)));
      case "ByteVector":
        return constant(random.boolean(0.2) ? someAddress : random.bytes(random.pick(byteSizes)));
      case "Boolean":
        return constant(random.boolean(0.5));
      case "BigInt":
        return this.#bigInteger();
      case "List":
        return this.#list(depth);
      case "Object":
        return this.#object(depth);
      case "Digest":
        return ref(random.pick(["NOALG", "MD5", "SHA256"]));
      case "Rounding":
        return ref(random.pick(["CEILING", "DOWN", "FLOOR", "HALFUP", "HALFEVEN"]));
      case "Address|Alias":
        return call("Address", constant(random.boolean(0.6) ? someAddress : random.bytes(random.pick([0, 26]))));
      default: {
        const items = /^List\[(.+)\]$/.exec(type)?.[1];
        if (items !== undefined) return this.#listOf(items, depth);
        const choice = type.split("|");
        return choice.length > 1 ? this.of(random.pick(choice), depth) : this.any(depth);
      }
    }
  }

  #bigInteger(): Expression {
    const random = this.#random;
    if (this.#version < bigIntegersSince) return this.of("Int");
    return random.boolean(0.5)
      ? call(toBigInteger, this.of("Int"))
      : call(
          parseBigInteger,
          constant(new Text(String(random.pick([2n ** 511n - 1n, -(2n ** 511n), 10n ** 40n, 7n])))),
        );
  }

  #list(depth: number): Expression {
    const random = this.#random;
    if (random.boolean(0.4)) return this.#listOf(random.pick(["Int", "String", "ByteVector", "Boolean"]), depth);
    return this.#listExpression(
      Array.from({ length: random.below(4) }, () => (depth > 0 ? this.any(depth - 1) : this.of("Int"))),
    );
  }

  #listOf(type: string, depth: number): Expression {
    const items = Array.from({ length: this.#random.below(5) }, () => this.of(type, depth - 1));
    const values = items.flatMap((item): Value[] => (item.kind === "constant" ? [item.value] : []));
    // Lists are constants only in the later wire format.
    return values.length === items.length && this.#version >= 6
      ? constant(new List(values))
      : this.#listExpression(items);
  }

  #listExpression(items: readonly Expression[]): Expression {
    return items.reduceRight<Expression>((tail, head) => call(cons, head, tail), ref("nil"));
  }

  #object(depth: number): Expression {
    const random = this.#random;
    const inner = (type: string): Expression => this.of(type, depth - 1);
    const choices: (() => Expression)[] = [
      () => ref(random.pick(globals)),
      () => call("Address", inner("ByteVector")),
      () => call("Alias", inner("String")),
    ];
    if (this.#version >= typedEntriesSince && depth > 0) {
      choices.push(
        () => call("IntegerEntry", inner("String"), inner("Int")),
        () => call("StringEntry", inner("String"), inner("String")),
        () => call("DeleteEntry", inner("String")),
        () => call(tuplePair, this.any(depth - 1), this.any(depth - 1)),
        () => call(1090, inner("String"), inner("String"), inner("Int"), inner("Int"), inner("Boolean")),
        () => call("ScriptTransfer", inner("Address|Alias"), inner("Int"), ref("unit")),
      );
    } else if (this.#version < typedEntriesSince) choices.push(() => call("DataEntry", inner("String"), inner("Int")));
    return random.pick(choices)();
  }
}
