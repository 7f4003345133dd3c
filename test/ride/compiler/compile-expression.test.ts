import { expect, test } from "vitest";
import { CompilationError, NumberOutOfRange } from "../../../src/ride/compiler/compile.ts";
import { compileExpression } from "../../../src/ride/compiler/compile-expression.ts";

test.each([3, 5, 6, 8])(
  "an expression of version %d that is only evaluated may be larger than a script",
  async (version) => {
    const source = Array.from({ length: 400 }, (_, index) => `size("some words, number ${index}")`).join(" + ");
    const small = await compileExpression(`size("a") + 1`, version);
    const large = await compileExpression(source, version);
    expect(small.kind).toBe("call");
    expect(large.kind).toBe("call");
  },
);

test.each([
  [6, "sqrtBigInt", "sqrtBigInt(toBigInt(2), 0, 18, HALFUP)"],
  [5, "takeRightBytes", "takeRightBytes(base16'00', 1)"],
  [4, "dropRightBytes", "dropRightBytes(base16'00', 1)"],
])(
  "an expression of version %d may call %s, a library function, by its name in bytes",
  async (version, name, source) => {
    expect(await compileExpression(source, version)).toMatchObject({ kind: "call", function: name });
  },
);

test.each([
  ["base16'zz'", "Unrecognized character: z in 8-9"],
  ["base16'0g'", "Unrecognized character: g in 8-9"],
  ["base16'éé'", "Unrecognized character: 0xe9 in 8-9"],
  ["base16'a'", "Invalid input length 1 in 8-8"],
  ["base64'!'", "can't parse Base64 string in 8-8"],
  ["base64'=='", "can't parse Base64 string in 8-9"],
])("%s is refused with a node's message", async (source, message) => {
  await expect(compileExpression(source, 6)).rejects.toThrow(`Compilation failed: ${message}`);
});

test("positions are those of the source, though its calls had other names", async () => {
  await expect(compileExpression("func f(a:Int,a:Int)=a\nf(1,2)", 6)).rejects.toThrow(
    "declared with duplicating argument names in 0-28",
  );
});

test("a literal beyond 64 bits is refused with the parser's message", async () => {
  await expect(compileExpression("9223372036854775808", 6)).rejects.toThrow(
    new NumberOutOfRange('For input string: "9223372036854775808"'),
  );
});

test("a tuple of version 3 is a call of a function that its library does not have", async () => {
  const constant = (value: bigint) => ({ kind: "constant", value });
  expect(await compileExpression("(1, 2)", 3)).toEqual({
    kind: "call",
    function: "$Tuple2",
    args: [constant(1n), constant(2n)],
  });
});

test("an expression may nest as deep as the compiler's own stack lets it", async () => {
  let depth = 0;
  for (let inside = await compileExpression(`1${"+1".repeat(3_000)}`, 6); inside.kind === "call"; depth++) {
    inside = inside.args[0] as typeof inside;
  }
  expect(depth).toBe(3_000);
});

test.each([
  ["bindings", `${Array.from({ length: 5_000 }, (_, index) => `let a${index} = ${index}\n`).join("")}a0`],
  ["conjunctions", `true${" && true".repeat(5_000)}`],
])("an expression may have 5,000 %s, as the reference's compiler takes them", async (_, source) => {
  expect((await compileExpression(source, 6)).kind).toMatch(/^(?:block|if)$/);
});

test.each([
  "{-# STDLIB_VERSION 2 #-} toBigInt(1)",
  "{-#STDLIB_VERSION x#-}{-# FOO 1 #-}\ntoBigInt(1)",
  "# text\n{-# CONTENT_TYPE DAPP #-}\n# text {-#\n {-# IMPORT x\n #-} # text\ntoBigInt(1)",
])("directives before an expression have no effect: %j", async (source) => {
  expect(await compileExpression(source, 6)).toEqual(await compileExpression("toBigInt(1)", 6));
  await expect(compileExpression(source, 4)).resolves.toMatchObject({ kind: "call", function: "toBigInt" });
});

test.each([
  ["{-# STDLIB_VERSION 6 #-}", "Parse error: expected result expression in 24-24"],
  ["1 {-# STDLIB_VERSION 6 #-}", "Parse error: illegal expression in 2-5"],
  [
    "{-# CONTENT_TYPE DAPP #-}\n@Callable(i) func f() = []",
    "Compilation failed: [can't parse the expression in 26-52]",
  ],
  ["{-# CONTENT_TYPE LIBRARY #-} let x=1", "Parse error: expected expression in 36-36"],
])("an error after directives has its position in the source: %j", async (source, message) => {
  await expect(compileExpression(source, 6)).rejects.toThrow(message);
});

test("an expression beyond the compiler's stack is refused", async () => {
  await expect(compileExpression(`${"(1,".repeat(2_000)}1${")".repeat(2_000)}`, 6)).rejects.toThrow(CompilationError);
});
