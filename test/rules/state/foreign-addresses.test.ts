/** Addresses of other chains: the first use decides the result for all later ones. */
import { describe, expect, test } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { FirstVerdicts, refusedForeignAddresses } from "../../../src/rules/state/foreign-addresses.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { compiled, errorOf, invoke, world } from "../../support/builders/dapps.ts";

const foreign = addressOfPublicKeyHash(new Uint8Array(20).fill(5), "W".charCodeAt(0));
const text = encodeBase58(foreign);
const asset = encodeBase58(new Uint8Array(32).fill(9));

const script = compiled(
  6,
  `let a = Address(base58'${text}')
   func known() = assetBalance(a, base58'${asset}') == 0
   func unknown() = getString(a, "k") == unit && isDataStorageUntouched(a)
   @Callable(i)
   func pay() = [ScriptTransfer(a, 7, unit)]
   @Callable(i)
   func askAndPay() = if (known()) then [ScriptTransfer(a, 7, unit)] else throw("no")
   @Callable(i)
   func readAndAsk() = {
     strict read = getString(a, "k")
     [BooleanEntry("ok", known())]
   }
   @Callable(i)
   func read() = [BooleanEntry("ok", unknown())]
   @Callable(i)
   func askAndLease() = if (known()) then [Lease(a, 7)] else throw("no")
   @Callable(i)
   func parse() = [BooleanEntry("known", isDefined(addressFromString("${text}")))]
   @Callable(i)
   func askAndParse() = [BooleanEntry("known", known() && isDefined(addressFromString("${text}")))]
   @Callable(i)
   func balance() = [IntegerEntry("waves", wavesBalance(a).regular)]
   @Callable(i)
   func askAndBalance() = if (known()) then [IntegerEntry("waves", wavesBalance(a).regular)] else throw("no")`,
);
const another = "Address belongs to another network: expected: 82(R), actual: 87(W)";

/** State without any use so far, or with the same result for all. */
function state(before?: boolean) {
  const below = world({ dApp: script });
  const foreignAddresses = new FirstVerdicts(before);
  return new OverlayView(below, { height: below.height, foreignAddresses }) as ReturnType<typeof world>;
}
const entriesOf = (name: string, before?: boolean) =>
  invoke(state(before), { function: name }).snapshot.accountData?.flatMap(({ entries }) =>
    entries.map(({ value }) => value?.value),
  );
const paidTo = (view: ReturnType<typeof state>, name: string) =>
  invoke(view, { function: name }).snapshot.balances?.find(({ address }) => encodeBase58(address) === text)?.balance;

describe("within a call", () => {
  test("a balance of an asset makes it an address for later uses", () => {
    expect(errorOf(state(), { function: "pay" })).toContain(another);
    expect(paidTo(state(), "askAndPay")).toBe(7n);
    expect(invoke(state(), { function: "askAndLease" }).snapshot.newLeases?.[0]?.recipient).toEqual(foreign);
    expect([entriesOf("parse"), entriesOf("askAndParse")]).toEqual([[false], [true]]);
    expect(errorOf(state(), { function: "balance" })).toContain(another);
    expect(entriesOf("askAndBalance")).toEqual([0n]);
  });

  test("a read of its data makes it none, and finds nothing in any case", () => {
    expect(errorOf(state(), { function: "readAndAsk" })).toContain(another);
    for (const before of [undefined, true, false]) expect(entriesOf("read", before)).toEqual([true]);
  });
});

test("the result for one transaction holds for the following ones", () => {
  const view = state();
  expect(paidTo(view, "askAndPay")).toBe(7n);
  expect(paidTo(view, "pay")).toBe(7n);
  const other = state();
  expect(entriesOf("read")).toEqual([true]);
  invoke(other, { function: "read" });
  expect(errorOf(other, { function: "askAndPay" })).toContain(another);
});

test("an earlier result decides, and it is known whether the outcome depended on it", () => {
  expect(paidTo(state(true), "pay")).toBe(7n);
  expect(errorOf(state(false), { function: "askAndPay" })).toContain(another);
  for (const [name, matters] of [
    ["read", false],
    ["parse", true],
    ["askAndPay", true],
  ] as const) {
    const view = state();
    invoke(view, { function: name });
    expect((view.foreignAddresses as FirstVerdicts).hasMattered).toBe(matters);
  }
});

test("if no block may depend on it, a read with two possible results is refused", () => {
  const below = world({ dApp: script });
  const overlay = () =>
    new OverlayView(below, { height: below.height, foreignAddresses: refusedForeignAddresses }) as typeof below;
  for (const name of ["pay", "askAndPay", "readAndAsk", "askAndLease", "parse", "balance"])
    expect(() => invoke(overlay(), { function: name })).toThrow(WorkRefused);
  expect(() => invoke(overlay(), { function: "read" })).not.toThrow();
});
