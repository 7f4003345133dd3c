import { describe, expect, it, test } from "vitest";
import { CompilationError, compile } from "../../../src/ride/compiler/compile.ts";
import type { Estimator } from "../../../src/ride/estimator/script-complexity.ts";

const request = { libraries: {}, defaultLibraryVersion: 5, compacts: false } as const;

test("a source for a future version is not compiled", async () => {
  await expect(compile({ ...request, estimator: 1, source: "{-# STDLIB_VERSION 10 #-}\ntrue" })).rejects.toThrow(
    "Illegal directive value 10 for key STDLIB_VERSION",
  );
});

test("a literal beyond 64 bits is refused with its digits", async () => {
  const source = "{-# STDLIB_VERSION 5 #-}\n9223372036854775808 == 1";
  await expect(compile({ ...request, estimator: 1, source })).rejects.toThrow(
    new CompilationError('For input string: "9223372036854775808"'),
  );
});

/** Rules of the third estimator before feature 17, and between 17 and 22: the compiler itself has only the newest. */
const rules = { fixesOverflow: true, fixesArguments: false } as const;
const early: Estimator = { ...rules, hasOverhead: true };
const late: Estimator = { ...rules, hasOverhead: false };

type Content = "DAPP" | "EXPRESSION" | "LIBRARY";
const source = (content: Content, body: string, guards: "ACCOUNT" | "ASSET" = "ACCOUNT"): string =>
  `{-# STDLIB_VERSION 5 #-}\n{-# CONTENT_TYPE ${content} #-}\n{-# SCRIPT_TYPE ${guards} #-}\n${body}`;
const dear = (signatures: number): string =>
  Array.from({ length: signatures }, () => "sigVerify(base58'', base58'', base58'')").join(" || ");

/** Complexities of the verifier and the callables; or the error message. */
async function complexities(estimator: Estimator, text: string) {
  try {
    const { complexity, verifierComplexity, callableComplexities } = await compile({
      ...request,
      estimator,
      source: text,
    });
    return { complexity, verifierComplexity, ...Object.fromEntries(callableComplexities) };
  } catch (error) {
    if (error instanceof CompilationError) return error.message;
    throw error;
  }
}

describe("while not all rules of the estimator are in force", () => {
  const dApp = source(
    "DAPP",
    `let first = 1 + height
let second = first + first
func sum(a: Int) = a + second
@Callable(i)
func put(key: String, n: Int) = [IntegerEntry(key, n + sum(first))]
@Callable(i)
func pay() = [IntegerEntry("fee", i.fee)]
@Verifier(tx)
func verify() = sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)
`,
  );

  // Recorded: responses of the reference's /utils/script/compileCode.
  it("functions of a dApp cost what they cost by themselves, without a call of them", async () => {
    expect(await complexities(early, dApp)).toEqual({ complexity: 209n, verifierComplexity: 209n, put: 17n, pay: 7n });
    expect(await complexities(late, dApp)).toEqual({ complexity: 202n, verifierComplexity: 202n, put: 7n, pay: 3n });
  });

  it("the limit of complexity is checked by the rules in force", async () => {
    const call = source("DAPP", `@Callable(i)\nfunc call(a: Int) = if (${dear(60)}) then [] else []\n`);
    expect(await complexities(early, call)).toBe("Contract function (call) is too complex: 12241 > 10000");
    expect(await complexities(early, source("EXPRESSION", dear(10)))).toBe("Script is too complex: 2039 > 2000");
    expect(await complexities(late, source("EXPRESSION", dear(10)))).toMatchObject({ complexity: 2_000n });
  });

  it("scripts of assets may cost more", async () => {
    const [asset, tooMuch] = [11, 21].map((count) => source("EXPRESSION", dear(count), "ASSET")) as [string, string];
    expect(await complexities(early, asset)).toEqual({ complexity: 2_243n, verifierComplexity: 2_243n });
    expect(await complexities(early, tooMuch)).toBe("Script is too complex: 4283 > 4000");
  });

  it("libraries have no verifier", async () => {
    const library = source("LIBRARY", "let a = height\nfunc twice(n: Int) = n * 2\n");
    expect(await complexities(early, library)).toEqual({ complexity: 1n, verifierComplexity: 0n });
    expect(await complexities(late, library)).toEqual({ complexity: 0n, verifierComplexity: 0n });
  });
});

// Recorded: responses of the reference's /utils/script/compileCode.
describe("of several directives in a line", () => {
  const dApp = "@Callable(i)\nfunc a() = []";
  const scriptOf = async (text: string): Promise<string> => {
    try {
      const { script } = await compile({ ...request, estimator: late, source: text });
      return Buffer.from(script).toString("base64");
    } catch (error) {
      if (error instanceof CompilationError) return error.message;
      throw error;
    }
  };

  test.each([
    [`{-# STDLIB_VERSION 6 #-} {-# CONTENT_TYPE DAPP #-} {-# SCRIPT_TYPE ACCOUNT #-}\n${dApp}`, "92-96"],
    [`{-# STDLIB_VERSION 6 #-}{-# CONTENT_TYPE DAPP #-}{-# SCRIPT_TYPE ACCOUNT #-}\n${dApp}`, "90-94"],
    [`{-# SCRIPT_TYPE ACCOUNT #-} {-# CONTENT_TYPE DAPP #-} {-# STDLIB_VERSION 6 #-}\n${dApp}`, "92-96"],
  ])("%j: the first makes no dApp of it", async (text, place) => {
    expect(await scriptOf(text)).toBe(`Parse error: illegal expression in ${place}`);
  });

  test.each([
    ["{-# STDLIB_VERSION 4 #-} {-# CONTENT_TYPE EXPRESSION #-}\ntrue", "BAbMtW/U"],
    ["{-# CONTENT_TYPE EXPRESSION #-} {-# STDLIB_VERSION 10 #-}\ntrue", "BQbtKNoM"],
    ["{-# STDLIB_VERSION 6 #-} {-# BOGUS 6 #-}\ntrue", "BgEGsNFPzw=="],
    ["{-# BOGUS 6 #-} {-# STDLIB_VERSION 6 #-}\ntrue", "Illegal directive key BOGUS"],
    [
      `{-# CONTENT_TYPE DAPP #-} {-# STDLIB_VERSION 6 #-}\n${dApp}`,
      "AAIFAAAAAAAAAAQIAhIAAAAAAAAAAAEAAAABaQEAAAABYQAAAAAFAAAAA25pbAAAAAADgxfd",
    ],
  ])("%j: only the first counts", async (text, script) => {
    expect(await scriptOf(text)).toBe(script);
  });
});
