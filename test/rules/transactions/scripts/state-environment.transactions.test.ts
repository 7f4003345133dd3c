/** Reads of transactions by verifiers. @see Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala */
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { parseJson } from "../../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type { Script, Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../../src/protocol/transactions/transaction-from-json.ts";
import { applyTransaction } from "../../../../src/rules/transactions/apply-transaction.ts";
import {
  addresses,
  assetId,
  chainId,
  context,
  keys,
  sample,
  transactionId,
  violationOf,
} from "../../../support/builders/sample-transactions.ts";
import { assetScriptOf, scriptOf } from "../../../support/builders/test-scripts.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const earlier = { id: transactionId(77) };
const id = encodeBase58(earlier.id);
/** Whether the verifier lets a transfer pass on a chain that has the transaction. */
const passes = (script: Script, included?: Transaction): boolean => {
  const state = new InMemoryState().withBalance(addresses.alice, 1_000_000_000n);
  if (included !== undefined) state.moveTo(50).include(included, "succeeded");
  state.moveTo(100).withAccountScript(keys.alice, 1n, script);
  try {
    return applyTransaction(sample(4), state, context).status === "succeeded";
  } catch (error) {
    if (error instanceof RuleError && error.violation.code === "scriptRefused") return false;
    throw error;
  }
};

describe("transactionById", () => {
  const script = (type: string) =>
    scriptOf(`match transactionById(base58'${id}') { case t: ${type} => t.fee > 0 case _ => false }`, { version: 2 });

  it("shows a transaction of any type", () => {
    expect(passes(script("DataTransaction"), sample(12, earlier))).toBe(true);
    expect(passes(script("BurnTransaction"), sample(6, earlier))).toBe(true);
    expect(passes(script("BurnTransaction"), sample(12, earlier))).toBe(false);
    expect(passes(script("DataTransaction"))).toBe(false);
  });

  it("shows none of an Ethereum wallet", () => {
    expect(passes(script("TransferTransaction"), sample(18, earlier))).toBe(false);
  });
});

describe("transferTransactionById", () => {
  const script = (version: number) =>
    scriptOf(
      `match transferTransactionById(base58'${id}') { case t: TransferTransaction => t.amount > 0 case _ => false }`,
      { version },
    );

  it("shows transfers and nothing else", () => {
    expect(passes(script(3), sample(4, earlier))).toBe(true);
    expect(passes(script(6), sample(4, earlier))).toBe(true);
    expect(passes(script(6), sample(11, earlier))).toBe(false);
    expect(passes(script(6))).toBe(false);
  });

  it("shows those of Ethereum wallets from version 6 on", () => {
    expect(passes(script(5), sample(18, earlier))).toBe(false);
    expect(passes(script(6), sample(18, earlier))).toBe(true);
  });
});

describe("transferTransactionFromProto", () => {
  const script = (bytes: Uint8Array) =>
    scriptOf(
      `match transferTransactionFromProto(base58'${encodeBase58(bytes)}') { case t: TransferTransaction => t.amount == 10 && t.version == 3 && t.sender == addressFromPublicKey(t.senderPublicKey) case _ => false }`,
    );

  const signed = (fields: object): Uint8Array => {
    const senderPublicKey = encodeBase58(keys.alice);
    const json = { version: 3, senderPublicKey, fee: 100_000, timestamp: 1, proofs: [], ...fields };
    return encodeProtobuf(transactionFromJson(parseJson(JSON.stringify(json)), chainId));
  };

  it("reads a transfer", () => {
    expect(passes(script(signed({ type: 4, amount: 10, recipient: encodeBase58(addresses.bob) })))).toBe(true);
  });

  it("reads nothing else", () => {
    expect(passes(script(signed({ type: 6, amount: 10, assetId: encodeBase58(assetId(1)) })))).toBe(false);
    expect(passes(script(Uint8Array.of(1, 2, 3)))).toBe(false);
  });
});

describe("a transfer of an Ethereum wallet", () => {
  const asset = assetId(9);
  const token = asset.subarray(0, 20);
  const data = new Uint8Array(68);
  data.set([0xa9, 0x05, 0x9c, 0xbb]);
  data.set(addresses.bob.subarray(2, 22), 16);
  data[67] = 5;
  const transfer = sample(18, { to: token, value: 0n, data, fee: 500_000n });
  const state = (script: Script) =>
    new InMemoryState()
      .withAsset(asset, { issuer: keys.carol, script: { script, complexity: 7n } })
      .withBalance(addresses.alice, 10_000_000n)
      .withBalance(addresses.alice, 10n, asset);

  it("runs the script of its asset as for a transfer without version, and counts its complexity", () => {
    const script = assetScriptOf(
      "match tx { case t: TransferTransaction => t.amount == 5 && t.version == 0 && t.bodyBytes == base58'' case _ => false }",
    );
    const { totalComplexity, spentComplexity } = applyTransaction(transfer, state(script), context);
    expect(totalComplexity).toBeGreaterThan(0n);
    expect(spentComplexity).toBe(totalComplexity);
  });

  it("is refused if the script refuses", () => {
    expect(violationOf(() => applyTransaction(transfer, state(assetScriptOf("false")), context))).toEqual({
      code: "scriptRefused",
      of: "asset",
    });
  });
});
