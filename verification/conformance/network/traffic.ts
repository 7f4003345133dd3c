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
  /** Name of the accepting node by transaction id. */
  readonly accepted = new Map<string, string>();
  /** Number of rejections by node name and message. */
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

  /** Sends a transaction of any kind to a random node. The node may reject it if the chain has changed since. */
  async sendAny(targets: readonly Target[]): Promise<void> {
    const transaction = this.#tryMake(() => makeTransaction(this.#transactionGenerators, this.#world));
    if (transaction !== undefined) await this.#send(this.#random.pick(targets), transaction);
  }

  /** Sends a small transfer, which is valid at any time on every chain of the network. */
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

  /** Undefined if such a transaction is not possible at present. */
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

/** Broadcasts the transaction. @returns the node's rejection; undefined: accepted */
export async function broadcastTransaction(url: string, transaction: Transaction): Promise<string | undefined> {
  const isOfWallet = transaction.type === TransactionType.Ethereum;
  const body = isOfWallet
    ? { jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [hexText(transaction.ethereumBytes)] }
    : transactionJson(transaction);
  try {
    const place = isOfWallet ? "/eth" : "/transactions/broadcast";
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(url + place, { method: "POST", headers, body: jsonText(body) });
    const { error } = parseJson(await response.text()) as ParsedObject;
    if (response.ok && error === undefined) return undefined;
    return isJsonObject(error) ? `error ${error["code"]}` : `error ${error}`;
  } catch (error) {
    // The node is down, or its response is no JSON.
    return (error as Error).name;
  }
}
