/**
 * A tip whose micro-blocks hold transactions that scripts see differently once the block is stored: a data transaction
 * without entries and a transfer of an Ethereum wallet. The tip also holds such transactions that look the same in both
 * forms.
 */
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { EthereumWallet } from "../../chain-generator/ethereum-wallet.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { EdgeDApp } from "./edge-dapp.ts";
import { entriesAgainst } from "./expected-entries.ts";
import type { ParentCondition } from "./parent-condition.ts";
import { minerOf } from "./short-network.ts";
import { broadcastTransaction } from "./traffic.ts";

/** Form in which calls see the parent. */
export type ParentForm = "liquid" | "stored";

/** Callable of the dApp: it queries the parent's transactions and writes each result under a key of its own. */
export const queryCallableSource = `
  @Callable(i)
  func ask(number: Int, of: ByteVector, id: ByteVector) = [
    BooleanEntry("untouched-" + number.toString(), isDataStorageUntouched(Address(of))),
    IntegerEntry("amount-" + number.toString(), match transferTransactionById(id) {
      case transfer: TransferTransaction => transfer.amount
      case _ => -1
    })
  ]`;
const notFound = -1n;
/** Indexes of users by role: the first two are the dApp and its caller. */
const emptyUsers = [2, 6] as const;
const fullUsers = [7, 11] as const;
const silentUsers = [12, 15] as const;
const fee = 500_000n;
const idBytes = 32;
const moreCalls = 3;

interface Account {
  readonly address: Uint8Array;
  readonly isUntouched: Readonly<Record<ParentForm, boolean>>;
}

interface Transfer {
  readonly id: Uint8Array;
  readonly amount: Readonly<Record<ParentForm, bigint>>;
}

interface Prepared {
  readonly height: number;
  readonly ids: readonly string[];
  /** The first one of each list differs between the forms. */
  readonly accounts: readonly Account[];
  readonly transfers: readonly Transfer[];
}

export class PreparedParent implements ParentCondition {
  readonly #dApp: EdgeDApp;
  readonly #random: SeededRandom;
  /** Expected entries by the id of the call. */
  readonly #expected = new Map<string, ReadonlyMap<string, string>>();
  #prepared: Prepared | undefined;
  #callCount = 0;

  constructor(dApp: EdgeDApp, random: SeededRandom) {
    this.#dApp = dApp;
    this.#random = random;
  }

  /** Sends the miner the transactions for its own tip, once for each height. */
  async isMet({ view, stored }: Chain): Promise<boolean> {
    const { height } = view;
    const prepared = this.#prepared;
    if (prepared?.height === height) {
      const ids = new Set(stored.findBlock(height)?.transactions.map(({ id }) => encodeBase58(id)));
      return prepared.ids.every((id) => ids.has(id));
    }
    this.#prepared = undefined;
    const { network, miner } = this.#dApp;
    if (equalBytes(headerAt(view, height).header.generator, minerOf(network, miner).publicKey))
      this.#prepared = await this.#prepare(height);
    return false;
  }

  /** Some calls of the dApp; the result of the first depends on the form. @param form in which they see the parent */
  calls(form: ParentForm): Transaction[] {
    const { accounts, transfers } = this.#prepared as Prepared;
    const more = Array.from({ length: this.#random.between(0, moreCalls) }, () =>
      this.#call(form, this.#random.pick(accounts), this.#random.pick(transfers)),
    );
    return [this.#call(form, accounts[0] as Account, transfers[0] as Transfer), ...more];
  }

  /** Differences between the nodes' entries and those that the calls should have written. */
  async differences(calls: readonly Transaction[]): Promise<string[]> {
    const expected = calls.flatMap(({ id }) => Array.from(this.#expected.get(encodeBase58(id)) ?? []));
    const { nodes, owner } = this.#dApp;
    return entriesAgainst(nodes, addressText(owner.address), new Map(expected));
  }

  #call(form: ParentForm, { address, isUntouched }: Account, { id, amount }: Transfer): Transaction {
    const number = ++this.#callCount;
    const call = this.#dApp.signedCall("ask", [
      { type: "integer", value: BigInt(number) },
      { type: "binary", value: address },
      { type: "binary", value: id },
    ]);
    const entries = [
      [`untouched-${number}`, String(isUntouched[form])],
      [`amount-${number}`, String(amount[form])],
    ] as const;
    this.#expected.set(encodeBase58(call.id), new Map(entries));
    return call;
  }

  async #prepare(height: number): Promise<Prepared> {
    const empty = this.#user(emptyUsers);
    const full = this.#user(fullUsers);
    const amount = this.#random.amount(1n, 1_000n);
    const wallet = this.#random.pick(this.#dApp.network.accounts.wallets) as EthereumWallet;
    const timestamp = BigInt(Date.now());
    const ofWallet = wallet.transfer({ recipient: full.address, asset: null, amount, fee, timestamp });
    const recipient = { kind: "address", address: empty.address };
    const transfer = { type: TransactionType.Transfer, version: 3, recipient, asset: null, amount, fee };
    const ofUser = this.#dApp.signed({ ...transfer, attachment: new Uint8Array() }, full);
    const data = { type: TransactionType.Data, version: 2, fee };
    const entry = { key: "k", value: { type: "integer", value: amount } };
    const all = [
      this.#dApp.signed({ ...data, data: [] }, empty),
      this.#dApp.signed({ ...data, data: [entry] }, full),
      ...[ofUser, ofWallet],
    ];
    for (const transaction of all) {
      const fault = await broadcastTransaction(this.#dApp.node.url, transaction);
      if (fault !== undefined) throw new Error(`type ${transaction.type} is not taken: ${fault}`);
    }
    return {
      height,
      ids: all.map(({ id }) => encodeBase58(id)),
      accounts: [
        { address: empty.address, isUntouched: { liquid: false, stored: true } },
        { address: full.address, isUntouched: { liquid: false, stored: false } },
        { address: this.#user(silentUsers).address, isUntouched: { liquid: true, stored: true } },
      ],
      transfers: [
        { id: ofWallet.id, amount: { liquid: notFound, stored: amount } },
        { id: ofUser.id, amount: { liquid: amount, stored: amount } },
        { id: this.#random.bytes(idBytes), amount: { liquid: notFound, stored: notFound } },
      ],
    };
  }

  #user([first, last]: readonly [number, number]): GeneratedAccount {
    return this.#dApp.user(this.#random.between(first, last));
  }
}
