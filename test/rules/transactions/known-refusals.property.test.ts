/** Remembered refusals: whatever a script reads, the refusal of a transaction equals that of an execution. */
import { describe, expect, test } from "vitest";
import { publicKeyHashOf } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { ParsedJson } from "../../../src/protocol/parse-json.ts";
import { functionCallRequest } from "../../../src/protocol/transactions/function-call.ts";
import { Refused } from "../../../src/protocol/transactions/json-reader.ts";
import type {
  InvokeScriptTransaction,
  Script,
  Transaction,
  TransactionId,
} from "../../../src/protocol/transactions/transaction.ts";
import { type CallableAbi, callableAbis } from "../../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import type { BlockContext, KnownRefusals } from "../../../src/rules/transactions/block-context.ts";
import { contentText } from "../../../src/rules/transactions/likeness.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { randomCall, writeDApp } from "../../../verification/fuzz/dapp-writer.ts";
import {
  callable,
  compiled,
  dApp,
  expensive,
  otherDApp,
  ownAsset,
  scriptedAsset,
  waves,
  world,
} from "../../support/builders/dapps.ts";
import { addresses, context, now, sample, to } from "../../support/builders/sample-transactions.ts";
import type { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const RUNS = 150;
const base58 = (bytes: Uint8Array) => `base58'${encodeBase58(bytes)}'`;

/** Values of bytes, some of which depend on the calling transaction. */
const readings = [
  "base58'5Q'",
  "i.caller.bytes",
  "toBytes(i.fee)",
  "toBytes(height)",
  "toBytes(lastBlock.timestamp)",
  "toBytes(i.payments.size())",
  "i.transactionId",
  "idOf(i)",
  "idOf([i, i][1])",
  "match i { case call: Invocation => call.transactionId }",
  "(if ([i].containsElement(i)) then base58'2' else base58'3')",
  'calculateAssetId(Issue("asset", "", 1, 0, false, unit, 0))',
  "calculateLeaseId(Lease(i.caller, 1))",
  `(invoke(Address(${base58(otherDApp.address)}), "call", [], []).exactAs[ByteVector])`,
  `(invoke(Address(${base58(otherDApp.address)}), "call", [], [AttachedPayment(${base58(scriptedAsset)}, 1)]).exactAs[ByteVector])`,
];
/** Ends of a call, most of which refuse it. */
const endings = [
  "throw(toBase58String(read))",
  "throw(toBase58String(read))",
  `[ScriptTransfer(i.caller, ${10n ** 17n}, unit)]`,
  `[ScriptTransfer(i.caller, ${10n ** 17n}, ${base58(ownAsset)})]`,
  `[ScriptTransfer(i.caller, 1, ${base58(scriptedAsset)})]`,
  `[Burn(${base58(scriptedAsset)}, 1), Reissue(${base58(ownAsset)}, -1, true)]`,
  `[Burn(${base58(ownAsset)}, ${10n ** 17n})]`,
  `[Lease(i.caller, ${10n ** 17n})]`,
  "[LeaseCancel(read)]",
  '[Issue("a", "", 1, 0, false, unit, 0)]',
  '[Issue("asset", "", 1, 0, false, unit, 0), BinaryEntry("", read)]',
  '[BinaryEntry("key", read), BinaryEntry("key", read)]',
  '[StringEntry("key", "value"), DeleteEntry(toBase58String(read))]',
  "[]",
];
const assetScripts = [
  "true",
  "false",
  "height > 1000",
  "if (height > 0) then throw(toBase58String(tx.id)) else false",
  "if (height > 0) then throw(toString(tx.timestamp)) else false",
  "if (height > 0) then throw(toString(lastBlock.height)) else false",
  "match tx { case t: TransferTransaction => t.amount > 5 case _ => false }",
];

function scriptOf(random: SeededRandom, result: (actions: string) => string): Script {
  const reading = random.pick(readings);
  const isDear = random.boolean(0.5);
  const ending = random.pick(endings);
  const body = `strict read = ${reading}
    strict isWrong = ${isDear ? expensive(8) : "false"}
    ${ending.startsWith("[") ? result(ending) : ending}`;
  return compiled(6, `func idOf(call: Invocation) = call.transactionId\n@Callable(i)\nfunc call() = {\n${body}\n}\n`);
}

function madeWorld(random: SeededRandom): InMemoryState {
  return world({
    dApp: scriptOf(random, (actions) => actions),
    other: scriptOf(new SeededRandom(`other ${random.below(1e9)}`), (actions) => `(${actions}, read)`),
    asset: compiled(6, random.pick(assetScripts), "ASSET"),
  });
}

function callOf(fields: Partial<InvokeScriptTransaction>): InvokeScriptTransaction {
  return sample(16, {
    ...{ version: 2, dApp: to(dApp.address), call: { function: "call", args: [] }, payments: [], fee: 10n * waves },
    ...fields,
  });
}

/** An alike transaction, with all differing fields changed. */
function another(random: SeededRandom, transaction: Transaction): Transaction {
  return {
    ...transaction,
    id: random.bytes(32) as TransactionId,
    timestamp: now - BigInt(random.below(1_000_000)),
    bodyBytes: random.bytes(90),
    bytes: random.bytes(160),
    ...("proofs" in transaction && { proofs: [random.bytes(64)] }),
    ...("ethereumBytes" in transaction && { ethereumBytes: random.bytes(160) }),
  } as Transaction;
}

class Memory implements KnownRefusals {
  readonly #faults = new Map<string, RuleError["violation"]>();
  found = 0;

  find(likeness: string): RuleError | undefined {
    const fault = this.#faults.get(likeness);
    if (fault === undefined) return undefined;
    this.found += 1;
    return new RuleError(fault);
  }

  add(likeness: string, { violation }: RuleError): void {
    this.#faults.set(likeness, violation);
  }
}

function outcome(state: InMemoryState, transaction: Transaction, more: Partial<BlockContext>): unknown {
  try {
    return applyTransaction(transaction, state, { ...context, verifySignatures: false, ...more });
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
}

interface Pair {
  /** Whether the results differ. */
  readonly differs: boolean;
  /** Whether the refusal of the second one was remembered. */
  readonly isFound: boolean;
}

/** Applies two alike transactions, each with memory and without. */
function expectSameAsFresh(random: SeededRandom, state: InMemoryState, transaction: Transaction): Pair {
  const execution = random.pick(["strict", "limited"] as const);
  const memory = new Memory();
  const ends = [another(random, transaction), another(random, transaction)].map((each) => {
    const moment = { execution, blockTimestamp: now + BigInt(random.below(10_000)) };
    const fresh = outcome(state, each, moment);
    expect(outcome(state, each, { ...moment, refusals: memory })).toEqual(fresh);
    return contentText(fresh);
  });
  return { differs: ends[0] !== ends[1], isFound: memory.found > 0 };
}

function expectFound(pairs: readonly Pair[]): void {
  expect(pairs.filter(({ isFound }) => isFound).length).toBeGreaterThan(pairs.length / 5);
}

/** Checks that some drawn pairs have different results. */
function expectDifferent(pairs: readonly Pair[]): void {
  expect(pairs.filter(({ differs }) => differs).length).toBeGreaterThan(pairs.length / 20);
}

describe("a refusal that is remembered is the one to which the scripts would come", () => {
  test("of calls that read their transaction, call others, move assets with scripts", () => {
    const pairs = Array.from({ length: RUNS }, (_, run) => {
      const random = new SeededRandom(`known refusals ${run}`);
      const payments = random.boolean(0.3) ? [{ asset: scriptedAsset, amount: 1n }] : [];
      return expectSameAsFresh(random, madeWorld(random), callOf({ payments }));
    });
    expectFound(pairs);
    expectDifferent(pairs);
  });

  test("of calls of dApps of random functions", () => {
    const pairs: Pair[] = [];
    const names = { accounts: [dApp.address], dataKeys: ["key"], assets: [ownAsset], transactions: [] };
    for (let run = 0; pairs.length < RUNS; run++) {
      const random = new SeededRandom(`random dApp ${run}`);
      const { source, signatures } = writeDApp(random, 6, names);
      const [, ...lines] = source.split("{-# SCRIPT_TYPE ACCOUNT #-}\n");
      const script = compiledIfValid(lines.join(""));
      if (script === undefined) continue;
      const state = world({ dApp: script });
      for (const signature of signatures) {
        const call = functionCallRequest(randomCall(random, signature) as unknown as ParsedJson);
        if (call instanceof Refused) continue;
        pairs.push(expectSameAsFresh(random, state, callOf({ call })));
      }
    }
    expectFound(pairs);
  });

  test("of other transactions of assets with scripts, and of Ethereum wallets", () => {
    const keep = compiled(6, callable('throw("no")'));
    const [abi] = callableAbis(parseScript(keep)) as unknown as readonly [CallableAbi];
    const data = concatBytes(abi.selector, word(32), word(0));
    const transactions = [
      sample(4, { asset: ownAsset, amount: 1n, fee: waves }),
      sample(11, { asset: ownAsset, fee: waves }),
      sample(7, { fee: waves }),
      sample(18, { to: publicKeyHashOf(dApp.address), value: 0n, data, fee: waves }),
      sample(18, { to: ownAsset.subarray(0, 20), value: 0n, data: tokenTransfer, fee: waves }),
    ];
    const pairs = assetScripts.flatMap((script) => {
      const state = world({ dApp: keep });
      const price = { script: compiled(6, script, "ASSET"), complexity: 10n };
      state.withAsset(ownAsset, { issuer: dApp.key, volume: 1_000n, script: price });
      for (const rich of Object.values(addresses)) {
        state.withBalance(rich, 1_000n * waves);
        state.withBalance(rich, 1_000n, ownAsset);
      }
      return transactions.map((transaction, index) =>
        expectSameAsFresh(new SeededRandom(`others ${script} ${index}`), state, transaction),
      );
    });
    expectFound(pairs);
    expectDifferent(pairs);
  });
});

/** Compiles a source; random ones are sometimes invalid. */
function compiledIfValid(body: string): Script | undefined {
  try {
    return compiled(6, body);
  } catch {
    return undefined;
  }
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, value);
  return bytes;
}
const tokenTransfer = concatBytes(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb), word(1), word(1));
