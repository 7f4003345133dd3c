import { describe, expect, it } from "vitest";
import { decompile, SourceTooLarge } from "../../../src/ride/decompiler/decompile.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { writeDApp } from "../../../verification/fuzz/dapp-writer.ts";
import { SourceWriter } from "../../../verification/fuzz/source-writer.ts";
import { compiler } from "../../support/builders/reference-compiler.ts";

const seedOfNames = new SeededRandom("decompile");
const names = {
  accounts: [seedOfNames.bytes(26)],
  dataKeys: ["key"],
  assets: [seedOfNames.bytes(32)],
  transactions: [seedOfNames.bytes(32)],
};

const verifier =
  "@Verifier(tx)\nfunc check() = match tx { case t: TransferTransaction|DataTransaction => t.fee > 1 " +
  "case order: Order => true case _ => false }";

/** Both decompiled sources of the compiled script; undefined if the compiler refuses the source. */
function sources(source: string, compacts: boolean) {
  const { result } = compiler.compile(source, 3, compacts, false, {});
  if (result === undefined) return undefined;
  const bytes = new Uint8Array(result);
  const reference = compiler.decompile(Buffer.from(bytes).toString("base64"));
  return { own: decompile(parseScript(bytes)).source, reference: reference.result };
}

/** Draws sources until the compiler has accepted `wanted` of them: a refused one cannot be compared. */
function expectSame(count: number, draw: () => ReturnType<typeof sources>): void {
  let compared = 0;
  for (let drawn = 0; compared < count; drawn++) {
    if (drawn > 10 * count) throw new Error(`the compiler took ${compared} of ${drawn} sources`);
    const found = draw();
    if (found === undefined) continue;
    compared++;
    expect(found.own).toBe(found.reference);
  }
}

describe("decompile", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("writes expressions of version %i as the reference does", (version) => {
    const writer = new SourceWriter(new SeededRandom(`expressions ${version}`), version, names);
    expectSame(12, () => sources(`{-# STDLIB_VERSION ${version} #-}\n${writer.expression("Boolean")}`, false));
  });

  it.each(
    [3, 4, 5, 6, 7, 8].flatMap((version) => [
      { version, written: "whole", compacts: false },
      { version, written: "shortened", compacts: true },
    ]),
  )("writes dApps of version $version as the reference does, from $written names", ({ version, compacts }) => {
    const random = new SeededRandom(`dApps ${version}`);
    expectSame(2, () => sources(`${writeDApp(random, version, names).source}\n${verifier}`, compacts));
  });

  it("refuses a script whose indentation alone would fill the memory", () => {
    const [x, y] = ["x", "y"].map((name): Expression => ({ kind: "reference", name })) as [Expression, Expression];
    let deep = x;
    for (let depth = 0; depth < 10_000; depth++) deep = { kind: "if", condition: x, ifTrue: deep, ifFalse: y };
    expect(() => decompile({ content: "expression", libraryVersion: 6, expression: deep })).toThrow(SourceTooLarge);
  });
});
