/** What the owner of a dev chain may do with it. No other chain has such an object. */
import { addressText } from "../src/crypto/address.ts";
import type { Address } from "../src/crypto/identities.ts";
import type { RandomSource } from "../src/crypto/random.ts";
import type { DevRefusal, DevRpc, DevStatus, DevTime, MadeBlocks } from "../src/env.ts";
import { LAST_TIME_MS } from "../src/network/dev-settings.ts";
import { BlockControls, type Pace } from "./dev/block-controls.ts";
import type { DevClock } from "./dev/dev-clock.ts";
import { EditCalls } from "./dev/edit-calls.ts";
import { Funding } from "./dev/funding.ts";
import type { Impersonation } from "./dev/impersonation.ts";
import { log } from "./log.ts";
import { findObstacle } from "./miner/mining-obstacle.ts";
import { tipTimestampMs } from "./miner/mining-schedule.ts";
import type { Node } from "./node.ts";

export interface DevChainFacts {
  readonly node: Node;
  /** The one by which the node goes. */
  readonly clock: DevClock;
  /** Of a chain for which nobody has chosen any. */
  readonly usualPace: Pace;
  readonly random: RandomSource;
  /** The one by which the node's rules go. */
  readonly impersonation: Impersonation;
}

export class DevChain implements DevRpc {
  readonly blocks: BlockControls;
  readonly #facts: DevChainFacts;
  readonly #edits: EditCalls;
  readonly #funding: Funding;

  constructor(facts: DevChainFacts) {
    this.#facts = facts;
    const { node, clock, usualPace, random } = facts;
    this.blocks = new BlockControls({
      miner: node.miner,
      chain: node.chain,
      pool: node.pool,
      clock,
      meta: node.store,
      usualPace,
      isMining: () => node.isMining,
      takeBack: (height) => {
        node.takeBack(height, { isForced: true });
        // Nobody waits for it: readers see the same before and after.
        void node.schedule();
      },
      publish: () => node.publish(),
    });
    node.makeBlocksBy(this.blocks);
    const { chain, store, pool, miner, poolCalls } = node;
    const { view } = chain;
    const accounts = () => node.wallet?.accounts() ?? [];
    const seen = () => this.#seen();
    this.#edits = new EditCalls({
      chain,
      miner,
      keys: { view, store, accounts },
      makeBlock: () => this.blocks.makeEmptyBlock(),
      edit: (edit) => node.edit(edit),
      seen,
      log,
    });
    this.#funding = new Funding({
      view,
      pool,
      broadcastAll: (offers) => poolCalls.broadcastAll(offers),
      accounts,
      nowMs: () => clock.nowMs(),
      random,
      mine: () => this.mine(1, 0),
      seen,
      log,
    });
    // The clock of the wall may have been put back while the node did not run.
    clock.atLeast(Number(tipTimestampMs(node.chain.view)));
  }

  /**
   * To be called when the node has been started: a new chain gets a block, whose time is the present.
   * @param chosen the rest stays as it was
   */
  async start(chosen: Partial<Pace>): Promise<void> {
    this.blocks.choosePace(chosen);
    const { node } = this.#facts;
    if (node.isMining && node.chain.view.height === 1) await this.mine(1, 0);
  }

  async status(): Promise<DevStatus> {
    const { automine, intervalMs } = this.blocks.pace;
    return { ...this.#made(), automine, intervalMs, impersonated: this.#facts.impersonation.accounts() };
  }

  async mine(blocks: number, intervalMs: number): Promise<MadeBlocks> {
    const { node, clock } = this.#facts;
    const obstacle = findObstacle(node.miner.schedule());
    if (obstacle !== undefined) return { kind: "refused", reason: `no block can be made: ${obstacle}` };
    const lastMs = clock.nowMs() + blocks * Math.max(intervalMs, 1);
    if (lastMs > LAST_TIME_MS) return tooLate(lastMs);
    await this.blocks.mine(blocks, intervalMs);
    await this.#seen();
    return { kind: "done", ...this.#made() };
  }

  async choosePace(chosen: Partial<Pace>): Promise<DevStatus> {
    this.blocks.choosePace(chosen);
    const { node } = this.#facts;
    if (chosen.automine === true && node.pool.size > 0 && findObstacle(node.miner.schedule()) === undefined) {
      await this.blocks.mine(1);
      await this.#seen();
    }
    await node.schedule();
    return this.status();
  }

  async setTime(timeMs: number): Promise<DevTime> {
    const { node, clock } = this.#facts;
    const tipMs = Number(tipTimestampMs(node.chain.view));
    if (timeMs < tipMs)
      return { kind: "refused", reason: `the last block is of ${tipMs}, which is later than ${timeMs}` };
    clock.set(timeMs);
    await node.schedule();
    return { kind: "done", timeMs };
  }

  async increaseTime(byMs: number): Promise<DevTime> {
    const { node, clock } = this.#facts;
    const lastMs = clock.nowMs() + byMs;
    if (lastMs > LAST_TIME_MS) return tooLate(lastMs);
    clock.increase(byMs);
    await node.schedule();
    return { kind: "done", timeMs: clock.nextBlockMs ?? clock.nowMs() };
  }

  impersonate(address: Uint8Array, isImpersonated: boolean): Promise<DevStatus> {
    const account = address as Address;
    this.#facts.impersonation.set(account, isImpersonated);
    log(`the owner ${isImpersonated ? "impersonates" : "no longer impersonates"} ${addressText(account)}`);
    return this.status();
  }

  setData(...args: Parameters<DevRpc["setData"]>): ReturnType<DevRpc["setData"]> {
    return this.#edits.setData(...args);
  }

  setScript(...args: Parameters<DevRpc["setScript"]>): ReturnType<DevRpc["setScript"]> {
    return this.#edits.setScript(...args);
  }

  setBalance(...args: Parameters<DevRpc["setBalance"]>): ReturnType<DevRpc["setBalance"]> {
    return this.#edits.setBalance(...args);
  }

  fund(...args: Parameters<DevRpc["fund"]>): ReturnType<DevRpc["fund"]> {
    return this.#funding.fund(...args);
  }

  #made(): { readonly height: number; readonly timeMs: number } {
    const { node, clock } = this.#facts;
    return { height: node.chain.view.height, timeMs: clock.nowMs() };
  }

  /** Resolves when readers see the chain as it is. @throws what the read model says */
  async #seen(): Promise<void> {
    const { node } = this.#facts;
    await node.drain();
    await node.schedule();
  }
}

function tooLate(timeMs: number): DevRefusal {
  return { kind: "refused", reason: `the chain's time ends at ${LAST_TIME_MS}, which is earlier than ${timeMs}` };
}
