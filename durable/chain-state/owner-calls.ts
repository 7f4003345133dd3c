/** Owner's requests from the Worker. @source Waves: api/http/DebugApiRoute.scala (info, minerInfo, rollback) */
import type { MiningAccount, NodeActivity, OwnerRpc, RollbackResult } from "../../src/env.ts";
import type { MinerSettings } from "../../src/network/settings.ts";
import { describeViolation } from "../../src/protocol/describe-violation.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import { log } from "../log.ts";
import { findObstacle } from "./miner/mining-obstacle.ts";
import { isChainTooOld, type MiningTurn } from "./miner/mining-schedule.ts";
import type { Node } from "./node.ts";

export interface OwnerCallsOptions {
  readonly node: Node;
  readonly miner: MinerSettings;
  readonly nowMs: () => number;
  /** Stops block production, also after an eviction. */
  readonly stop: OwnerRpc["stop"];
}

export class OwnerCalls implements OwnerRpc {
  readonly #options: OwnerCallsOptions;

  constructor(options: OwnerCallsOptions) {
    this.#options = options;
  }

  async activity(): Promise<NodeActivity> {
    const { chain } = this.#options.node;
    return { height: chain.view.height, score: chain.forks.score(), minerState: this.#minerState() };
  }

  async miningAccounts(): Promise<MiningAccount[]> {
    const { node, nowMs } = this.#options;
    const now = nowMs();
    if (!node.isMining || this.#isChainTooOld()) return [];
    return node.miner
      .schedule()
      .accounts.filter((turn): turn is MiningTurn => turn.code === "turn")
      .filter(({ address }) => node.chain.view.findAccountScript(address) === undefined)
      .map(({ address, generatingBalance, timestampMs }) => ({
        address,
        generatingBalance,
        timestampMs: Math.max(Number(timestampMs), now),
      }));
  }

  async rollBack(
    height: number,
    { returnsTransactions }: { readonly returnsTransactions: boolean },
  ): Promise<RollbackResult> {
    const { node } = this.#options;
    const { view } = node.chain;
    const block = height < 1 ? undefined : view.findHeader(height);
    if (block === undefined) return { kind: "noBlock" };
    try {
      await node.revert(height, { isForced: true, dropsTransactions: !returnsTransactions });
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { kind: "refused", reason: describeViolation(error.violation) };
    }
    log(`the owner has rolled the chain back to height ${height}`);
    // If the read model does not respond, the client gets no height that readers do not see.
    await node.drain();
    return { kind: "done", blockId: block.id };
  }

  stop(): ReturnType<OwnerRpc["stop"]> {
    log("the owner has stopped the node: it makes no more blocks");
    return this.#options.stop();
  }

  #minerState(): string {
    const { miner, isMining } = this.#options.node;
    if (!isMining) return "disabled";
    if (this.#isChainTooOld()) return "error: the last block is too old to make another one without peers";
    const obstacle = findObstacle(miner.schedule());
    return obstacle === undefined ? "mining blocks" : `error: ${obstacle}`;
  }

  #isChainTooOld(): boolean {
    const { node, miner, nowMs } = this.#options;
    return isChainTooOld(node.chain.view, miner, nowMs());
  }
}
