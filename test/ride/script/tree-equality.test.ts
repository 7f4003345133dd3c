/** Hashes are those of the reference's own classes. @source Waves: lang/v1/compiler/Terms.scala (EXPR) */
import { describe, expect, it } from "vitest";
import { textHash } from "../../../src/protocol/hash-table-order.ts";
import { productHash } from "../../../src/protocol/murmur-hash.ts";
import { call, choose, constant, get, letIn, ref } from "../../../src/ride/functions/tree.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { HiddenNames } from "../../../src/ride/script/hidden-names.ts";
import { equalTrees, TreeHashes, UnevenTrees } from "../../../src/ride/script/tree-equality.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List } from "../../../src/ride/values/value.ts";

const yes = constant(true);
const list = (...items: (bigint | boolean)[]) => constant(new List(items));
const letBlock: Expression = {
  kind: "block",
  isLetBlock: true,
  declaration: { kind: "let", name: "a", value: yes },
  body: ref("a"),
};
const functionIn = (...parameters: string[]): Expression => ({
  kind: "block",
  isLetBlock: false,
  declaration: { kind: "function", name: "f", parameters, body: yes },
  body: ref("a"),
});

describe("the hash of a tree", () => {
  it.each([
    ["a reference", ref("abc"), 9919944],
    ["an integer below zero", constant(-5n), 4],
    ["a large integer", constant(1n << 40n), 256],
    ["a text", constant(new Text("héé")), 107400],
    ["bytes", constant(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 255)), 1800099708],
    ["no bytes", constant(new Uint8Array(0)), 1],
    ["true", yes, 1231],
    ["false", constant(false), 1237],
    ["an empty list", list(), -2104226005],
    ["a list of one", list(1n), -1072649091],
    ["a list of two", list(1n, 2n), -1340558830],
    ["a list of unlike items", list(1n, true, 7n), 166455743],
    ["a list at equal distances", list(3n, 2n, 1n), 882213766],
    ["a longer one", list(1n, 2n, 3n, 4n), 557278994],
    ["a call of a native function", call(100, constant(1n), ref("x")), -1387379691],
    ["a call of a function", call("f"), 6936146],
    ["a call of a function with a number below zero", call(-3), -734544631],
    ["a condition", choose(yes, ref("a"), ref("b")), -1258444279],
    ["a getter", get(ref("a"), "f"), -1924330520],
    ["a block of old", letBlock, 1745488257],
    ["a block", { ...letBlock, isLetBlock: false }, -1924430841],
    ["a function without parameters", functionIn(), -1713153941],
    ["a function of one", functionIn("a"), 1043145539],
    ["a function of two", functionIn("a", "b"), -638299468],
    ["a function of three", functionIn("a", "b", "c"), -505899955],
    ["a function of three of one name", functionIn("a", "a", "a"), -1989139818],
  ] as const)("%s", (_, tree, hash) => {
    expect(new TreeHashes().of(tree)).toBe(hash);
  });

  it.each([
    ["", -1472718315],
    ["a", 958191852],
    ["ab", 334753237],
    ["abcdef", 418880183],
    ["fbdcaeea", 418880183],
  ])("among the hidden names %j", (names, hash) => {
    const hidden = [...names].reduce((scope, name) => scope.with(name), HiddenNames.none);
    expect(productHash(textHash("ExprWithCtx"), new TreeHashes().of(ref("abc")), hidden.hash())).toBe(hash);
  });

  it("is computed for trees that nest deeper than the stack", () => {
    const deepTree = () => {
      let tree: Expression = yes;
      for (let depth = 0; depth < 20_000; depth++) tree = letIn("a", call(1, tree), ref("b"));
      return tree;
    };
    const [one, other] = [deepTree(), deepTree()];
    expect(new TreeHashes().of(one)).toBe(new TreeHashes().of(other));
    expect(equalTrees(one, other)).toBe(true);
  });
});

describe("equal trees", () => {
  it("may have calls with other numbers of arguments, if there are as many nodes", () => {
    expect(equalTrees(call("g", call("f"), yes), call("g", call("f", yes)))).toBe(true);
    expect(equalTrees(call("g", call("f")), call("g", ref("f")))).toBe(false);
    expect(() => equalTrees(call("f"), call("f", yes))).toThrow(UnevenTrees);
    expect(() => equalTrees(call("f", yes), call("f"))).toThrow(UnevenTrees);
  });

  it("have the branches of a condition compared from the last", () => {
    const [one, other] = [choose(yes, call("f"), ref("a")), choose(yes, call("f", yes), ref("b"))];
    expect(equalTrees(one, other)).toBe(false);
  });
});

describe("hidden names", () => {
  it("are equal as sets", () => {
    const of = (...names: string[]) => names.reduce((scope, name) => scope.with(name), HiddenNames.none);
    expect(of("a", "b").equals(of("b", "a", "b"))).toBe(true);
    expect(of("a", "b").equals(of("a", "c"))).toBe(false);
    expect(of("a").equals(of("a", "c"))).toBe(false);
    expect(of("a", "b").has("a")).toBe(true);
    expect(HiddenNames.none.has("")).toBe(false);
  });
});
