/** Transactions sent to the nodes of a scenario. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { hexText } from "../../../src/crypto/hex.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { isJsonObject, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { feeUnitWavelets } from "../../../src/protocol/transactions/fee-units.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { allTransactionGenerators, makeTransaction } from "../../chain-generator/all-transaction-generators.ts";
import { ChainWorld } from "../../chain-generator/chain-world.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { TransactionGenerator } from "../../chain-generator/transaction-generator.ts";
import type { FollowedChain } from "./followed-chain.ts";
import type { NetworkNode } from "./network-node.ts";
import type { ShortNetwork } from "./short-network.ts";

type Target = Pick<NetworkNode, "name" | "url" | "kind">;

export class Traffic {
  readonly #world: ChainWorld;
  readonly #transactionGenerators: readonly TransactionGenerator[];
  readonly #random: SeededRandom;
  /** Ids of those that a node has taken, and its name. */
  readonly accepted = new Map<string, string>();
  /** By the name of the node and what it said. */
  readonly refused = new Map<string, number>();

  constructor(facts: {
    readonly network: ShortNetwork;
    readonly chain: FollowedChain;
    readonly random: SeededRandom;
    readonly transactionGenerators?: readonly TransactionGenerator[];
  }) {
    const { network, chain, random, transactionGenerators = allTransactionGenerators() } = facts;
    this.#random = random;
    this.#transactionGenerators = transactionGenerators;
    const { accounts } = network;
    this.#world = new ChainWorld({ view: chain.view, random, accounts, nowMs: Date.now });
  }

  /** One of any kind, to one of the nodes. What the chain has become since may be against it. */
  async sendAny(targets: readonly Target[]): Promise<void> {
    const transaction = this.#tryMake(() => makeTransaction(this.#transactionGenerators, this.#world));
    if (transaction !== undefined) await this.#send(this.#random.pick(targets), transaction);
  }

  /** A small transfer, which every chain of the network takes at any time. */
  async sendTransfer(target: Target): Promise<void> {
    const { users } = this.#world.accounts;
    const transaction = this.#tryMake(() =>
      this.#world.signed(this.#random.pick(users), {
        type: TransactionType.Transfer,
        version: 3,
        recipient: { kind: "address", address: this.#random.pick(users).address },
        asset: null,
        amount: this.#random.amount(1n, 1_000n),
        attachment: this.#random.bytes(8),
        fee: feeUnitWavelets,
      }),
    );
    if (transaction !== undefined) await this.#send(target, transaction);
  }

  /** Undefined when there can be no such transaction. */
  #tryMake(make: () => Transaction): Transaction | undefined {
    try {
      return make();
    } catch (error) {
      if (error instanceof RuleError || error instanceof FormatError) return undefined;
      throw error;
    }
  }

  async #send({ name, url }: Target, transaction: Transaction): Promise<void> {
    const fault = await broadcastTransaction(url, transaction);
    if (fault === undefined) {
      this.accepted.set(encodeBase58(transaction.id), name);
      return;
    }
    const reason = `${name}: type ${transaction.type}, ${fault}`;
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }
}

/** Sends it to the node. @returns what that holds against the transaction; undefined: it has taken it */
export async function broadcastTransaction(url: string, transaction: Transaction): Promise<string | undefined> {
  const isOfWallet = transaction.type === TransactionType.Ethereum;
  const body = isOfWallet
    ? { jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [hexText(transaction.ethereumBytes)] }
    : transactionJson(transaction);
  try {
    const place = isOfWallet ? "/eth" : "/transactions/broadcast";
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(url + place, { method: "POST", headers, body: jsonText(body) });
    const { error } = parseJson(await answer.text()) as ParsedObject;
    if (answer.ok && error === undefined) return undefined;
    return isJsonObject(error) ? `error ${error["code"]}` : `error ${error}`;
  } catch (error) {
    // It is down, or what it says is no JSON.
    return (error as Error).name;
  }
}
