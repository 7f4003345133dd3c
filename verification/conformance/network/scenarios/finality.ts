/**
 * Three Go nodes and ours commit, forge, endorse and finalize one chain; then a generator contradicts it, and all of
 * them exclude it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { addressText } from "../../../../src/crypto/address.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../../../src/rules/finality/generation-period.ts";
import { ChainWorld } from "../../../chain-generator/chain-world.ts";
import type { GeneratedAccount } from "../../../chain-generator/generated-accounts.ts";
import { differencesTo, waitForAgreement, waitForHeight } from "../agreement.ts";
import { agreementTimeoutMs } from "../busy-network.ts";
import { contradict } from "../contradiction.ts";
import { countEndorsements } from "../endorsement-counts.ts";
import { FinalityWatch, finalizedHeightOf } from "../finality-watch.ts";
import { FollowedChain } from "../followed-chain.ts";
import { commitByHand, commitByWallet, generatorsOf } from "../generators.ts";
import type { NetworkNode } from "../network-node.ts";
import { type Member, NodeGroup } from "../node-group.ts";
import { headersOf, heightOf } from "../read-chain.ts";
import { refusalsIn } from "../refusals.ts";
import type { Scenario, Stage } from "../scenario.ts";
import {
  firstBusyHeight,
  generationPeriodLength,
  type MinerAccount,
  makeShortNetwork,
  minerOf,
  type ShortNetwork,
} from "../short-network.ts";
import { Traffic } from "../traffic.ts";

const members: readonly (Member & { readonly name: string; readonly miner: MinerAccount })[] = [
  { kind: "go", name: "go-1", miner: "go", isMining: true },
  { kind: "go", name: "go-2", miner: "reference", isMining: true },
  { kind: "go", name: "go-3", miner: "spare", isMining: true },
  { kind: "ours", name: "ours", miner: "ours", isMining: true },
];
/** Index of the user that commits and then contradicts the chain. */
const contradictorIndex = 5;
/** Start time of a node on a machine with other work. */
const startAllowanceMs = 15_000;
const pauseMs = 250;
const stuckAfterMs = 120_000;
/** The Go node has no state hash for a genesis block at which the feature is in force. */
const firstHashHeight = 2;
/** Blocks on top of the last compared ones. */
const confirmations = 3;
/**
 * Maximum distance from the tip: a block is endorsed by the next one and final with the one after it, if the generator
 * receives enough endorsements in time.
 */
const mostUnfinal = 15;
/** Blocks until an unconfirmed commitment is sent again. */
const retryBlocks = 4;
const maxPrintedCharacters = 200;
/**
 * Blocks at the end of a period, which the script sees some blocks late: there the Go node releases deposits otherwise.
 */
const marginOfPeriod = 6;

export const finality: Scenario = {
  name: "finality",
  about:
    "three Go nodes and ours commit, forge, endorse and finalize one chain; who contradicts it is out on all of them",
  needs: ["go"],
  play: async (stage) => {
    const network = makeShortNetwork(stage.seed, Date.now() + members.length * startAllowanceMs, { isFinal: true });
    const { programs, folder } = stage;
    const group = await NodeGroup.started({ programs, network, folder, members, quorum: 1 });
    const run = new FinalityRun(stage, network, group);
    try {
      return await run.play();
    } finally {
      run.close();
      await group.stop();
    }
  },
};

class FinalityRun {
  readonly #stage: Stage;
  readonly #network: ShortNetwork;
  readonly #nodes: readonly NetworkNode[];
  readonly #chain: FollowedChain;
  readonly #traffic: Traffic;
  readonly #world: ChainWorld;
  readonly #watch: FinalityWatch;
  readonly #contradictor: GeneratedAccount;
  readonly #violations: string[] = [];
  /** Height of the last commitment sent, by start of the period and name. */
  readonly #sent = new Map<string, number>();
  /** Rejected commitments, with the reason. */
  readonly #untaken = new Map<string, number>();
  /** Height of the block that has shown the contradiction, according to our node. */
  #bannedSince: number | undefined;

