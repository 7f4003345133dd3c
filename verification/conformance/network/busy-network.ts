/** Nodes that forge together while they receive transactions of all kinds. */
import { setTimeout as pause } from "node:timers/promises";
import { addressText } from "../../../src/crypto/address.ts";
import { referenceTypes } from "../../chain-generator/coverage.ts";
import type { TransactionGenerator } from "../../chain-generator/transaction-generator.ts";
import { differencesTo, waitForAgreement, waitForHeight } from "./agreement.ts";
import { FollowedChain } from "./followed-chain.ts";
import type { NetworkNode } from "./network-node.ts";
import { type Member, NodeGroup } from "./node-group.ts";
import { headersOf, heightOf, transactionsOf } from "./read-chain.ts";
import { refusalsIn } from "./refusals.ts";
import type { Stage } from "./scenario.ts";
import { averageBlockDelayMs, firstBusyHeight, makeShortNetwork, minerOf, type ShortNetwork } from "./short-network.ts";
import { Traffic } from "./traffic.ts";

const pauseMs = 400;
/** Start time of a node on a machine with other work. */
const startAllowanceMs = 15_000;
const stuckAfterMs = 120_000;
export const agreementTimeoutMs = 120_000;
/** Minimum number of blocks of each node, relative to an equal share. */
const leastShare = 1 / 3;
/** Number of blocks from which every type must occur: by then chance does not leave one out. */
const blocksForAllTypes = 300;

export class BusyNetwork {
  readonly stage: Stage;
  readonly network: ShortNetwork;
  readonly group: NodeGroup;
  readonly chain: FollowedChain;
  readonly traffic: Traffic;
  readonly errors: string[] = [];

  private constructor(
    stage: Stage,
    network: ShortNetwork,
    group: NodeGroup,
    transactionGenerators?: readonly TransactionGenerator[],
  ) {
    this.stage = stage;
    this.network = network;
    this.group = group;
    this.chain = new FollowedChain(network);
    this.traffic = new Traffic({
      network,
      chain: this.chain,
      random: stage.random,
      ...(transactionGenerators !== undefined && { transactionGenerators }),
    });
  }

  /**
   * @param quorum peers without which none of the nodes forges
   * @param transactionGenerators of the transactions; by default of all types
   */
  static async started(
    stage: Stage,
    members: readonly Member[],
    {
      quorum = 0,
      transactionGenerators,
    }: { readonly quorum?: number; readonly transactionGenerators?: readonly TransactionGenerator[] } = {},
  ): Promise<BusyNetwork> {
    const { seed, programs, folder } = stage;
    // With an older genesis block, the first node to start would make many blocks at once.
    const network = makeShortNetwork(seed, Date.now() + members.length * startAllowanceMs);
    const group = await NodeGroup.started({ programs, network, folder, members, quorum });
    return new BusyNetwork(stage, network, group, transactionGenerators);
  }

  /**
   * Sends transactions one by one to random nodes until done.
   * @param isDone called before each transaction, with the first node's height
   */
  async sendUntil(isDone: (height: number) => boolean): Promise<void> {
    const { first } = this;
    await waitForHeight(first, firstBusyHeight, stuckAfterMs);
    let seenHeight = 0;
    let deadlineMs = performance.now() + stuckAfterMs;
    for (let height = await heightOf(first.url); !isDone(height); height = await heightOf(first.url)) {
      if (height > seenHeight) deadlineMs = performance.now() + stuckAfterMs;
      seenHeight = Math.max(seenHeight, height);
      if (performance.now() > deadlineMs) throw new Error(`no block for ${stuckAfterMs / 1_000} s at height ${height}`);
      await this.follow();
      await this.traffic.sendAny(this.group.nodes);
      await pause(pauseMs);
    }
  }

  /** The node that is never killed, whose chain the script follows. */
  get first(): NetworkNode {
    return this.group.nodes[0] as NetworkNode;
  }

  /** The node to read whole blocks from: the Go node does not return several at once. */
  get reader(): NetworkNode {
    return this.group.nodes.find(({ kind }) => kind !== "go") ?? this.first;
  }

  /** Brings the script's own state to the chain of the first node. */
  async follow(): Promise<void> {
    const fault = await this.chain.follow(this.first);
    if (fault !== undefined && !this.errors.includes(`the script's judge: ${fault}`))
      this.errors.push(`the script's judge: ${fault}`);
  }

  /** Waits for agreement, then compares everything. @returns differences and violations */
  async findDifferences(least: number): Promise<string[]> {
    const { nodes } = this.group;
    const height = await waitForAgreement(nodes, least, agreementTimeoutMs);
    const differences = await differencesTo(nodes, height - 1);
    this.stage.log(`${nodes.map(({ name }) => name).join(", ")} agree on ${height} blocks`);
    for (const [reason, count] of this.traffic.refused) this.stage.log(`  not taken, ${count} times: ${reason}`);
    return [...this.errors, ...differences, ...(await this.#sharesAndTypes(height)), ...(await refusalsIn(nodes))];
  }

  async stop(): Promise<void> {
    this.chain.close();
    await this.group.stop();
  }

  async #sharesAndTypes(height: number): Promise<string[]> {
    const { nodes } = this.group;
    const { url } = this.reader;
    const headers = await headersOf(url, 2, height);
    const errors: string[] = [];
    for (const { name, kind } of nodes) {
      const miner = addressText(minerOf(this.network, kind).address);
      const made = headers.filter(({ generator }) => generator === miner).length;
      this.stage.log(`  ${name} made ${made} of ${headers.length} blocks`);
      const least = Math.floor((headers.length / nodes.length) * leastShare);
      if (made < least) errors.push(`${name} made ${made} of ${headers.length} blocks, ${least} expected at least`);
    }
    const transactions = await transactionsOf(url, 2, height);
    const types = new Set(transactions.map(({ type }) => Number(type)));
    const missing = referenceTypes.filter((type) => !types.has(type));
    this.stage.log(`  ${transactions.length} transactions of ${types.size} types`);
    if (missing.length > 0 && height >= blocksForAllTypes) errors.push(`no transaction of type ${missing.join(", ")}`);
    return errors;
  }
}

/** Upper bound for the time that a network takes to make this many blocks and agree on them. */
export function timeForMs(blocks: number): number {
  return blocks * averageBlockDelayMs * 5 + agreementTimeoutMs;
}
