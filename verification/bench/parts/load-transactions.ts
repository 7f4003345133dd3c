/** Signed transactions of many accounts, as clients send them: the load on a node of the private network. */

import { addressText } from "../../../src/crypto/address.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import type { Script, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { richAccount, signedTransaction, type Unsigned } from "./signed-transaction.ts";

const { chainId } = privateNetwork.blockchain;
const waves = 100_000_000n;
const fee = 100_000n;
const invokeFee = 500_000n;
const setScriptFee = 1_000_000n;
const massTransferItems = 100;
const bytesOfFeeUnit = 1_024;
const accountCount = 300;
const dAppCount = 4;
/** Keys that calls and data transactions write: they bound the size of the state. */
const keyCount = 1_000;

/** dApp that reads and writes some entries, and has a function for read-only calls. */
export const dAppSource = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
func read(key: String) = getInteger(this, key).valueOrElse(0)
@Callable(i)
func count(first: String, second: String) = {
  let sum = read(first) + read(second) + read("total")
  let digest = sha256(toBytes(sum))
  [
    IntegerEntry(first, sum),
    IntegerEntry(second, read(second) + 1),
    IntegerEntry("total", read("total") + 1),
    BinaryEntry("digest", digest),
    ScriptTransfer(i.caller, i.payments[0].amount, unit)
  ]
}
@Callable(i)
func total() = ([], read("total"))
`;

/** Transaction kinds by relative frequency. */
const kinds = [
  { kind: "transfer", weight: 55 },
  { kind: "massTransfer", weight: 5 },
  { kind: "data", weight: 10 },
  { kind: "invoke", weight: 30 },
] as const;

/** Transaction as JSON text, with the fields that later requests use. */
export interface SentTransaction {
  readonly json: string;
  readonly transaction: Transaction;
}

export class LoadTransactions {
  readonly #random = new SeededRandom("load");
  readonly #accounts = accounts("load", accountCount);
  readonly #dApps = accounts("load dApp", dAppCount);
  #lastTimestamp = 0;

  /** Addresses of sending accounts. */
  readonly addresses = this.#accounts.map(({ address }) => addressText(address));
  readonly dAppAddresses = this.#dApps.map(({ address }) => addressText(address));

  /** Funds all accounts. */
  funding(): readonly SentTransaction[] {
    const recipients = [...this.#accounts, ...this.#dApps];
    const sent: SentTransaction[] = [];
    for (let first = 0; first < recipients.length; first += massTransferItems)
      sent.push(this.#massTransfer(richAccount, recipients.slice(first, first + massTransferItems), 10_000n * waves));
    return sent;
  }

  /** @param script compiled from `dAppSource` */
  scripts(script: Uint8Array): readonly SentTransaction[] {
    return this.#dApps.map((dApp) =>
      this.#signed(dApp, {
        type: TransactionType.SetScript,
        version: 2,
        script: script as Script,
        fee: setScriptFee,
      }),
    );
  }

  next(): SentTransaction {
    switch (this.#random.pickByWeight(kinds).kind) {
      case "transfer":
        return this.#signed(this.#account(), {
          type: TransactionType.Transfer,
          version: 3,
          recipient: { kind: "address", address: this.#account().address },
          asset: null,
          amount: BigInt(this.#random.between(1, 1_000)),
          attachment: new Uint8Array(),
          fee,
        });
      case "massTransfer": {
        const recipients = Array.from({ length: this.#random.between(1, massTransferItems) }, () => this.#account());
        return this.#massTransfer(this.#account(), recipients, BigInt(this.#random.between(1, 1_000)));
      }
      case "data":
        return this.data(this.#random.between(1, 10), this.#random.between(10, 500));
      case "invoke":
        return this.#signed(this.#account(), {
          type: TransactionType.InvokeScript,
          version: 2,
          dApp: { kind: "address", address: this.#random.pick(this.#dApps).address },
          call: {
            function: "count",
            args: [
              { type: "string", value: this.#key() },
              { type: "string", value: this.#key() },
            ],
          },
          payments: [{ amount: 1n, asset: null }],
          fee: invokeFee,
        });
    }
  }

  data(entries: number, bytesEach: number): SentTransaction {
    const size = 200 + entries * (bytesEach + 30);
    return this.#signed(this.#account(), {
      type: TransactionType.Data,
      version: 2,
      data: Array.from({ length: entries }, (_, number) => ({
        key: `${number}/${this.#key()}`,
        value: { type: "binary", value: new Uint8Array(bytesEach).fill(this.#random.below(256)) },
      })),
      fee: fee * BigInt(Math.ceil(size / bytesOfFeeUnit)),
    });
  }

  #massTransfer(sender: NativeAccount, recipients: readonly NativeAccount[], amount: bigint): SentTransaction {
    return this.#signed(sender, {
      type: TransactionType.MassTransfer,
      version: 2,
      asset: null,
      transfers: recipients.map(({ address }) => ({ recipient: { kind: "address", address }, amount })),
      attachment: new Uint8Array(),
      fee: fee + (fee * BigInt(recipients.length + (recipients.length % 2))) / 2n,
    });
  }

  #signed(sender: NativeAccount, given: Unsigned): SentTransaction {
    // Timestamps are unique, so transactions are, too.
    this.#lastTimestamp = Math.max(this.#lastTimestamp + 1, Date.now());
    const transaction = signedTransaction(sender, given, this.#lastTimestamp);
    return { transaction, json: jsonText(transactionJson(transaction)) };
  }

  #account(): NativeAccount {
    return this.#random.pick(this.#accounts);
  }

  #key(): string {
    return `key ${this.#random.below(keyCount)}`;
  }
}

function accounts(name: string, count: number): readonly NativeAccount[] {
  return Array.from({ length: count }, (_, number) => nativeAccount(`${name} ${number}`, chainId));
}
