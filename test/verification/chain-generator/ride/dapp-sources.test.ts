import { describe, expect, test } from "vitest";
import type { AssetId } from "../../../../src/protocol/transactions/asset.ts";
import type { CallArgument } from "../../../../src/protocol/transactions/transaction.ts";
import { decodeCallData } from "../../../../src/ride/abi/call-data.ts";
import { callableAbis } from "../../../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../../../src/ride/script/script-bytes.ts";
import { encodeCallData } from "../../../../verification/chain-generator/ethereum-call-data.ts";
import { assetScriptSource } from "../../../../verification/chain-generator/ride/asset-script-sources.ts";
import { compileRide } from "../../../../verification/chain-generator/ride/compile-ride.ts";
import {
  allCallables,
  dAppSource,
  isIn,
  makeDApp,
} from "../../../../verification/chain-generator/ride/dapp-sources.ts";
import { verifierSource } from "../../../../verification/chain-generator/ride/verifier-sources.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";

const versions = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const dAppsSince = 3;

describe.each(versions)("library version %d", (version) => {
  test("every function of a dApp compiles, where there are dApps", () => {
    const random = new SeededRandom(`functions ${version}`);
    const callables = allCallables.filter((each) => isIn(each, version));
    expect(callables.length > 0).toBe(version >= dAppsSince);
    for (const callable of callables) {
      const { content } = parseScript(compileRide(dAppSource(random, version, [callable])));
      expect(content).toBe("dApp");
    }
  });

  test("account scripts and asset scripts compile", () => {
    const random = new SeededRandom(`expressions ${version}`);
    for (let count = 0; count < 6; count++) {
      for (const source of [verifierSource(random, version), assetScriptSource(random, version)]) {
        expect(parseScript(compileRide(source))).toMatchObject({ libraryVersion: version, content: "expression" });
      }
    }
  });
});

test("the same seed gives the same dApp", () => {
  const [first, second] = ["1", "1"].map((seed) => makeDApp(new SeededRandom(seed), 6));
  expect(first?.script).toEqual(second?.script);
});

test("call data are read as they were written", () => {
  const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
@Callable(i)
func all(n: Int, b: Boolean, s: String, bytes: ByteVector, ns: List[Int], ss: List[String], bs: List[ByteVector]) = []`;
  const [abi] = callableAbis(parseScript(compileRide(source)));
  if (abi === undefined) throw new Error("no callable");
  const integers: CallArgument[] = [-1n, 0n, 2n ** 62n].map((value) => ({ type: "integer", value }));
  const texts: CallArgument[] = ["", "ж".repeat(40), "c"].map((value) => ({ type: "string", value }));
  const binaries: CallArgument[] = [new Uint8Array(), new Uint8Array(33).fill(7)].map((value) => ({
    type: "binary",
    value,
  }));
  const args: CallArgument[] = [
    { type: "integer", value: -5n },
    { type: "boolean", value: true },
    { type: "string", value: "text" },
    { type: "binary", value: new Uint8Array(32).fill(1) },
    { type: "list", value: integers },
    { type: "list", value: texts },
    { type: "list", value: binaries },
  ];
  const payments = [
    { asset: null, amount: 3n },
    { asset: new Uint8Array(32).fill(9) as AssetId, amount: 4n },
  ];
  const data = encodeCallData(abi, { args, payments });
  expect(decodeCallData(abi, data)).toEqual({ args, payments, canonicalBytes: data.length - abi.selector.length });
});
