/**
 * Transactions that clients send to the nodes of a simulated network: of every type, and some valid on every branch.
 */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { SubmissionResult } from "../../../src/env.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { allTransactionGenerators } from "../../chain-generator/all-transaction-generators.ts";
import { ChainWorld } from "../../chain-generator/chain-world.ts";
import { commitmentGenerator } from "../../chain-generator/commitments.ts";
import type { GeneratedAccounts } from "../../chain-generator/generated-accounts.ts";
import { scriptGenerators } from "../../chain-generator/scripts.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { TransactionGenerator } from "../../chain-generator/transaction-generator.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";
import { steadyTransfer } from "./steady-transfer.ts";

export interface AcceptedTransaction {
  readonly transaction: Transaction;
  /** Valid on every branch: it must be confirmed. */
  readonly isSteady: boolean;
}

const STEADY_PROBABILITY = 0.3;
const SCRIPT_SEED_COUNT = 50;

export class NetworkLoad {
  readonly #random: SeededRandom;
  readonly #transactionGenerators = allTransactionGenerators();
  readonly #scriptGenerators = new Set<TransactionGenerator>(scriptGenerators);
  readonly #accepted = new Map<string, AcceptedTransaction>();
  /** Number of rejected transactions by error code. */
  readonly refused = new Map<string, number>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  get accepted(): readonly AcceptedTransaction[] {
    return [...this.#accepted.values()];
  }

  /** A client broadcasts a transaction through a node. */
  send(machine: SimulatedMachine): void {
    const { node } = machine.chain ?? {};
    if (node === undefined) return;
    const { world, index } = machine.options;
    const isSteady = this.#random.boolean(STEADY_PROBABILITY);
    const transaction = isSteady ? steadyTransfer(world, index, machine.nowMs(), this.#random) : this.#any(machine);
    if (transaction !== undefined) this.#broadcast(machine, transaction, isSteady);
  }

  /**
   * A generator commits to the next period, if it has not yet, through any node.
   * @param generator its index among the accounts
   */
  sendCommitment(machine: SimulatedMachine, generator: number): void {
    const { accounts } = machine.options.world;
    const account = accounts.generators[generator];
    const transaction = account && this.#generate(machine, commitmentGenerator, { ...accounts, generators: [account] });
    if (transaction !== undefined) this.#broadcast(machine, transaction, false);
  }

  #broadcast(machine: SimulatedMachine, transaction: Transaction, isSteady: boolean): void {
    const signedTransaction = encodeProtobuf(transaction);
    // Protobuf cannot carry an asset name that is not UTF-8: no client can send it.
    if (!isReadable(signedTransaction, transaction.chainId)) return;
    const submission = { signedTransaction };
    machine.request(
      (chain) => chain.node.poolCalls.broadcastAll([submission]),
      ([result]) => this.#recordResult(transaction, isSteady, result),
    );
  }

  /**
   * Clients broadcast pending transactions of a node again, and it relays them. A node that does not forge has no other
   * way to bring transactions that no peer has into the chain.
   */
  sendAgain(machine: SimulatedMachine): void {
    const { pool } = machine.chain?.node ?? {};
    const waiting = this.accepted.filter(({ transaction }) => pool?.has(transaction.id));
    if (waiting.length === 0) return;
    const submissions = waiting.map(({ transaction }) => ({ signedTransaction: encodeProtobuf(transaction) }));
    machine.request(
      (chain) => chain.node.poolCalls.broadcastAll(submissions),
      () => {},
    );
  }

  #recordResult(transaction: Transaction, isSteady: boolean, result: SubmissionResult | undefined): void {
    if (result === undefined || result === "failed" || "exceeded" in result) return;
    if (result.accepted) this.#accepted.set(bytesKey(transaction.id), { transaction, isSteady });
    else this.refused.set(result.violation.code, (this.refused.get(result.violation.code) ?? 0) + 1);
  }

  #any(machine: SimulatedMachine): Transaction | undefined {
    return this.#generate(
      machine,
      this.#random.pickByWeight(this.#transactionGenerators),
      machine.options.world.accounts,
    );
  }

  #generate(
    machine: SimulatedMachine,
    transactionGenerator: TransactionGenerator,
    accounts: GeneratedAccounts,
  ): Transaction | undefined {
    const { known } = machine.options.world;
    const { view } = machine.chain?.node.chain ?? {};
    if (view === undefined) return undefined;
    // PERF: compiling scripts takes longer than all the rest, so all runs share a few scripts.
    const random = this.#scriptGenerators.has(transactionGenerator)
      ? new SeededRandom(`scripts ${this.#random.below(SCRIPT_SEED_COUNT)}`)
      : this.#random;
    const nowMs = () => machine.nowMs();
    try {
      return transactionGenerator.make(new ChainWorld({ view, random, accounts, nowMs, known }));
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  }
}

function isReadable(signedTransaction: Uint8Array, chainId: number): boolean {
  try {
    parseSignedTransaction(signedTransaction, chainId, ownRecords);
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
