/**
 * Limits of calls by version of the library.
 * @source requirements "Script limits"; Waves: lang/v1/ContractLimits.scala
 */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import {
  maxActionsBeforeV6,
  maxKeyBytes,
  maxTotalComplexity,
} from "../../../../src/rules/transactions/invoke/limits.ts";
import {
  bystander,
  callable,
  compiled,
  dApp,
  errorOf,
  expensive,
  invoke,
  otherDApp,
  world,
} from "../../../support/builders/dapps.ts";

const bystanderText = `Address(base58'${encodeBase58(bystander)}')`;
const other = `Address(base58'${encodeBase58(otherDApp.address)}')`;
const list = (count: number, item: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => item(index)).join(", ")}]`;
const entries = (count: number): string => list(count, (index) => `IntegerEntry("k${index}", 1)`);
const transfers = (count: number): string => list(count, () => `ScriptTransfer(${bystanderText}, 1, unit)`);
const tokens = (count: number): string => list(count, (index) => `Issue("token", "", 1, 0, false, unit, ${index})`);
const gives = (version: number, result: string) => world({ dApp: compiled(version, callable(result)) });

describe("complexity of a whole transaction", () => {
  it("is 26,000 for version 5 and 52,000 from version 6 on", () => {
    expect([3, 4, 5, 6, 7, 8].map(maxTotalComplexity)).toEqual([52_000, 52_000, 26_000, 52_000, 52_000, 52_000]);
  });

  it("an excess makes the call fail", () => {
    const calls = Array.from({ length: 7 }, (_, index) => `strict c${index} = invoke(${other}, "call", [], [])`);
    const state = world({
      dApp: compiled(5, callable("[]", calls.join("\n"))),
      other: compiled(5, callable("[]", `strict d = ${expensive(22)}`)),
    });
    const { status, callResult, spentComplexity } = invoke(state);
    expect(status).toBe("failed");
    expect(callResult?.error?.text).toBe("Invoke complexity limit = 26000 is exceeded");
    expect(spentComplexity).toBeLessThanOrEqual(26_000n);
  });
});

describe("data entries", () => {
  it("a call may write 100 and not one more", () => {
    expect(errorOf(gives(5, entries(100)))).toBe("no error");
    expect(errorOf(gives(5, entries(101)))).toBe("Stored data count limit is exceeded");
  });

  it("all calls of a transaction may write 100 in total", () => {
    const state = world({
      dApp: compiled(6, callable(entries(51), `strict c = invoke(${other}, "call", [], [])`)),
      other: compiled(6, callable(entries(50))),
    });
    expect(errorOf(state)).toBe("Stored data count limit is exceeded");
  });

  it("a call may write 5,120 bytes, all calls in total 15,360", () => {
    const text = (bytes: number) => `[StringEntry("k", "${"x".repeat(bytes - 1)}")]`;
    expect(errorOf(gives(6, text(5_120)))).toBe("no error");
    expect(errorOf(gives(6, text(5_121)))).toBe("WriteSet size can't exceed 5120 bytes, actual: 5121 bytes");
    const calls = [1, 2, 3].map((index) => `strict c${index} = invoke(${other}, "call", [], [])`).join("\n");
    const state = world({
      dApp: compiled(6, callable(text(2), calls)),
      other: compiled(6, callable(text(5_120))),
    });
    expect(errorOf(state)).toBe("Storing data size should not exceed 15360, actual: 15362 bytes");
  });

  it("keys have 400 bytes from version 4 on, and are not empty", () => {
    expect([3, 4].map(maxKeyBytes)).toEqual([100, 400]);
    const entry = (key: string) => `[IntegerEntry("${key}", 1)]`;
    expect(errorOf(gives(4, entry("k".repeat(400))))).toBe("no error");
    expect(errorOf(gives(4, entry("k".repeat(401))))).toBe("Data entry key size = 401 bytes must be less than 400");
    expect(errorOf(gives(4, entry("")))).toBe("Empty keys aren't allowed in tx version >= 2");
    expect(errorOf(gives(4, entry("")), { version: 1 })).toBe("Data entry key should not be empty");
  });
});

describe("actions", () => {
  it("are 10 in version 4 and 30 in version 5, without data", () => {
    expect([3, 4, 5].map(maxActionsBeforeV6)).toEqual([10, 10, 30]);
    expect(errorOf(gives(4, transfers(10)))).toBe("no error");
    expect(errorOf(gives(4, transfers(11)))).toBe("Actions count limit is exceeded");
    expect(errorOf(gives(5, transfers(30)))).toBe("no error");
    expect(errorOf(gives(5, transfers(31)))).toBe("Actions count limit is exceeded");
  });

  it("from version 6 on 100 change balances and 30 assets", () => {
    expect(errorOf(gives(6, transfers(100)))).toBe("no error");
    expect(errorOf(gives(6, transfers(101)))).toBe(
      "ScriptTransfer, Lease, LeaseCancel actions count limit is exceeded",
    );
    expect(errorOf(gives(6, tokens(30)))).toBe("no error");
    expect(errorOf(gives(6, tokens(31)))).toBe("Issue, Reissue, Burn, SponsorFee actions count limit is exceeded");
  });

  it("the version of the first dApp decides for all that it calls", () => {
    const state = world({
      dApp: compiled(6, callable("[]", `strict c = invoke(${other}, "call", [], [])`)),
      other: compiled(5, callable(transfers(31))),
    });
    expect(errorOf(state)).toBe("no error");
  });
});

describe("payments", () => {
  it("are 2 in version 4 and 10 in version 5", () => {
    const payments = (count: number) => Array.from({ length: count }, () => ({ asset: null, amount: 1n }));
    expect(errorOf(gives(4, "[]"), { payments: payments(2) })).toBe("no error");
    expect(errorOf(gives(4, "[]"), { payments: payments(3) })).toBe("Script payment amount=3 should not exceed 2");
    expect(errorOf(gives(5, "[]"), { payments: payments(11) })).toBe("Script payment amount=11 should not exceed 10");
  });

  it("all calls of a transaction carry 100 in total", () => {
    const ten = `[${Array.from({ length: 10 }, () => "AttachedPayment(unit, 1)").join(", ")}]`;
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => `strict c${index} = invoke(${other}, "call", [], ${ten})`).join("\n");
    const state = (count: number) =>
      world({ dApp: compiled(6, callable("[]", calls(count))), other: compiled(6, callable("[]")) });
    expect(errorOf(state(10))).toBe("no error");
    expect(errorOf(state(11))).toBe("GenericError(Invoke payments limit = 100 is exceeded)");
  });

  it("a dApp cannot pay itself from version 4 on", () => {
    const wish = { sender: dApp.key, payments: [{ asset: null, amount: 1n }] };
    expect(errorOf(gives(4, "[]"), wish)).toBe("DApp self-payment is forbidden since V4");
  });
});

describe("calls", () => {
  it("a chain of more than 100 ends", () => {
    const script = compiled(6, callable("([], c)", 'strict c = invoke(this, "call", [], [])'));
    expect(errorOf(world({ dApp: script }))).toBe("ScriptRunsLimitError(DApp calls limit = 100 is exceeded)");
  });

  it("a dApp of version 4 is not called by another", () => {
    const state = world({
      dApp: compiled(6, callable("[]", `strict c = invoke(${other}, "call", [], [])`)),
      other: compiled(4, callable("[]")),
    });
    expect(errorOf(state)).toMatch(/that uses RIDE V4, but dApp-to-dApp invocation requires version 5 or higher/);
  });
});
