/** Random dApps and calls of them. */
import type { JsonObject, JsonValue } from "../../src/protocol/json.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type FuzzNames, SourceWriter } from "./source-writer.ts";

export interface FuzzCall {
  readonly function: string;
  /** Arguments in the REST interface's form. */
  readonly args: readonly JsonObject[];
}

export interface FuzzSignature {
  readonly name: string;
  readonly types: readonly ArgumentType[];
}

export interface FuzzDApp {
  readonly source: string;
  readonly signatures: readonly FuzzSignature[];
}

const argumentTypes = ["Int", "String", "ByteVector", "Boolean"] as const;
type ArgumentType = (typeof argumentTypes)[number];
const callableCount = 8;
const invocation = [
  { name: "i.fee", type: "Int" },
  { name: "i.transactionId", type: "ByteVector" },
  { name: "i.caller.bytes", type: "ByteVector" },
  { name: "i.callerPublicKey", type: "ByteVector" },
];

export function writeDApp(random: SeededRandom, libraryVersion: number, names: FuzzNames): FuzzDApp {
  const writer = new SourceWriter(random, libraryVersion, names);
  const globals = Array.from({ length: 3 }, (_, index) => ({ name: `global${index}`, type: writer.anyType() }));
  const lines = globals.map(
    ({ name, type }, index) => `let ${name} = ${writer.expressionOver(type, globals.slice(0, index), 3)}`,
  );
  const signatures = Array.from({ length: callableCount }, (_, index) => ({
    name: `call${index}`,
    types: Array.from({ length: random.below(4) }, () => random.pick(argumentTypes)),
  }));
  for (const { name, types } of signatures) {
    const parameters = types.map((type, at) => ({ name: `a${at}`, type }));
    const head = parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(", ");
    const inSight = [...globals, ...parameters, ...invocation];
    const write = (type: string): string => writer.expressionOver(type, inSight, 4);
    lines.push(`@Callable(i)\nfunc ${name}(${head}) = ${resultText(random, libraryVersion, writer, write)}`);
  }
  const directives = [`STDLIB_VERSION ${libraryVersion}`, "CONTENT_TYPE DAPP", "SCRIPT_TYPE ACCOUNT"];
  return { source: [...directives.map((text) => `{-# ${text} #-}`), ...lines].join("\n"), signatures };
}

export function randomCall(random: SeededRandom, { name, types }: FuzzSignature): FuzzCall {
  return { function: name, args: types.map((type) => argument(random, type)) };
}

function resultText(
  random: SeededRandom,
  libraryVersion: number,
  writer: SourceWriter,
  write: (type: string) => string,
): string {
  const values = [write("Int"), write("Boolean"), `take(${write("String")}, 50)`, `take(${write("ByteVector")}, 50)`];
  if (libraryVersion === 3) {
    return `WriteSet([${values.map((value, at) => `DataEntry("k${at}", ${value})`).join(", ")}])`;
  }
  const kinds = ["Integer", "Boolean", "String", "Binary"];
  const entries = values.map((value, at) => `${kinds[at]}Entry("k${at}", ${value})`);
  const actions = `[${entries.slice(0, random.below(5)).join(", ")}]`;
  return libraryVersion === 4 || random.boolean(0.3) ? actions : `(${actions}, ${write(writer.anyType())})`;
}

function argument(random: SeededRandom, type: ArgumentType): JsonObject {
  switch (type) {
    case "Int":
      return argumentJson(
        "integer",
        random.pick([random.amount(-100n, 100n), random.amount(0n, 9_223_372_036_854_775_807n)]),
      );
    case "Boolean":
      return argumentJson("boolean", random.boolean(0.5));
    case "String":
      return argumentJson("string", random.pick(["", random.text(random.below(40)), "int", `${random.below(1000)}`]));
    case "ByteVector": {
      const bytes = random.bytes(random.pick([0, 1, 8, 26, 32, 64]));
      return argumentJson("binary", `base64:${Buffer.from(bytes).toString("base64")}`);
    }
  }
}

function argumentJson(type: string, value: JsonValue): JsonObject {
  return { type, value };
}
