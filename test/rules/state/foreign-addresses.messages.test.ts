/** Addresses of the own chain in messages of another one: the first read decides the result for all. */
import { describe, expect, test } from "vitest";
import { addressOfPublicKey, addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { writtenBytes } from "../../../src/protocol/codec/byte-writer.ts";
import { writeDelimited } from "../../../src/protocol/codec/protobuf.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { FirstVerdicts, refusedForeignAddresses } from "../../../src/rules/state/foreign-addresses.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { compiled, errorOf, invoke, world } from "../../support/builders/dapps.ts";

const [own, other] = [82, 84];
const fresh = addressOfPublicKeyHash(new Uint8Array(20).fill(7), own);
const rich = addressOfPublicKey(new Uint8Array(32).fill(8) as PublicKey, own);

const messageOf = (...fields: readonly (readonly [number, Uint8Array | number])[]): Uint8Array =>
  writtenBytes((to) => {
    for (const [number, content] of fields) {
      if (content instanceof Uint8Array) {
        writeDelimited(number, content, to);
        continue;
      }
      to.varint(number * 8);
      to.varint(content);
    }
  });
const recipientOf = (content: Uint8Array) => messageOf([1, content]);
const toOne = (content: Uint8Array) => messageOf([1, recipientOf(content)], [2, messageOf([2, 5])]);

/** Signed transaction, with the data of its type under a field number. */
function inMessage(chainId: number, data: Uint8Array, number = 104): string {
  const fee = messageOf([2, 100_000]);
  const transaction = messageOf([1, chainId], [2, new Uint8Array(32)], [3, fee], [5, 3], [number, data]);
  return `base58'${encodeBase58(messageOf([1, transaction]))}'`;
}

function scriptFor(address: Address) {
  const text = `base58'${encodeBase58(address)}'`;
  const reading = (message: string) => `strict read = isDefined(transferTransactionFromProto(${message}))`;
  const thenFound = (name: string, message: string) => `
     @Callable(i)
     func ${name}() = {
       ${reading(message)}
       [BooleanEntry("read", read), BooleanEntry("found", isDefined(addressFromString("${encodeBase58(address)}")))]
     }`;
  const transfers = (count: number) => messageOf(...Array.from({ length: count }, () => [2, toOne(address)] as const));
  return compiled(
    6,
    `${thenFound("whole", inMessage(other, toOne(address)))}
     ${thenFound("hash", inMessage(own, toOne(address.subarray(2, 22))))}
     ${thenFound("genesis", inMessage(other, messageOf([1, address]), 101))}
     ${thenFound("payment", inMessage(other, messageOf([1, address]), 102))}
     ${thenFound("lease", inMessage(other, messageOf([1, recipientOf(address)]), 108))}
     ${thenFound("massTransfer", inMessage(other, transfers(101), 111))}
     ${thenFound("call", inMessage(other, messageOf([1, recipientOf(address)]), 116))}
     ${thenFound("alias", inMessage(other, toOne(address.subarray(0, 25))))}
     @Callable(i)
     func readTwice() = {
       ${reading(inMessage(other, toOne(address)))}
       [BooleanEntry("read", isDefined(transferTransactionFromProto(${inMessage(own, toOne(address.subarray(2, 22)))})))]
     }
     @Callable(i)
     func pay() = {
       ${reading(inMessage(other, toOne(address)))}
       [ScriptTransfer(Address(${text}), if (read) then 7 else 8, unit)]
     }`,
  );
}

function state(address: Address, { before }: { before?: boolean } = {}) {
  const below = world({ dApp: scriptFor(address) });
  const { height } = below;
  const overlay = new OverlayView(below, { height, foreignAddresses: new FirstVerdicts(before) });
  overlay.apply({ balances: [{ address: rich, asset: null, balance: 1n }] });
  return overlay as unknown as ReturnType<typeof world>;
}
const entries = (view: ReturnType<typeof world>, name: string) =>
  invoke(view, { function: name }).snapshot.accountData?.flatMap((data) =>
    data.entries.map(({ value }) => value?.value),
  );

describe("an empty account", () => {
  test.each(["whole", "genesis", "payment", "lease", "massTransfer", "call"])(
    "is an address for no caller once a message of another chain has named it (%s)",
    (name) => expect(entries(state(fresh), name)).toEqual([false, false]),
  );

  test("stays one if the message has its hash or no address", () => {
    expect(entries(state(fresh), "hash")).toEqual([true, true]);
    expect(entries(state(fresh), "alias")).toEqual([false, true]);
  });

  test("is none in messages of the own chain, and gets nothing", () => {
    expect(entries(state(fresh), "readTwice")).toEqual([false]);
    expect(errorOf(state(fresh), { function: "pay" })).toContain(
      "Address belongs to another network: expected: 84(T), actual: 82(R)",
    );
    const view = state(fresh);
    entries(view, "whole");
    expect(entries(view, "hash")).toEqual([false, false]);
  });

  test("is an address if it was one before the block", () => {
    expect(entries(state(fresh, { before: true }), "whole")).toEqual([true, true]);
  });
});

test("a non-empty account is an address in a message of another chain, unless it was none before the block", () => {
  expect(entries(state(rich), "whole")).toEqual([true, true]);
  expect(entries(state(rich, { before: false }), "whole")).toEqual([false, false]);
});

test("it is known whether the outcome depended on it, and the pool and own blocks do not read it", () => {
  for (const [name, matters] of [
    ["whole", true],
    ["lease", true],
    ["hash", false],
    ["alias", false],
  ] as const) {
    const view = state(rich);
    invoke(view, { function: name });
    expect((view.foreignAddresses as FirstVerdicts).hasMattered).toBe(matters);
    const below = world({ dApp: scriptFor(rich) });
    const choice = new OverlayView(below, { height: below.height, foreignAddresses: refusedForeignAddresses });
    const call = () => invoke(choice as unknown as typeof below, { function: name });
    if (matters) expect(call).toThrow(WorkRefused);
    else expect(call).not.toThrow();
  }
});