  constructor(stage: Stage, network: ShortNetwork, { nodes }: NodeGroup) {
    this.#stage = stage;
    this.#network = network;
    this.#nodes = nodes;
    this.#chain = new FollowedChain(network);
    const { random } = stage;
    this.#traffic = new Traffic({ network, chain: this.#chain, random });
    const { accounts } = network;
    this.#world = new ChainWorld({ view: this.#chain.view, random, accounts, nowMs: Date.now });
    this.#watch = new FinalityWatch(nodes);
    this.#contradictor = accounts.users[contradictorIndex] as GeneratedAccount;
  }

  close(): void {
    this.#chain.close();
  }

  async play(): Promise<string[]> {
    const { endorsedBlocks } = this.#stage.sizes;
    await waitForHeight(this.#ours, firstBusyHeight, stuckAfterMs);
    let seenHeight = 0;
    let deadlineMs = performance.now() + stuckAfterMs;
    for (let height = await heightOf(this.#ours.url); !this.#isDone(height); height = await heightOf(this.#ours.url)) {
      if (height > seenHeight) {
        deadlineMs = performance.now() + stuckAfterMs;
        seenHeight = height;
        await this.#follow();
        await this.#commitAll();
        if (height >= endorsedBlocks / 2 && this.#bannedSince === undefined) await this.#contradict();
      }
      if (performance.now() > deadlineMs) throw new Error(`no block for ${stuckAfterMs / 1_000} s at height ${height}`);
      await this.#traffic.sendTransfer(this.#stage.random.pick(this.#nodes));
      await this.#watch.look();
      await pause(pauseMs);
    }
    return this.#findViolations();
  }

  get #ours(): NetworkNode {
    return this.#nodes.find(({ kind }) => kind === "ours") as NetworkNode;
  }

  /**
   * Done one period after the contradiction; if no block shows it, after twice the number of blocks, which is an error.
   */
  #isDone(height: number): boolean {
    const { endorsedBlocks } = this.#stage.sizes;
    if (this.#bannedSince === undefined) return height >= 2 * endorsedBlocks;
    return height >= Math.max(endorsedBlocks, this.#bannedSince + generationPeriodLength);
  }

  /** Brings the script's own state, one more validator, to our node's chain. */
  async #follow(): Promise<void> {
    const fault = await this.#chain.follow(this.#ours);
    if (fault !== undefined) this.#addViolation(`the script's judge: ${fault}`);
  }

  #addViolation(text: string): void {
    if (!this.#violations.includes(text)) this.#violations.push(text);
  }

  /** Has every generator commit to the next period. */
  async #commitAll(): Promise<void> {
    const { view } = this.#chain;
    const { height } = view;
    const next = nextGenerationPeriod(height, view);
    if (next === undefined) return;
    const isDue = (name: string, { address }: GeneratedAccount): boolean => {
      if (view.findCommitment(next.start, address) !== undefined) return false;
      const key = `${next.start}/${name}`;
      if (height < (this.#sent.get(key) ?? 0) + retryBlocks) return false;
      this.#sent.set(key, height);
      return true;
    };
    for (const { name, miner } of members) {
      const account = minerOf(this.#network, miner);
      const node = this.#nodes.find((each) => each.name === name) as NetworkNode;
      if (isDue(name, account)) this.#recordRefusal(name, await commitByWallet(node, account));
    }
    if (this.#bannedSince === undefined && isDue("by hand", this.#contradictor))
      this.#recordRefusal("by hand", await commitByHand(this.#ours, this.#contradictor, next.start, this.#world));
  }

  #recordRefusal(name: string, refusal: string | undefined): void {
    if (refusal === undefined) return;
    const reason = `${name}: ${refusal.trim().slice(0, maxPrintedCharacters)}`;
    this.#untaken.set(reason, (this.#untaken.get(reason) ?? 0) + 1);
  }

  /** Contradicts the chain once per block, until a block that stays has shown the contradiction. */
  async #contradict(): Promise<void> {
    const { view } = this.#chain;
    const period = generationPeriodAt(view.height, view);
    const commitment = period && view.findCommitment(period.start, this.#contradictor.address);
    if (period === undefined || commitment === undefined) return;
    this.#bannedSince = view.conflicts(period.start).get(commitment.index);
    const isAtEdge = view.height > period.end - marginOfPeriod;
    if (this.#bannedSince === undefined && !isAtEdge) await contradict(this.#network, this.#nodes, this.#contradictor);
  }

  async #findViolations(): Promise<string[]> {
    const { log } = this.#stage;
    const agreed = await waitForAgreement(
      this.#nodes,
      (await heightOf(this.#ours.url)) + confirmations,
      agreementTimeoutMs,
    );
    await this.#follow();
    const differences = await differencesTo(this.#nodes, agreed - 1, firstHashHeight);
    const settled = await headersOf(this.#ours.url, 1, agreed - 1);
    const { compared, violations } = this.#watch.findViolations(settled.map(({ id }) => id));
    log(
      `${this.#nodes.map(({ name }) => name).join(", ")} agree on ${agreed} blocks; ${compared} finalized heights compared`,
    );
    for (const [reason, count] of this.#untaken) log(`  commitment not taken, ${count} times: ${reason}`);
    const all = [
      ...this.#violations,
      ...differences,
      ...violations,
      ...this.#votingViolations(),
      ...(await this.#banViolations(agreed - 1)),
      ...(await this.#progressViolations(agreed)),
    ];
    return [...all, ...(await refusalsIn(this.#nodes))];
  }

  /** Checks that each side has put endorsements of the other into its blocks. */
  #votingViolations(): string[] {
    const { blocks, votings, ownBlocks, othersByOwn, ownByOthers } = countEndorsements(
      this.#chain.view,
      minerOf(this.#network, "ours").address,
    );
    this.#stage.log(
      `  ${votings} of ${blocks} blocks carry votings; ours made ${ownBlocks} blocks, ${othersByOwn} of them with endorsements ` +
        `of the Go nodes, and ${ownByOthers} blocks of these have one of ours`,
    );
    const faults: string[] = [];
    if (othersByOwn === 0) faults.push("no block of ours has an endorsement of a Go node");
    if (ownByOthers === 0) faults.push("no block of a Go node has an endorsement of ours");
    return faults;
  }

  /** Checks that all nodes exclude the same generator from the same height on. */
  async #banViolations(height: number): Promise<string[]> {
    const address = addressText(this.#contradictor.address);
    const at = this.#bannedSince;
    if (at === undefined) return [`${address} has contradicted the chain, and is not out`];
    const said = await Promise.all(
      this.#nodes.map(async ({ name, url }) => {
        const found = (await generatorsOf(url, at)).find((member) => member.address === address);
        return { name, conflictHeight: found?.conflictHeight };
      }),
    );
    this.#stage.log(
      `  ${address} is out since ${said.map(({ name, conflictHeight }) => `${conflictHeight} (${name})`).join(", ")}`,
    );
    const heights = new Set(said.map(({ conflictHeight }) => conflictHeight));
    if (heights.size === 1 && !heights.has(undefined)) return [];
    return [`${address} is out since ${[...heights].join(", ")} at height ${height}`];
  }

  async #progressViolations(agreed: number): Promise<string[]> {
    const said = await Promise.all(this.#nodes.map(({ url }) => finalizedHeightOf(url)));
    this.#stage.log(`  final at last: ${said.join(", ")}`);
    const last = Math.min(...said);
    return last < agreed - mostUnfinal ? [`${last} is final at height ${agreed}`] : [];
  }
}
