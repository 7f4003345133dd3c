/** Transactions that clients send to the nodes of a simulated network: of every type, and such that hold on every branch. */
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { OfferAnswer } from "../../../src/env.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-faults.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { ownRecords } from "../../../src/protocol/transactions/transaction-source.ts";
import { allMakers } from "../chain-maker/all-makers.ts";
import { ChainWorld } from "../chain-maker/chain-world.ts";
import { commitmentMaker } from "../chain-maker/commitments.ts";
import type { MadeAccounts } from "../chain-maker/made-accounts.ts";
import type { Maker } from "../chain-maker/maker.ts";
import { scriptMakers } from "../chain-maker/scripts.ts";
import { SeededRandom } from "../chain-maker/seeded-random.ts";
import type { SimulatedMachine } from "./simulated-machine.ts";
import { steadyTransfer } from "./steady-transfer.ts";

export interface AcceptedTransaction {
  readonly transaction: Transaction;
  /** It holds on every branch: it must be confirmed. */
  readonly isSteady: boolean;
}

const STEADY_CHANCE = 0.3;
const SCRIPT_LUCKS = 50;

export class NetworkLoad {
  readonly #random: SeededRandom;
  readonly #makers = allMakers();
  readonly #makersOfScripts = new Set<Maker>(scriptMakers);
  readonly #accepted = new Map<string, AcceptedTransaction>();
  /** By the code of the fault. */
  readonly refused = new Map<string, number>();

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  get accepted(): readonly AcceptedTransaction[] {
    return [...this.#accepted.values()];
  }

  /** A client asks a node to take a transaction. */
  send(machine: SimulatedMachine): void {
    const { node } = machine.chain ?? {};
    if (node === undefined) return;
    const { world, index } = machine.facts;
    const isSteady = this.#random.chance(STEADY_CHANCE);
    const transaction = isSteady ? steadyTransfer(world, index, machine.nowMs(), this.#random) : this.#any(machine);
    if (transaction !== undefined) this.#offer(machine, transaction, isSteady);
  }

  /**
   * A generator commits itself to the next period, if it has not, by a node that need not be its own.
   * @param generator its place among the accounts
   */
  sendCommitment(machine: SimulatedMachine, generator: number): void {
    const { accounts } = machine.facts.world;
    const account = accounts.generators[generator];
    const transaction = account && this.#made(machine, commitmentMaker, { ...accounts, generators: [account] });
    if (transaction !== undefined) this.#offer(machine, transaction, false);
  }

  #offer(machine: SimulatedMachine, transaction: Transaction, isSteady: boolean): void {
    const signedTransaction = encodeProtobuf(transaction);
    // An asset's name of other bytes than text's has no place in protobuf: no client can send it.
    if (!isReadable(signedTransaction, transaction.chainId)) return;
    const offer = { signedTransaction };
    machine.ask(
      (chain) => chain.node.poolCalls.broadcastAll([offer]),
      ([answer]) => this.#take(transaction, isSteady, answer),
    );
  }

  /**
   * Clients ask a node once more to take what waits in its pool: it passes that on again. Where a node makes no blocks, nothing else
   * brings into the chain what no other one has heard of.
   */
  sendAgain(machine: SimulatedMachine): void {
    const { pool } = machine.chain?.node ?? {};
    const waiting = this.accepted.filter(({ transaction }) => pool?.has(transaction.id));
    if (waiting.length === 0) return;
    const offers = waiting.map(({ transaction }) => ({ signedTransaction: encodeProtobuf(transaction) }));
    machine.ask(
      (chain) => chain.node.poolCalls.broadcastAll(offers),
      () => {},
    );
  }

  #take(transaction: Transaction, isSteady: boolean, answer: OfferAnswer | undefined): void {
    if (answer === undefined || answer === "failed" || "exceeded" in answer) return;
    if (answer.accepted) this.#accepted.set(bytesKey(transaction.id), { transaction, isSteady });
    else this.refused.set(answer.fault.code, (this.refused.get(answer.fault.code) ?? 0) + 1);
  }

  #any(machine: SimulatedMachine): Transaction | undefined {
    return this.#made(machine, this.#random.pickByWeight(this.#makers), machine.facts.world.accounts);
  }

  #made(machine: SimulatedMachine, maker: Maker, accounts: MadeAccounts): Transaction | undefined {
    const { known } = machine.facts.world;
    const { view } = machine.chain?.node.chain ?? {};
    if (view === undefined) return undefined;
    // PERF: compiling scripts takes longer than all that is done with them: there are a few of them, which all runs share.
    const random = this.#makersOfScripts.has(maker)
      ? new SeededRandom(`scripts ${this.#random.below(SCRIPT_LUCKS)}`)
      : this.#random;
    const nowMs = () => machine.nowMs();
    try {
      return maker.make(new ChainWorld({ view, random, accounts, nowMs, known }));
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
