/**
 * Data that a node of the private network needs for every kind of request: accounts, data entries, an asset, a dApp, a
 * block with many transactions. Created by broadcasts alone, so it works on any node of the network.
 */

import { addressOfPublicKeyHash, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { compileRide } from "../../chain-generator/ride/compile-ride.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { LoadClient } from "./load-client.ts";
import { type NativeAccount, nativeAccount } from "./native-signer.ts";
import { richAccount, signedTransaction, type Unsigned } from "./signed-transaction.ts";

const { chainId } = privateNetwork.blockchain;
const waves = 100_000_000n;
const fee = 100_000n;
const setScriptFee = 1_000_000n;
const issueFee = waves;
/** Accounts that send the measured broadcasts. */
const senderCount = 300;
/** Accounts that share the data entries. */
const dataAccounts = 10;
const itemsOfTransaction = 100;
/** Limit of transactions that are read once: creating many takes as long as a node takes to include them. */
const mostTransactions = 10_000;
const bytesOfFeeUnit = 1_024;
const bytesOfEntry = 40;
const blockTransactions = 121;
const rate = 7n;
const broadcasters = 8;
const broadcastAttempts = 5;
const confirmTimeoutMs = 180_000;
const lookIntervalMs = 300;

const dAppSource = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func quote(amount: Int) = {
  let rate = getIntegerValue(this, "rate")
  let sold = getInteger(this, "sold").valueOrElse(0)
  let price = fraction(amount, rate + sold, 3)
  if (price < 0) then throw("no price") else ([IntegerEntry("sold", sold + amount), IntegerEntry("last", price)], price)
}
`;

/** Names of the data on a node. */
export interface ReadsWorld {
  readonly address: string;
  readonly dataKey: string;
  readonly assetId: string;
  readonly transactionId: string;
  readonly dApp: string;
  /** Height of the block with many transactions. */
  readonly height: number;
  readonly transactionsInBlock: number;
}

/** Keys that are requested only once. */
export interface ColdKeys {
  readonly addresses: readonly string[];
  /** Address and key. */
  readonly entries: readonly (readonly [address: string, key: string])[];
  readonly transactionIds: readonly string[];
}

/** Signs for the nodes that it fills; all its transactions differ. */
export class WorldBuilder {
  readonly #random = new SeededRandom("reads");
  readonly #senders = accounts("reads sender", senderCount);
  readonly #owner = nativeAccount("reads owner", chainId);
  readonly #dApp = nativeAccount("reads dApp", chainId);
  readonly #stores = accounts("reads store", dataAccounts);
  #lastMs = 0;
  #nextSender = 0;

  /** @param url of a node that forges */
  async fill(url: string): Promise<ReadsWorld> {
    const funded = [...this.#senders, this.#owner, this.#dApp, ...this.#stores];
    await confirm(
      url,
      this.#grants(
        funded.map(({ address }) => address),
        1_000n * waves,
      ),
    );
    const issue = this.#signed(this.#owner, {
      type: TransactionType.Issue,
      version: 3,
      name: new TextEncoder().encode("Reads"),
      description: new TextEncoder().encode("An asset that is asked for"),
      quantity: 1_000_000n,
      decimals: 2,
      reissuable: true,
      script: null,
      fee: issueFee,
    });
    const setScript = this.#signed(this.#dApp, {
      type: TransactionType.SetScript,
      version: 2,
      script: compileRide(dAppSource),
      fee: setScriptFee,
    });
    await confirm(url, [issue, setScript, this.#data(this.#dApp, ["rate"])]);
    const { transfers, height } = await this.#fillBlock(url);
    return {
      address: addressText(this.#owner.address),
      dataKey: "rate",
      assetId: encodeBase58(issue.id),
      transactionId: encodeBase58((transfers[0] as Transaction).id),
      dApp: addressText(this.#dApp.address),
      height,
      transactionsInBlock: blockTransactions,
    };
  }

  /** @param size number of addresses, and of entries */
  async fillCold(url: string, size: number): Promise<ColdKeys> {
    const addresses = Array.from({ length: size }, () => addressOfPublicKeyHash(this.#random.bytes(20), chainId));
    const keys = Array.from({ length: size }, (_, number) => `key-${number}`);
    const share = Math.ceil(size / dataAccounts);
    const entries = keys.map(
      (key, number) => [this.#stores[Math.floor(number / share)] as NativeAccount, key] as const,
    );
    const filling = [
      ...this.#grants(addresses, 12_345n),
      ...this.#stores.flatMap((store) => {
        const own = entries.filter(([of]) => of === store).map(([, key]) => key);
        return chunks(own, itemsOfTransaction).map((some) => this.#data(store, some));
      }),
    ];
    const transfers = Array.from({ length: Math.min(size, mostTransactions) }, () => this.#nextTransfer());
    await confirm(url, [...filling, ...transfers]);
    return {
      addresses: addresses.map(addressText),
      entries: entries.map(([{ address }, key]) => [addressText(address), key] as const),
      transactionIds: transfers.map(({ id }) => encodeBase58(id)),
    };
  }

  /** Unsent transfers, as JSON. */
  transfers(count: number): readonly string[] {
    return Array.from({ length: count }, () => sentText(this.#nextTransfer()));
  }

  /** The next transfer; the senders alternate. */
  #nextTransfer(): Transaction {
    const sender = this.#senders[this.#nextSender++ % this.#senders.length] as NativeAccount;
    return this.#transfer(sender, this.#random.pick(this.#senders).address);
  }

  /** Sends transfers until one block holds exactly those of one attempt. */
  async #fillBlock(url: string): Promise<{ transfers: readonly Transaction[]; height: number }> {
    for (;;) {
      await nextKeyBlock(url);
      const transfers = Array.from({ length: blockTransactions }, () =>
        this.#transfer(this.#owner, this.#random.pick(this.#senders).address),
      );
      const heights = await confirm(url, transfers);
      const [height] = heights;
      await nextKeyBlock(url);
      if (height !== undefined && heights.size === 1) return { transfers, height };
    }
  }

  #transfer(sender: NativeAccount, recipient: Address): Transaction {
    return this.#signed(sender, {
      type: TransactionType.Transfer,
      version: 3,
      recipient: { kind: "address", address: recipient },
      asset: null,
      amount: BigInt(this.#random.between(1, 1_000)),
      attachment: new Uint8Array(),
      fee,
    });
  }

  #grants(recipients: readonly Address[], amount: bigint): readonly Transaction[] {
    return chunks(recipients, itemsOfTransaction).map((some) =>
      this.#signed(richAccount, {
        type: TransactionType.MassTransfer,
        version: 2,
        asset: null,
        transfers: some.map((address) => ({ recipient: { kind: "address", address }, amount })),
        attachment: new Uint8Array(),
        fee: fee + (fee * BigInt(some.length + (some.length % 2))) / 2n,
      }),
    );
  }

  #data(sender: NativeAccount, keys: readonly string[]): Transaction {
    return this.#signed(sender, {
      type: TransactionType.Data,
      version: 2,
      data: keys.map((key) => ({ key, value: { type: "integer", value: rate } })),
      fee: fee * BigInt(1 + Math.ceil((keys.length * bytesOfEntry) / bytesOfFeeUnit)),
    });
  }

  #signed(sender: NativeAccount, given: Unsigned): Transaction {
    this.#lastMs = Math.max(this.#lastMs + 1, Date.now());
    return signedTransaction(sender, given, this.#lastMs);
  }
}

/** Waits for a new block, so that later transactions are not in an older one. */
async function nextKeyBlock(url: string): Promise<void> {
  const client = new LoadClient(url);
  const first = await client.get("/blocks/height");
  while ((await client.get("/blocks/height")).text === first.text) await pause();
  client.close();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lookIntervalMs));
}

/** Broadcasts the transactions and waits until all are in blocks. @returns heights of these blocks */
async function confirm(url: string, transactions: readonly Transaction[]): Promise<ReadonlySet<number>> {
  const waiting = transactions.map(sentText);
  const send = async (): Promise<void> => {
    const client = new LoadClient(url);
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) {
      await broadcast(client, sent);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: broadcasters }, send));
  const heights = new Set<number>();
  const deadlineMs = Date.now() + confirmTimeoutMs;
  const client = new LoadClient(url);
  for (const some of chunks(transactions, itemsOfTransaction))
    for (const height of await heightsOf(client, some, deadlineMs)) heights.add(height);
  client.close();
  return heights;
}

/** Broadcasts with retries: a reference that has just started runs out of time on scripts that it accepts later. */
async function broadcast(client: LoadClient, sent: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { status, text } = await client.post("/transactions/broadcast", sent);
    if (status === 200) return;
    if (attempt === broadcastAttempts) throw new Error(text);
    await pause();
  }
}

/** Waits until the transactions are in blocks. */
async function heightsOf(
  client: LoadClient,
  transactions: readonly Transaction[],
  deadlineMs: number,
): Promise<readonly number[]> {
  const body = JSON.stringify({ ids: transactions.map(({ id }) => encodeBase58(id)) });
  for (;;) {
    const { text } = await client.post("/transactions/status", body);
    const states = JSON.parse(text) as readonly { readonly status: string; readonly height: number }[];
    if (states.every(({ status }) => status === "confirmed")) return states.map(({ height }) => height);
    if (Date.now() > deadlineMs) throw new Error(`not confirmed: ${text}`);
    await pause();
  }
}

function sentText(transaction: Transaction): string {
  return jsonText(transactionJson(transaction));
}

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function accounts(name: string, count: number): readonly NativeAccount[] {
  return Array.from({ length: count }, (_, number) => nativeAccount(`${name} ${number}`, chainId));
}
