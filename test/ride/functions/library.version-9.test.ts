import { expect, test } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { call, constant } from "../../../src/ride/functions/tree.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { valueJson } from "../../../src/ride/values/value-json.ts";
import { treeDApp } from "../../../verification/fuzz/families/tree-dapp.ts";
import { callCase } from "../../../verification/fuzz/fuzz-cases.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

/** Numbers are texts. */
interface Verdict {
  readonly function: string;
  readonly note: string;
  readonly result?: unknown;
  readonly complexity?: number;
  readonly message?: string;
  /** It fails with a message of the platform. */
  readonly fails?: true;
}

interface Recorded {
  readonly family: string;
  readonly script: string;
  readonly verdicts: readonly Verdict[];
}

const recorded = recordedLines<Recorded>("ride/library-9.jsonl.gz");
const chainId = 82;
const address = addressOfPublicKeyHash(new Uint8Array(20).fill(9), chainId);
const names = { accounts: [], dataKeys: [], assets: [], transactions: [] };
const world = { chainId, names, accounts: new Map(), heights: new Map() };

function quoted(json: string): unknown {
  return JSON.parse(json.replaceAll(/("value":)(-?\d+)/g, '$1"$2"'));
}

/** Result of this evaluator, in the form of the recording. */
function evaluateRecorded(script: Uint8Array, { function: name, note, message, fails }: Verdict): Verdict {
  const { result } = callCase({ address, script }, { function: name, args: [] }, note, world, undefined);
  if (result.kind === "value") {
    return { function: name, note, result: quoted(jsonText(valueJson(result.value))), complexity: result.complexity };
  }
  if (fails) return { function: name, note, fails };
  const innerMessage = /^InvokeRejectError\(error = (.*?), log = /s.exec(result.message)?.[1] ?? result.message;
  return {
    function: name,
    note,
    message: message !== undefined && result.message.includes(`error = ${message}, log`) ? message : innerMessage,
  };
}

test.each(["library9", "certificates"])(
  "functions of the family %s have the results of the reference's evaluator",
  (family) => {
    const lines = recorded.filter((line) => line.family === family);
    const expected = lines.flatMap(({ verdicts }) => verdicts);
    const got = lines.flatMap(({ script, verdicts }) => {
      const bytes = new Uint8Array(Buffer.from(script, "base64"));
      return verdicts.map((verdict) => evaluateRecorded(bytes, verdict));
    });
    expect(got).toEqual(expected);
    expect(expected.filter(({ result }) => result !== undefined).length).toBeGreaterThan(50);
    expect(expected.filter(({ result }) => result === undefined).length).toBeGreaterThan(40);
  },
);

test("a replacement between the halves of pairs counts each half as one byte, without making the text", () => {
  const replaceAll = 1215;
  const args = ["\u{1f600}".repeat(380), "", "ab".repeat(1_000)].map((text) => constant(new Text(text)));
  const { script } = treeDApp(9, [{ tree: call(replaceAll, ...args), note: "" }]);
  const { result } = callCase({ address, script }, { function: "case0", args: [] }, "", world, undefined);
  // 760 halves, and 2,000 bytes at each of 761 positions.
  expect(result.kind === "failure" && result.message).toContain("String size=1522760 exceeds 32767 bytes");
});
