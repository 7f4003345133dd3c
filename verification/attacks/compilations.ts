/**
 * Sources and scripts that cost the compiler, the estimators and the decompiler far more work than their size suggests.
 */
import { encodeBase64 } from "../../src/crypto/base64.ts";
import type { Expression, Script } from "../../src/ride/script/expression.ts";
import { encodeScript } from "../../src/ride/script/script-bytes.ts";
import { directives } from "../chain-generator/ride/compile-ride.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { Attack } from "./attack.ts";
import { requestLoad, resultName, totalCount } from "./request-load.ts";

/** Maximum number of tokens that are compiled for a client without the API key. */
const TOKENS = 20_000;
const DECLARATIONS = 20_000;

interface Asked {
  readonly path: string;
  readonly body: string;
}

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");
const head = `${directives(6, "EXPRESSION", "ACCOUNT")}\n`;

/** Values with this many tokens in all, and with names that no earlier request had. */
function values(random: SeededRandom, tokens: number): string {
  const name = random.text(8);
  return lines(tokens / 4, (at) => `let ${name}${at} = 1\n`);
}

/** Sources that are small, or whose types, texts and lists grow with each line. */
const sources: readonly ((random: SeededRandom) => string)[] = [
  (random) => `${head}let v0 = ${random.below(1e9)}\n${lines(60, (at) => `let v${at + 1} = (v${at}, v${at})\n`)}true`,
  (random) =>
    `${head}${values(random, TOKENS - 1_000)}let v0 = if (true) then 1 else "a"\n${lines(40, (at) => `let v${at + 1} = if (true) then (v${at}, 1) else [v${at}]\n`)}true`,
  (random) =>
    `${head}let x = [${lines(TOKENS / 22, () => `(${Array.from({ length: 10 }, () => random.pick(["1", '"a"'])).join(",")}),`)}(1, 1)]\ntrue`,
  (random) =>
    `${head}func f(a: Int, b: Int) = a + b\n${lines(20, (at) => `let v${at} = FOLD<1000>([${random.below(1e9)}], 0, f)\n`)}true`,
  (random) => `${head}${lines(TOKENS / 9, (at) => `let v${at} = sigVerify(1, ${random.below(1e9)})\n`)}true`,
  (random) => `${head}let x = ${random.text(60_000, "abcdefghij")}\ntrue`,
  (random) => `${head}${"\n".repeat(500_000)}# ${random.text(8)}\ntrue`,
];

function tree(content: (random: SeededRandom) => Expression, random: SeededRandom): string {
  const script = encodeScript({ content: "expression", libraryVersion: 6, expression: content(random) } as Script);
  return `base64:${encodeBase64(script)}`;
}

const constant: Expression = { kind: "constant", value: true };

function declared(name: string, value: Expression, body: Expression): Expression {
  return { kind: "block", declaration: { kind: "let", name, value }, body, isLetBlock: false };
}

/** Many values, all of them used, and nested conditions. */
const trees: readonly ((random: SeededRandom) => Expression)[] = [
  (random) => {
    const name = random.text(8);
    let body: Expression = constant;
    for (let at = 0; at < DECLARATIONS; at++) {
      const reference: Expression = { kind: "reference", name: `${name}${at}` };
      body = { kind: "call", function: 100, args: [reference, body] };
    }
    for (let at = 0; at < DECLARATIONS; at++) body = declared(`${name}${at}`, constant, body);
    return body;
  },
  (random) => {
    let choice: Expression = { kind: "reference", name: random.text(8) };
    for (let at = 0; at < 1_000; at++) choice = { kind: "if", condition: constant, ifTrue: constant, ifFalse: choice };
    return choice;
  },
];

function hostileRequest(random: SeededRandom): Asked {
  const at = random.below(6);
  if (at === 0) return { path: "/utils/script/estimate", body: tree(random.pick(trees), random) };
  if (at === 1) return { path: "/utils/script/decompile", body: tree(random.pick(trees), random) };
  const source = random.pick(sources)(random);
  if (at > 2) return { path: "/utils/script/compileCode", body: source };
  const imports = { library: `${head.replace("EXPRESSION", "LIBRARY")}${values(random, 100)}` };
  return { path: "/utils/script/compileWithImports", body: JSON.stringify({ script: source, imports }) };
}

function honestRequest(random: SeededRandom): Asked {
  return { path: "/utils/script/compileCode", body: `${head}${values(random, TOKENS)}true` };
}

export const compilations: Attack = {
  name: "compilations",
  about: "sources and scripts that are dear to compile, estimate and decompile",
  prepare: async (node, random) => {
    const load = (asked: (random: SeededRandom) => Asked, isOwner: boolean, most?: number) =>
      requestLoad(async (_, signal) => {
        const { path, body } = asked(random);
        const { status, text } = await node.post(path, body, { isOwner, signal });
        return resultName(status, text);
      }, most);
    return {
      hostile: load(hostileRequest, false),
      honest: (outcomes) => load(honestRequest, true, totalCount(outcomes)),
    };
  },
};
