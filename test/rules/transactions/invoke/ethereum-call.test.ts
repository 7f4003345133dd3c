/** Call data of Ethereum wallets with the called dApp. @see Waves: transaction/EthABIConverter.scala (checkLen) */
import { expect, test } from "vitest";
import { publicKeyHashOf } from "../../../../src/crypto/address.ts";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { Feature } from "../../../../src/network/features.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { type CallableAbi, callableAbis } from "../../../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../../../src/ride/script/script-bytes.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import { compiled, dApp, world } from "../../../support/builders/dapps.ts";
import { context, sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import type { StateOptions } from "../../../support/fakes/in-memory-state.ts";

const script = compiled(6, '@Callable(i)\nfunc keep(text: String) = [StringEntry("text", text)]\n');
const [keep] = callableAbis(parseScript(script)) as unknown as readonly [CallableAbi];
const word = (value: number) => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, value);
  return bytes;
};

/** `keep` with eleven bytes that are no UTF-8, and `gapBytes` more before the list of payments. */
function call(gapBytes: number) {
  const text = new Uint8Array(32);
  text.fill(0xff, 0, 11);
  const gap = new Uint8Array(gapBytes);
  const data = concatBytes(keep.selector, word(64), word(128 + gapBytes), word(11), text, gap, word(0));
  return sample(TransactionType.Ethereum, { to: publicKeyHashOf(dApp.address), value: 0n, data, fee: 500_000n });
}
const applied = (gapBytes: number, options: StateOptions = {}) =>
  applyTransaction(call(gapBytes), world({ dApp: script }, options), context).status;

test("a text that is no UTF-8 counts as decoded, from feature 19 on", () => {
  expect(violationOf(() => applied(0))).toMatchObject({ message: "Redundant bytes were found in Ethereum Invoke" });
  expect(applied(32)).toBe("succeeded");
  const features = new Map<number, number>([
    [Feature.RideV6, 0],
    [Feature.SynchronousCalls, 0],
    [Feature.BlockV5, 0],
    [Feature.Ride4DApps, 0],
    [Feature.SmartAccounts, 0],
    [Feature.SmartAssets, 0],
  ]);
  expect(applied(0, { features })).toBe("succeeded");
});

test("call data that the reference's library cannot read has no verdict, and is not elided", () => {
  const sent = (data: Uint8Array) =>
    sample(TransactionType.Ethereum, { to: publicKeyHashOf(dApp.address), value: 0n, data, fee: 500_000n });
  const violationOfData = (data: Uint8Array) =>
    violationOf(() => applyTransaction(sent(data), world({ dApp: script }), context));
  expect(violationOfData(concatBytes(keep.selector, word(64)))).toMatchObject({ code: "callDataUnreadable" });
  expect(violationOfData(Uint8Array.of(1, 2, 3))).toEqual({
    code: "callDataUnreadable",
    message: "begin 0, end 8, length 6",
  });
  expect(violationOfData(Uint8Array.of(1, 2, 3, 4))).toMatchObject({ code: "generic" });
});
