/**
 * Script results of the reference that depend on what its process has seen: the liquid block, addresses of other
 * chains.
 */
import { addressOfPublicKeyHash } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { SeededRandom } from "../../../chain-generator/seeded-random.ts";
import { EdgeDApp } from "../edge-dapp.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { findKeyBlockDifferences } from "./key-block-edges.ts";

const head = "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n";
const publicKeyHashBytes = 20;
const anotherChain = "W".charCodeAt(0);
const rounds = 10;
/** Calls with spellings of data keys, before and after the restart of the reference. */
const spelledCalls = 16;
const spelledKeys = 2;
const spellings = 3;
/** Share of the data transactions that have an entry. */
const withEntries = 1 / 5;

export const edgesLiquid: Scenario = {
  name: "edges-liquid",
  about:
    "data transactions without entries, keys with halves of surrogate pairs: calls in the same block, behind it and behind a restart of the reference find what it finds; so do calls in key blocks",
  needs: ["reference"],
  play: async (stage) => [...(await findCallDifferences(stage)), ...(await findKeyBlockDifferences(stage, head))],
};

async function findCallDifferences(stage: Stage): Promise<string[]> {
  const { random } = stage;
  const source = `${head}
    let spellings = ["a?", dropRight("a😀", 1), "a" + takeRight("a😀", 1)]
    func spelled(key: Int, spelling: Int) = key.toString() + spellings[spelling]
    func integer(key: Int, spelling: Int) = getInteger(this, spelled(key, spelling)).valueOrElse(-1).toString()
    @Callable(i)
    func check(of: ByteVector) = [BooleanEntry(of.toBase58String(), isDataStorageUntouched(Address(of)))]
    @Callable(i)
    func write(key: Int, spelling: Int, value: Int) = [IntegerEntry(spelled(key, spelling), value)]
    @Callable(i)
    func writeAll(key: Int, value: Int) = [
      IntegerEntry(spelled(key, 0), value), IntegerEntry(spelled(key, 1), value + 100), IntegerEntry(spelled(key, 2), value + 200),
      IntegerEntry("first", value), IntegerEntry("second", value)
    ]
    @Callable(i)
    func forget(key: Int, spelling: Int) = [DeleteEntry(spelled(key, spelling))]
    @Callable(i)
    func readOne(key: Int, spelling: Int) = [StringEntry("read", integer(key, spelling))]
    @Callable(i)
    func readAll(key: Int) = [StringEntry("read", integer(key, 0) + " " + integer(key, 1) + " " + integer(key, 2))]`;
  const dApp = await EdgeDApp.started(stage, source);
  try {
    for (let round = 0; round < rounds; round++) {
      const account = dApp.user(2 + round);
      const data = random.boolean(withEntries) ? [{ key: "k", value: { type: "integer", value: 1n } }] : [];
      await dApp.send({ type: TransactionType.Data, version: 2, fee: 500_000n, data }, account);
      for (let asked = random.between(1, 3); asked > 0; asked--)
        await dApp.call("check", [{ type: "binary", value: account.address }]);
    }
    await callSpelled(dApp, random);
    await dApp.restartReference();
    await callSpelled(dApp, random);
    return await dApp.findDifferences();
  } finally {
    await dApp.stop();
  }
}

async function callSpelled(dApp: EdgeDApp, random: SeededRandom): Promise<void> {
  const integer = (value: number) => ({ type: "integer", value: BigInt(value) }) as const;
  const written = new Map<number, number>();
  for (let number = 0; number < spelledCalls; number++) {
    const key = random.below(spelledKeys);
    const drawn = random.below(spellings);
    const name = random.pick(["write", "write", "writeAll", "forget", "readOne", "readAll", "readAll"]);
    const spelling = name === "writeAll" ? spellings : drawn;
    if (!name.startsWith("read")) {
      // If two spellings come in a block with few entries, reads in the reference's pool decide which one stays.
      if ((written.get(key) ?? spelling) !== spelling) await dApp.nextBlock();
      written.set(key, spelling);
    }
    const args = { write: [key, spelling, number], writeAll: [key, number], readAll: [key] }[name] ?? [key, spelling];
    await dApp.call(name, args.map(integer));
  }
}

export const edgesAddresses: Scenario = {
  name: "edges-addresses",
  about:
    "scripts ask for addresses of another chain and pay to them, in one call and in later ones: the first question decides",
  needs: ["reference"],
  play: async (stage) => {
    const { random } = stage;
    const asset = encodeBase58(random.bytes(32));
    const dApp = await EdgeDApp.started(
      stage,
      `${head}
       func known(a: ByteVector) = assetBalance(Address(a), base58'${asset}') == 0
       @Callable(i)
       func pay(a: ByteVector) = [ScriptTransfer(Address(a), 1, unit)]
       @Callable(i)
       func askAndPay(a: ByteVector) = if (known(a)) then [ScriptTransfer(Address(a), 1, unit)] else throw("no")
       @Callable(i)
       func ask(a: ByteVector) = [BooleanEntry(a.toBase58String(), known(a))]
       @Callable(i)
       func readAndAsk(a: ByteVector) = {
         strict s = getString(Address(a), "k")
         [BooleanEntry(a.toBase58String(), known(a))]
       }
       @Callable(i)
       func parse(a: ByteVector) = [BooleanEntry("p" + a.toBase58String(), isDefined(addressFromString(a.toBase58String())))]`,
    );
    const names = ["pay", "askAndPay", "ask", "readAndAsk", "parse"];
    try {
      for (let round = 0; round < rounds; round++) {
        const value = addressOfPublicKeyHash(random.bytes(publicKeyHashBytes), anotherChain);
        for (let asked = random.between(1, 3); asked > 0; asked--)
          await dApp.call(random.pick(names), [{ type: "binary", value }]);
      }
      return await dApp.findDifferences();
    } finally {
      await dApp.stop();
    }
  },
};
