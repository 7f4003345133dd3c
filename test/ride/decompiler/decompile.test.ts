import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../scripts/tools/chain-maker/seeded-random.ts";
import { writeDApp } from "../../../scripts/tools/fuzz/dapp-writer.ts";
import { SourceWriter } from "../../../scripts/tools/fuzz/source-writer.ts";
import { decompile, SourceTooLarge } from "../../../src/ride/decompiler/decompile.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { compiler } from "../reference-compiler.ts";

const random = new SeededRandom("decompile");
const names = {
  accounts: [random.bytes(26)],
  dataKeys: ["key"],
  assets: [random.bytes(32)],
  transactions: [random.bytes(32)],
};

/** Both sources of what the compiler makes; undefined where it does not take the source. */
function sources(source: string, compacts: boolean) {
  const { result } = compiler.compile(source, 3, compacts, false, {});
  if (result === undefined) return undefined;
  const bytes = new Uint8Array(result);
  const reference = compiler.decompile(Buffer.from(bytes).toString("base64"));
  return { own: decompile(parseScript(bytes)).source, reference: reference.result };
}

describe("decompile", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("writes expressions of version %i as the reference does", (version) => {
    const writer = new SourceWriter(random, version, names);
    let compared = 0;
    for (let count = 0; count < 12; count++) {
      const found = sources(`{-# STDLIB_VERSION ${version} #-}\n${writer.expression("Boolean")}`, false);
      if (found === undefined) continue;
      compared++;
      expect(found.own).toBe(found.reference);
    }
    expect(compared).toBeGreaterThan(0);
  });

  it.each([3, 4, 5, 6, 7, 8])(
    "writes dApps of version %i as the reference does, shortened names restored",
    (version) => {
      let compared = 0;
      for (let count = 0; count < 2; count++) {
        const { source } = writeDApp(random, version, names);
        for (const compacts of [false, true]) {
          const found = sources(
            `${source}\n@Verifier(tx)\nfunc check() = match tx { case t: TransferTransaction|DataTransaction => t.fee > 1 case order: Order => true case _ => false }`,
            compacts,
          );
          if (found === undefined) continue;
          compared++;
          expect(found.own).toBe(found.reference);
        }
      }
      expect(compared).toBeGreaterThan(0);
    },
  );

  it("refuses a script whose indentation alone would fill the memory", () => {
    const [x, y] = ["x", "y"].map((name): Expression => ({ kind: "reference", name })) as [Expression, Expression];
    let deep = x;
    for (let depth = 0; depth < 10_000; depth++) deep = { kind: "if", condition: x, ifTrue: deep, ifFalse: y };
    expect(() => decompile({ content: "expression", libraryVersion: 6, expression: deep })).toThrow(SourceTooLarge);
  });
});
