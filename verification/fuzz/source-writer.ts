/** Random sources that compile: expressions of a given type, and dApps. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { encodeBase64 } from "../../src/crypto/base64.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { functionsByResult } from "./typed-functions.ts";

/** Names that sources may use. */
export interface FuzzNames {
  readonly accounts: readonly Uint8Array[];
  readonly dataKeys: readonly string[];
  readonly assets: readonly Uint8Array[];
  readonly transactions: readonly Uint8Array[];
}

interface Named {
  readonly name: string;
  readonly type: string;
}

const words = [
  "",
  "a",
  "ab",
  "abc,def",
  "aba",
  "12",
  "-5",
  "+7",
  "0x1F",
  "deadBEEF",
  "base64:AAAA",
  "AQIDBA==",
  "11",
  "zz",
  " ",
  "\\n",
  '\\"',
  "a/b'c",
  "\u043f\u0440\u0438",
  "\u{1f600}",
  "x\u{1f600}y",
  "\u03a9mega",
  "\uff19\uff19",
  "9223372036854775808",
];
const numbers = [
  "9223372036854775807",
  "(-9223372036854775807 - 1)",
  "0",
  "1",
  "-1",
  "2",
  "8",
  "18",
  "19",
  "64",
  "100",
  "1000",
  "32767",
  "32768",
  "165947",
  "165948",
  "150000",
];
const byteSizes = [0, 0, 1, 2, 4, 8, 9, 20, 26, 32, 32, 33, 64, 65, 100];
const roundings = ["DOWN", "CEILING", "FLOOR", "HALFUP", "HALFEVEN"];
const oldRoundings = [...roundings, "UP", "HALFDOWN"];
const digests = [
  "NOALG",
  "MD5",
  "SHA1",
  "SHA224",
  "SHA256",
  "SHA384",
  "SHA512",
  "SHA3224",
  "SHA3256",
  "SHA3384",
  "SHA3512",
];
const maxListLength = 5;

export class SourceWriter {
  readonly #random: SeededRandom;
  readonly #version: number;
  readonly #names: FuzzNames;
  #declared = 0;

  constructor(random: SeededRandom, libraryVersion: number, names: FuzzNames) {
    this.#random = random;
    this.#version = libraryVersion;
    this.#names = names;
  }

  /** A random type of this library version. */
  anyType(): string {
    return this.#random.pick(this.#types());
  }

  expression(type: string): string {
    return this.#write(type, this.#random.between(1, 5), []);
  }

  /** @param named names in scope */
  expressionOver(type: string, named: readonly Named[], depth: number): string {
    return this.#write(type, depth, named);
  }

  #types(): readonly string[] {
    const types = ["Int", "String", "ByteVector", "Boolean"];
    if (this.#version >= 3) types.push("List[Int]", "List[String]");
    if (this.#version >= 5) types.push("BigInt", "List[BigInt]", "(Int, String)", "Int|String");
    return types;
  }

  #write(type: string, depth: number, named: readonly Named[]): string {
    const fitting = named.filter((candidate) => candidate.type === type);
    if (fitting.length > 0 && this.#random.boolean(0.2)) return this.#random.pick(fitting).name;
    if (depth === 0 || this.#random.boolean(0.2)) return this.#leaf(type, named);
    const next = (type: string, more: readonly Named[] = []) => this.#write(type, depth - 1, [...named, ...more]);
    switch (this.#random.below(12)) {
      case 0:
        return `(if (${next("Boolean")}) then ${next(type)} else ${next(type)})`;
      case 1:
        return this.#withValue(type, next);
      case 2:
        return this.#version >= 3 ? this.#withFunction(type, next) : this.#called(type, next, named);
      case 3:
        return this.#matched(type, next);
      case 4:
        return this.#version >= 5 && this.#types().includes(type)
          ? this.#folded(type, next)
          : this.#called(type, next, named);
      case 5:
        return this.#version >= 5 ? this.#ofTuple(type, next) : this.#called(type, next, named);
      default:
        return this.#called(type, next, named);
    }
  }

  #withValue(type: string, next: Next): string {
    const value = { name: this.#fresh("v"), type: this.anyType() };
    const word = this.#version >= 5 && this.#random.boolean(0.3) ? "strict" : "let";
    return `({${word} ${value.name} = ${next(value.type)}\n ${next(type, [value])}})`;
  }

  #withFunction(type: string, next: Next): string {
    const name = this.#fresh("f");
    const parameters = Array.from({ length: this.#random.between(1, 2) }, () => ({
      name: this.#fresh("p"),
      type: this.anyType(),
    }));
    const head = parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(", ");
    const args = parameters.map((parameter) => next(parameter.type)).join(", ");
    return `({func ${name}(${head}) = ${next(type, parameters)}\n ${name}(${args})})`;
  }

