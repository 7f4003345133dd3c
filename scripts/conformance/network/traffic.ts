/** Transactions sent to the nodes of a scenario. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { feeUnitWavelets } from "../../../src/protocol/transactions/fee-units.ts";
import { FormatError } from "../../../src/protocol/transactions/format-faults.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { allMakers, makeTransaction } from "../../tools/chain-maker/all-makers.ts";
import { ChainWorld } from "../../tools/chain-maker/chain-world.ts";
import type { SeededRandom } from "../../tools/chain-maker/seeded-random.ts";
import type { FollowedChain } from "./followed-chain.ts";
import type { NetworkNode } from "./network-node.ts";
import type { ShortNetwork } from "./short-network.ts";

type Target = Pick<NetworkNode, "name" | "url" | "kind">;

export class Traffic {
  readonly #world: ChainWorld;
  readonly #makers = allMakers();
  readonly #random: SeededRandom;
  /** Ids of those that a node has taken. */
  readonly accepted = new Set<string>();
  /** By the name of the node and what it said. */
  readonly refused = new Map<string, number>();

  constructor(network: ShortNetwork, chain: FollowedChain, random: SeededRandom) {
    this.#random = random;
    const { accounts } = network;
    this.#world = new ChainWorld({ view: chain.view, random, accounts, nowMs: Date.now });
  }

  /** One of any kind, to one of the nodes. What the chain has become since may be against it. */
  async sendAny(targets: readonly Target[]): Promise<void> {
    const transaction = this.#made(() => makeTransaction(this.#makers, this.#world));
    if (transaction === undefined) return;
    // The Go node takes what a wallet has signed at /eth alone.
    const able = targets.filter(({ kind }) => kind !== "go" || transaction.type !== TransactionType.Ethereum);
    if (able.length > 0) await this.#send(this.#random.pick(able), transaction);
  }

  /** A small transfer, which every chain of the network takes at any time. */
  async sendTransfer(target: Target): Promise<void> {
    const { users } = this.#world.accounts;
    const transaction = this.#made(() =>
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
  #made(make: () => Transaction): Transaction | undefined {
    try {
      return make();
    } catch (error) {
      if (error instanceof RuleError || error instanceof FormatError) return undefined;
      throw error;
    }
  }

  async #send({ name, url }: Target, transaction: Transaction): Promise<void> {
    const body = jsonText(transactionJson(transaction));
    const headers = { "Content-Type": "application/json" };
    const fault = await faultOf(`${url}/transactions/broadcast`, { method: "POST", headers, body });
    if (fault === undefined) {
      this.accepted.add(encodeBase58(transaction.id));
      return;
    }
    const reason = `${name}: type ${transaction.type}, ${fault}`;
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }
}

async function faultOf(url: string, request: RequestInit): Promise<string | undefined> {
  try {
    const answer = await fetch(url, request);
    const text = await answer.text();
    return answer.ok ? undefined : errorOf(text);
  } catch {
    return "no answer";
  }
}

function errorOf(text: string): string {
  try {
    const { error } = parseJson(text) as ParsedObject;
    return `error ${error}`;
  } catch {
    return text.slice(0, 80);
  }
}
