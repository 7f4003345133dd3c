/** What scripts of the reference see otherwise by what its process has seen before: the liquid block, addresses of other chains. */
import { addressOfPublicKeyHash } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { EdgeDApp } from "../edge-dapp.ts";
import type { Scenario } from "../scenario.ts";

const head = "{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n";
const publicKeyHashBytes = 20;
const anotherChain = "W".charCodeAt(0);
const rounds = 10;
/** How many of the data transactions have an entry. */
const withEntries = 1 / 5;

export const edgesLiquid: Scenario = {
  name: "edges-liquid",
  about: "data transactions without entries: calls in the same block and behind it find what the reference finds there",
  needs: ["reference"],
  play: async (stage) => {
    const { random } = stage;
    const source = `${head}
      @Callable(i)
      func check(of: ByteVector) = [BooleanEntry(of.toBase58String(), isDataStorageUntouched(Address(of)))]`;
    const dApp = await EdgeDApp.started(stage, source);
    try {
      for (let round = 0; round < rounds; round++) {
        const account = dApp.user(2 + round);
        const data = random.chance(withEntries) ? [{ key: "k", value: { type: "integer", value: 1n } }] : [];
        await dApp.send({ type: TransactionType.Data, version: 2, fee: 500_000n, data }, account);
        for (let asked = random.between(1, 3); asked > 0; asked--)
          await dApp.call("check", [{ type: "binary", value: account.address }]);
      }
      return await dApp.judged();
    } finally {
      await dApp.stop();
    }
  },
};

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
      return await dApp.judged();
    } finally {
      await dApp.stop();
    }
  },
};
