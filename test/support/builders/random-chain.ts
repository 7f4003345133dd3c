/**
 * Chain that grows by random moves: transactions of all types, micro-blocks, key blocks of several generators that may
 * discard micro-blocks, and better blocks that replace the last one. Its content follows from the seed and the list of
 * moves.
 */
import type { OpenedMicroBlock } from "../../../durable/chain-state/chain/liquid-chain.ts";
import { forgeKeyBlock } from "../../../durable/chain-state/miner/forge-key-block.ts";
import { forgeMicroBlock } from "../../../durable/chain-state/miner/forge-micro-block.ts";
import { GeneratorDraws } from "../../../durable/chain-state/miner/generator-draw.ts";
import { type MiningTurn, miningTurn } from "../../../durable/chain-state/miner/mining-schedule.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { isExtendedByGenerator } from "../../../src/rules/consensus/extensible-blocks.ts";
import { allTransactionGenerators } from "../../../verification/chain-generator/all-transaction-generators.ts";
import { ChainWorld } from "../../../verification/chain-generator/chain-world.ts";
import { type ChallengeOptions, challengeTo } from "../../../verification/chain-generator/challenges.ts";
import { type GeneratedAccounts, makeAccounts } from "../../../verification/chain-generator/generated-accounts.ts";
import {
  type ChainVariant,
  type GeneratedNetwork,
  makeNetwork,
  supportedAt,
} from "../../../verification/chain-generator/generated-network.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import type { TransactionGenerator } from "../../../verification/chain-generator/transaction-generator.ts";
import { SimulatedNode, type SimulationOptions } from "../../../verification/simulation/simulated-node.ts";

export type Move =
  /** Adds `count` transactions to the pool. */
  | { readonly kind: "transactions"; readonly count: number }
  | { readonly kind: "microBlock" }
  /** @param generator number of the generator @param dropped number of micro-blocks that it has not seen */
  | { readonly kind: "keyBlock"; readonly generator: number; readonly dropped: number }
  /** Block by the generator with the earliest timestamp. It replaces the last one if that is later. */
  | { readonly kind: "competitor" }
  /** Block that challenges the last one, as if that had a wrong state hash, if that is later. */
  | { readonly kind: "challenge" };

/** Appended blocks and transactions, for other nodes to append. */
export type ChainEvent =
  | { readonly kind: "keyBlock"; readonly block: Block; readonly nowMs: number }
  | { readonly kind: "microBlock"; readonly microBlock: MicroBlock; readonly nowMs: number };

interface NodeOptions extends Pick<SimulationOptions, "readModel" | "database" | "isDevChain"> {
  readonly maxRollbackDepth?: number;
}

/** Generators of transactions, each as often as its weight. */
function transactionGeneratorsFor(variant: ChainVariant): readonly TransactionGenerator[] {
  return allTransactionGenerators(variant).flatMap((maker) =>
    Array.from({ length: Math.ceil(maker.weight) }, () => maker),
  );
}
/** Height by which the features of a staged chain are in force. */
const stagedBlocks = 12;
const microBlockTransactions = 20;

export class RandomChain {
  readonly settings: NetworkSettings;
  readonly accounts: GeneratedAccounts;
  readonly #network: GeneratedNetwork;
  readonly #transactionGenerators: readonly TransactionGenerator[];
  node: SimulatedNode;
  world: ChainWorld;
  /** Appended events in order; a key block may have discarded the events before it. */
  readonly events: ChainEvent[] = [];
  readonly #random: SeededRandom;
  readonly #randomBytes: RandomSource = (sizeBytes) => this.#random.bytes(sizeBytes);
  readonly #draws = new GeneratorDraws(this.#randomBytes);

  readonly #options: NodeOptions;

  /** @param options of its node, and of the nodes that replace it */
  constructor(variant: ChainVariant, seed: number, options: NodeOptions = {}) {
    this.#options = options;
    const random = new SeededRandom(`${variant} ${seed}`);
    this.#random = random;
    this.accounts = makeAccounts(seed % 4, privateNetwork.blockchain.chainId);
    const { accounts } = this;
    const network = makeNetwork(variant, seed % 1_000, { blocks: stagedBlocks, random, accounts });
    this.#network = network;
    this.#transactionGenerators = transactionGeneratorsFor(variant);
    this.settings = network.settings;
    const startMs = Number(this.settings.blockchain.genesis.blockTimestampMs);
    this.node = this.#nodeOn({ startMs, ...(options.database && { database: options.database }) });
    this.world = this.#worldOf();
  }