  #matched(type: string, next: Next): string {
    const bound = { name: this.#fresh("m"), type: "Int" };
    const matched =
      this.#version >= 3 && this.#random.boolean(0.5)
        ? `parseInt(${next("String")})`
        : `(if (${next("Boolean")}) then ${next("Int")} else unit)`;
    return `(match ${matched} {\n case ${bound.name}: Int => ${next(type, [bound])}\n case _ => ${next(type)}\n})`;
  }

  #folded(type: string, next: Next): string {
    const name = this.#fresh("g");
    const [sum, item] = [
      { name: this.#fresh("p"), type },
      { name: this.#fresh("p"), type: "Int" },
    ];
    const list = `[${Array.from({ length: this.#random.between(1, 4) }, () => this.#number()).join(", ")}]`;
    const head = `${sum.name}: ${type}, ${item.name}: Int`;
    const body = `({func ${name}(${head}) = ${next(type, [sum, item])}\n let s${name} = ${next(type)}\n FOLD<4>(${list}, s${name}, ${name})})`;
    return body;
  }

  #ofTuple(type: string, next: Next): string {
    const index = this.#random.between(1, 3);
    const elements = [1, 2, 3].map((at) => next(at === index ? type : this.anyType()));
    return `(${elements.join(", ")})._${index}`;
  }

  #called(type: string, next: Next, named: readonly Named[]): string {
    const choice = functionsByResult(this.#version).get(type);
    if (choice === undefined) return this.#leaf(type, named);
    const called = this.#random.pick(choice);
    return called.write(called.parameters.map((parameter) => next(parameter)));
  }

  #leaf(type: string, named: readonly Named[]): string {
    const random = this.#random;
    switch (type) {
      case "Int":
        return this.#number();
      case "Boolean":
        return random.pick(["true", "false"]);
      case "String":
        return random.boolean(0.15) ? `"${random.pick(this.#names.dataKeys)}"` : this.#text();
      case "ByteVector":
        return this.#bytes();
      case "BigInt":
        return this.#bigInteger();
      case "Rounding":
        return random.pick(this.#version < 5 ? oldRoundings : roundings);
      case "Digest":
        return random.pick(digests);
      case "Int|Unit":
        return this.#version >= 3
          ? `parseInt(${this.#text()})`
          : `(if (${random.pick(["true", "false"])}) then 1 else unit)`;
      case "Int|String":
        return `(if (${random.pick(["true", "false"])}) then ${this.#number()} else ${this.#text()})`;
      case "Address|Alias":
        return this.#version >= 3 && random.boolean(0.4)
          ? "this"
          : `Address(base58'${encodeBase58(random.pick(this.#names.accounts))}')`;
      case "(Int, String)":
        return `(${this.#number()}, ${this.#text()})`;
      default: {
        const items = /^List\[(\w+)\]$/.exec(type)?.[1];
        if (items === undefined) throw new Error(`nothing to write for a ${type}`);
        const length = random.below(maxListLength);
        return `[${Array.from({ length }, () => this.#write(items, 0, named)).join(", ")}]`;
      }
    }
  }

  #number(): string {
    const random = this.#random;
    if (random.boolean(0.5)) return `${random.between(-5, 15)}`;
    if (random.boolean(0.5)) return random.pick(numbers);
    return `${random.amount(0n, 9_223_372_036_854_775_807n)}`;
  }

  #text(): string {
    const random = this.#random;
    return `"${random.pick(words)}${random.pick(["", random.pick(words)])}"`;
  }

  #bytes(): string {
    const random = this.#random;
    if (random.boolean(0.15)) {
      const known = [...this.#names.accounts, ...this.#names.assets, ...this.#names.transactions];
      return `base58'${encodeBase58(random.pick(known))}'`;
    }
    const size = random.pick(byteSizes);
    const content = random.boolean(0.6) ? random.bytes(size) : new Uint8Array(size).fill(random.pick([0, 255]));
    return `base64'${encodeBase64(content)}'`;
  }

  #bigInteger(): string {
    const random = this.#random;
    if (random.boolean(0.5)) return `toBigInt(${this.#number()})`;
    const magnitude = BigInt(`0x${Buffer.from(random.bytes(random.between(1, 64))).toString("hex")}`);
    return `parseBigIntValue("${random.pick(["", "-"])}${magnitude}")`;
  }

  #fresh(letter: string): string {
    this.#declared++;
    return `${letter}${this.#declared}`;
  }
}

type Next = (type: string, named?: readonly Named[]) => string;
