/**
 * `npm run bench -- compile`: CPU time of the compiler for the slowest sources that it accepts. Each shape grows until
 * it reaches the limits on sources.
 */
import { compile } from "../../src/ride/compiler/compile.ts";
import { MAX_SCRIPT_TOKENS, SourceTooLong, sourceParts } from "../../src/ride/compiler/source-bound.ts";

const estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
const dApp = "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n";
const expression = dApp.replace("DAPP", "EXPRESSION");
const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
/** Functions that return earlier values: slow for the compiler's other estimator. */
const given = `let b0 = 1\n${lines(15, (at) => `func h${at}() = b${at}\nlet b${at + 1} = h${at}() + h${at}()\n`)}`;

const shapes: Readonly<Record<string, (count: number) => string>> = {
  "callables as people write them": (count) =>
    dApp +
    lines(
      count,
      (at) =>
        `@Callable(i)\nfunc c${at}(a: Int, b: String) = {\n  let sum = a + ${at}\n  [IntegerEntry(b, sum), StringEntry(b, "${at}")]\n}\n`,
    ),
  values: (count) => dApp + lines(count, (at) => `let a${at} = ${at} + 1\n`),
  "values, each by the one before": (count) =>
    `${dApp}let a0 = 1\n${lines(count, (at) => `let a${at + 1} = a${at} + 1\n`)}`,
  "functions, each by the one before": (count) =>
    `${dApp}func a0(x: Int) = 1\n${lines(count, (at) => `func a${at + 1}(x: Int) = a${at}(x)\n`)}`,
  "values behind functions, and others": (count) => dApp + given + lines(count, (at) => `let a${at} = 1\n`),
  "values behind functions, and functions": (count) => dApp + given + lines(count, (at) => `func g${at}(x: Int) = x\n`),
  "values behind functions, and callables": (count) =>
    dApp + given + lines(count, (at) => `@Callable(i)\nfunc c${at}() = [IntegerEntry("a", b1)]\n`),
  "a list": (count) => `${expression}size([1${lines(count, () => ",1")}]) == 1`,
  cases: (count) =>
    `${expression}match tx {\n${lines(count, (at) => `case t: TransferTransaction => t.amount == ${at}\n`)}case _ => false\n}`,
  foldings: (count) =>
    dApp + lines(count, (at) => `func g${at}(a: Int, b: Int) = a + b\nlet x${at} = FOLD<50>([1, 2, 3], 0, g${at})\n`),
  "calls in a row": (count) => `${expression}tx${lines(count, () => ".size()")} == 1`,
  "elements in a row": (count) => `${expression}[1]${lines(count, () => "[0]")} == 1`,
  "comparisons in a row": (count) => `${expression}1${lines(count, () => "==1")}`,
  "rows of comparisons": (count) => dApp + lines(count, (at) => `let a${at} = 1${"==1".repeat(2_600)}\n`),
  "rows of elements": (count) => dApp + lines(count, (at) => `let a${at} = [1]${"[0]".repeat(2_600)}\n`),
  "unknown functions": (count) => `${expression}true${lines(count, (at) => `&&z${at}()`)}`,
};

/** Milliseconds of CPU; undefined: the source is refused before the compiler runs. */
async function spentMs(source: string): Promise<number | undefined> {
  const before = process.cpuUsage();
  try {
    await compile({ source, libraries: {}, estimator, defaultLibraryVersion: 6, compacts: false });
  } catch (error) {
    // Compiler errors count as results, too.
    if (error instanceof SourceTooLong) return undefined;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const tokensOf = (source: string): number => [...sourceParts(source)].length;

for (const [name, shape] of Object.entries(shapes)) {
  let count = 1;
  let slowest = 0;
  let tokens = 0;
  // Grows by a tenth each time, so that the last source is near the limit.
  while (tokensOf(shape(count)) < MAX_SCRIPT_TOKENS) {
    const source = shape(count);
    const ms = await spentMs(source);
    if (ms === undefined) break;
    [slowest, tokens] = [ms, tokensOf(source)];
    count = Math.ceil(count * (tokens < MAX_SCRIPT_TOKENS / 10 ? 2 : 1.2));
  }
  process.stdout.write(`${slowest.toFixed(0).padStart(7)} ms  ${name}, ${tokens} tokens\n`);
}