  #worldOf(): ChainWorld {
    const { node, accounts } = this;
    const random = this.#random;
    return new ChainWorld({ view: node.chain.view, random, accounts, nowMs: () => this.node.nowMs });
  }

  /** Restarts the node on the same tables. */
  restart(): void {
    const { database, nowMs } = this.node;
    this.node = this.#nodeOn({ database, startMs: nowMs });
    this.world = this.#worldOf();
  }

  /** Another node of the network, at genesis. */
  emptyNode(): SimulatedNode {
    return this.#nodeOn({ startMs: Number(this.settings.blockchain.genesis.blockTimestampMs) });
  }

  #nodeOn(options: Pick<SimulationOptions, "startMs" | "database">): SimulatedNode {
    const { readModel, maxRollbackDepth, isDevChain } = this.#options;
    const { blockchain } = this.settings;
    const node = maxRollbackDepth === undefined ? this.settings.node : { ...this.settings.node, maxRollbackDepth };
    // Published names differ from those of any other start.
    const published = readModel && { readModel, random: this.#randomBytes };
    return new SimulatedNode({ ...options, blockchain, node, isDevChain, ...published });
  }

  /** Carries out the move. @returns the appended event; undefined if the chain is not ready for the move */
  run(move: Move): ChainEvent | undefined {
    switch (move.kind) {
      case "transactions":
        for (let remaining = move.count; remaining > 0; remaining--) this.#broadcastTransaction();
        return undefined;
      case "microBlock":
        return this.#extend();
      case "keyBlock":
        return this.#follow(move);
      case "competitor":
        return this.#replaceTip(() => this.#forge(this.#firstTurn()));
      case "challenge":
        return this.#replaceTip((tip) => challengeTo(tip, this.#challengeOptions()));
    }
  }

  #challengeOptions(): ChallengeOptions {
    return { node: this.node, accounts: this.accounts, random: this.#random };
  }

  #broadcastTransaction(): void {
    try {
      this.node.broadcast(this.#makeTransaction());
    } catch (error) {
      // Transaction generators do not know the other transactions in the pool.
      if (!(error instanceof RuleError || error instanceof FormatError)) throw error;
    }
  }

  #makeTransaction(): Transaction {
    for (;;) {
      const transaction = this.#random.pick(this.#transactionGenerators).make(this.world);
      if (transaction !== undefined) return transaction;
    }
  }

  #extend(): ChainEvent | undefined {
    const { node } = this;
    const { chain, pool } = node;
    const { height } = chain.view;
    const base = chain.view.findHeader(height);
    const account = this.accounts.generators.find(({ publicKey }) =>
      equalBytes(publicKey, base?.header.generator ?? new Uint8Array()),
    );
    if (base === undefined || account === undefined) return undefined;
    if (!isExtendedByGenerator({ height, header: base.header }, chain.view)) return undefined;
    node.nowMs += 1_000;
    const opened: OpenedMicroBlock = chain.liquid.openMicroBlock({ verifySignatures: true });
    const { microBlock } = forgeMicroBlock({
      view: chain.view,
      liquid: chain.liquid.block(),
      run: opened.run,
      pool,
      account,
      maxTransactions: microBlockTransactions,
      nowMs: node.nowMs,
      random: this.#randomBytes,
    });
    if (microBlock === undefined) return undefined;
    chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs);
    pool.removeAll(microBlock.transactions);
    return this.#happened({ kind: "microBlock", microBlock, nowMs: node.nowMs });
  }

  #follow({ generator, dropped }: { readonly generator: number; readonly dropped: number }): ChainEvent | undefined {
    const { chain } = this.node;
    const seen = Math.max(0, chain.stored.microBlockCount() - dropped);
    const block = chain.liquid.withLiquidForm(seen, () => this.#forge(this.#turnOf(generator)));
    return block && this.#append(block);
  }

  /** @param make runs while the tip is its parent */
  #replaceTip(make: (tip: Block) => Block | undefined): ChainEvent | undefined {
    const { chain } = this.node;
    const tip = chain.stored.findBlock(chain.view.height);
    const latest = this.events.findLastIndex(({ kind }) => kind === "keyBlock");
    if (tip === undefined || latest < 0) return undefined;
    const { nowMs } = this.node;
    chain.forks.revertTo(chain.view.height - 1);
    this.node.nowMs = 0;
    const block = make(tip);
    this.node.nowMs = nowMs;
    for (const event of this.events.slice(latest)) appendEvent(this.node, event);
    if (block === undefined || block.header.timestamp >= tip.header.timestamp) return undefined;
    return this.#append(block);
  }

  /** Mining turn of the generator; undefined without the balance for it. */
  #turnOf(generator: number): MiningTurn | undefined {
    const account = this.accounts.generators[generator];
    const turn = account && miningTurn(this.node.chain.view, account, this.#draws);
    return turn?.code === "turn" ? turn : undefined;
  }

  #firstTurn(): MiningTurn | undefined {
    const turns = this.accounts.generators.map((_, number) => this.#turnOf(number));
    const [first] = turns
      .filter((turn) => turn !== undefined)
      .sort((left, right) => Number(left.delayMs - right.delayMs));
    return first;
  }

  #forge(turn: MiningTurn | undefined): Block | undefined {
    if (turn === undefined) return undefined;
    const { node, settings } = this;
    const { chain, pool } = node;
    const supportedFeatures = supportedAt(this.#network, chain.view.height);
    node.nowMs = Math.max(node.nowMs, Number(turn.timestampMs));
    const parent = {
      carryFee: chain.stored.tip().carryFee,
      transactions: () => chain.stored.transactionsAt(chain.view.height),
    };
    return forgeKeyBlock({
      view: chain.view,
      parent,
      turn,
      pool,
      node: { ...settings.node, supportedFeatures },
      maxTransactions: Number.MAX_SAFE_INTEGER,
      nowMs: node.nowMs,
      random: this.#randomBytes,
    });
  }

  #append(block: Block): ChainEvent {
    this.node.append(block);
    return this.#happened({ kind: "keyBlock", block, nowMs: this.node.nowMs });
  }

  #happened(event: ChainEvent): ChainEvent {
    this.events.push(event);
    return event;
  }

  /** All transactions that were ever appended, dropped ones too. */
  transactions(): readonly Transaction[] {
    return this.events.flatMap((event) =>
      event.kind === "keyBlock" ? event.block.transactions : event.microBlock.transactions,
    );
  }
}

/** Appends an event of another node. @throws RuleError when the node refuses it */
export function appendEvent({ chain }: SimulatedNode, event: ChainEvent, verifySignatures = false): void {
  const context = { nowMs: event.nowMs, verifySignatures };
  if (event.kind === "keyBlock") chain.forks.appendBlock(event.block, context);
  else chain.liquid.appendMicroBlock(event.microBlock, context);
}
