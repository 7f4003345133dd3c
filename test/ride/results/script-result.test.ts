/** Result of a callable, read as actions. @source Waves: lang/v1/evaluator/ScriptResult.scala */
import { describe, expect, it } from "vitest";
import { ExecutionError, NativeFailure } from "../../../src/ride/execution-error.ts";
import type { ActionContext } from "../../../src/ride/results/action-values.ts";
import { parseScriptResult } from "../../../src/ride/results/script-result.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, Structure, tupleOf, unit, type Value } from "../../../src/ride/values/value.ts";

const owner = new Uint8Array(26).fill(5);
const context = (libraryVersion: number, allowsAliases = true): ActionContext => ({
  libraryVersion,
  allowsAliases,
  environment: {
    transactionId: () => new Uint8Array(32),
    resolveAlias: (alias) => {
      if (alias === "known") return owner;
      throw new ExecutionError(`Alias 'alias:R:${alias}' does not exist.`);
    },
  },
});

const object = (type: string, fields: Record<string, Value> = {}) =>
  new Structure(type, new Map(Object.entries(fields)));
const address = object("Address", { bytes: owner });
const entry = object("IntegerEntry", { key: new Text("k"), value: 1n });
const transfer = (to: Value = address) => object("ScriptTransfer", { recipient: to, amount: 5n, asset: unit });
const textOf = (value: Value, version: number): string => {
  try {
    parseScriptResult(value, context(version));
    return "a result";
  } catch (error) {
    if (error instanceof ExecutionError) return error.message;
    throw error;
  }
};

const v5Actions =
  "BinaryEntry|BooleanEntry|Burn|DeleteEntry|IntegerEntry|Issue|Lease|LeaseCancel|Reissue|ScriptTransfer|SponsorFee|StringEntry";
const v5 = `CallableFunction needs to return (List[${v5Actions}], Any)|List[${v5Actions}], but got`;
const v3 = "CallableFunction needs to return ScriptResult|TransferSet|WriteSet, but got";

describe("results of version 3", () => {
  const data = object("DataEntry", { key: new Text("k"), value: true });
  const writeSet = object("WriteSet", { data: new List([data]) });
  const transferSet = object("TransferSet", { transfers: new List([transfer()]) });

  it("a write set gives entries of any kind", () => {
    expect(parseScriptResult(writeSet, context(3)).actions).toEqual([
      { kind: "data", key: "k", value: { type: "boolean", value: true } },
    ]);
  });

  it("a script result gives entries before transfers", () => {
    const result = object("ScriptResult", { writeSet, transferSet });
    expect(parseScriptResult(result, context(3)).actions.map(({ kind }) => kind)).toEqual(["data", "transfer"]);
  });

  it("a failure of the virtual machine in transfers comes before a refusal of entries", () => {
    const wrong = object("WriteSet", { data: new List([1n]) });
    const result = (writeSet: Value, transferSet: Value) => object("ScriptResult", { writeSet, transferSet });
    const missing = new NativeFailure("java.util.NoSuchElementException", "key not found: transfers");
    for (const entries of [wrong, 1n]) {
      const failing = result(entries, object("TransferSet"));
      expect(() => parseScriptResult(failing, context(3))).toThrow(missing);
      expect(textOf(result(entries, 2n), 3)).toBe(
        entries === 1n ? `${v3} '1' instead of data` : `${v3} '1' instead of DataEntry`,
      );
    }
    expect(() => parseScriptResult(result(object("WriteSet"), 2n), context(3))).toThrow("key not found: data");
  });

  it.each([
    [object("Other"), `${v3} 'Other'`],
    [1n, `${v3} '(1,V3)'`],
    [object("WriteSet", { data: 5n }), `${v3} '5' instead of List(data)`],
    [object("WriteSet", { data: new List([entry]) }), /' instead of DataEntry$/],
    [
      object("WriteSet", { data: new List([object("DataEntry", { key: 1n, value: 2n })]) }),
      `${v3} 'can't reconstruct DataEntry from Map(key -> 1, value -> 2)'`,
    ],
    [object("TransferSet", { transfers: new List([data]) }), /' instead of TransferSet$/],
  ])("wrong result %#", (value, text) => {
    expect(textOf(value, 3)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
  });
});

describe("lists from version 4 on", () => {
  it("give actions in their order", () => {
    const deletion = object("DeleteEntry", { key: new Text("d") });
    expect(parseScriptResult(new List([entry, transfer(), deletion]), context(4)).actions).toEqual([
      { kind: "data", key: "k", value: { type: "integer", value: 1n } },
      {
        kind: "transfer",
        address: owner,
        recipient: { kind: "address", bytes: owner },
        amount: 5n,
        assetId: null,
      },
      { kind: "data", key: "d", value: null },
    ]);
  });

  it("leases are actions from version 5 on", () => {
    const lease = new List([object("Lease", { recipient: address, amount: 1n, nonce: 0n })]);
    expect(parseScriptResult(lease, context(5)).actions[0]?.kind).toBe("lease");
    expect(textOf(lease, 4)).toMatch(/^CallableFunction needs to return List\[BinaryEntry\|.*, but got 'Lease\(/);
  });

  it("a pair gives a value to the calling dApp from version 5 on", () => {
    expect(parseScriptResult(tupleOf(new List([entry]), 42n), context(5)).returnValue).toBe(42n);
    expect(textOf(tupleOf(1n, 2n), 5)).toBe(`${v5} 'Tuple'`);
    expect(textOf(tupleOf(new List([]), 1n), 4)).toMatch(/,V4\)'$/);
  });

  it.each([
    [1n, `${v5} '(1,V5)'`],
    [new List([7n]), `${v5} '7'`],
    [
      new List([object("IntegerEntry", { key: new Text("k"), value: true })]),
      `${v5} 'can't reconstruct IntegerEntry from Map(key -> k, value -> true)'`,
    ],
    [new List([object("DeleteEntry", { key: 1n })]), `${v5} 'Some(1)' instead of DeleteEntry`],
    [new List([object("DeleteEntry")]), `${v5} 'None' instead of DeleteEntry`],
    [new List([object("Burn", { assetId: 1n, quantity: 2n })]), `${v5} '(Some(1),Some(2))' instead of Burn`],
    [
      new List([object("ScriptTransfer", { recipient: 1n, amount: 2n, asset: unit })]),
      `${v5} '(1,2,Unit)' instead of ScriptTransfer`,
    ],
    [
      new List([object("ScriptTransfer", { recipient: address, amount: 2n, asset: 3n })]),
      `${v5} 'can't reconstruct token from 3'`,
    ],
    [new List([transfer(object("Address", { bytes: 1n }))]), `${v5} 'can't reconstruct address from 1'`],
    [new List([object("Issue", { name: new Text("n") })]), "Invalid arguments"],
  ])("wrong result %#", (value, text) => {
    expect(textOf(value, 5)).toBe(text);
  });

  it("an object without a required field fails as a machine would", () => {
    expect(() => parseScriptResult(new List([transfer(object("Address"))]), context(5))).toThrow(NativeFailure);
  });
});

describe("recipients by alias", () => {
  const toAlias = (alias: string) => new List([transfer(object("Alias", { alias: new Text(alias) }))]);

  it("become the owner's address", () => {
    expect(parseScriptResult(toAlias("known"), context(5)).actions).toMatchObject([
      { address: owner, recipient: { kind: "alias", alias: "known" } },
    ]);
    expect(textOf(toAlias("nobody"), 5)).toBe("Alias 'alias:R:nobody' does not exist.");
  });

  it("are not allowed before feature 15", () => {
    expect(() => parseScriptResult(toAlias("known"), context(4, false))).toThrow(/instead of recipient$/);
  });
});

describe("issues", () => {
  const issue = (fields: Record<string, Value> = {}) =>
    object("Issue", {
      name: new Text("token"),
      description: new Text(""),
      quantity: 5n,
      decimals: 2n,
      isReissuable: true,
      compiledScript: unit,
      nonce: 0n,
      ...fields,
    });

  it("have the id that follows from them and the transaction", () => {
    const [first, second] = parseScriptResult(new List([issue(), issue({ nonce: 1n })]), context(4)).actions;
    expect(first).toMatchObject({ kind: "issue", name: "token", quantity: 5n, decimals: 2 });
    expect((first as { assetId: Uint8Array }).assetId).toHaveLength(32);
    expect(first).not.toEqual({ ...second, nonce: 0n });
  });

  it("have no script and 0 to 8 decimals", () => {
    expect(textOf(new List([issue({ compiledScript: object("Script") })]), 4)).toBe(
      "Issuing scripted asset isn't supported",
    );
    expect(textOf(new List([issue({ decimals: -1n })]), 4)).toBe("Invalid decimals -1");
  });
});
