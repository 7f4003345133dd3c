/** Dev chain's calls by its owner. No other chain has such an object. */
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type {
  DevRefusal,
  DevResult,
  DevRpc,
  DevSnapshotInfo,
  DevStatus,
  DevTimeResult,
  DevTipResult,
  DumpPosition,
  DumpResult,
  LoadPart,
  LoadResult,
} from "../../../src/env.ts";
import { LAST_CHOSEN_TIME_MS } from "../../../src/network/dev-settings.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { log, logError } from "../../log.ts";
import { tipTimestampMs } from "../miner/mining-schedule.ts";
import type { Node } from "../node.ts";
import { BlockControls, type MiningMode } from "./block-controls.ts";
import type { DevClock } from "./dev-clock.ts";
import { DevState } from "./dev-state.ts";
import { type FirstAccounts, firstAccountsOverride } from "./first-accounts.ts";
import { Funding } from "./funding.ts";
import type { Impersonation } from "./impersonation.ts";
import { OverrideCalls } from "./override-calls.ts";
import { unreadableRecords } from "./owner-records.ts";
import { refusalOf } from "./refusal.ts";

export interface DevChainOptions {
  readonly node: Node;
  /** Clock of the node. */
  readonly clock: DevClock;
  /** Mining mode of a chain until the owner chooses one. */
  readonly defaultMiningMode: MiningMode;
  readonly random: RandomSource;
  /** Impersonated accounts in the node's rules. */
  readonly impersonation: Impersonation;
  /** Resolves after waiting requests had their turn. */
  readonly yieldToEventLoop: () => Promise<void>;
}

export class DevChain implements DevRpc {
  readonly blocks: BlockControls;
  readonly #options: DevChainOptions;
  readonly #state: DevState;
  readonly #overrides: OverrideCalls;
  readonly #funding: Funding;

  constructor(options: DevChainOptions) {
    this.#options = options;
    const { node, clock, defaultMiningMode, random, yieldToEventLoop } = options;
    for (const name of unreadableRecords(node.store)) logError(`the record ${name} is ignored`, "it cannot be read");
    this.blocks = new BlockControls({
      miner: node.miner,
      chain: node.chain,
      pool: node.pool,
      clock,
      meta: node.store,
      defaultMiningMode,
      isMining: () => node.isMining,
      rollBack: (height) => {
        node.rollBack(height, { isForced: true });
        // There is no wait: readers see the same before and after.
        void node.schedule();
      },
      attempt: (run) => node.attempt(run),
      publish: () => node.publish(),
      yieldToEventLoop,
    });
    node.setProduction(this.blocks);
    const { chain, store, pool, poolCalls } = node;
    const { view } = chain;
    const accounts = () => node.wallet?.accounts() ?? [];
    const seen = () => this.#seen();
    this.#overrides = new OverrideCalls({
      chain,
      keys: { view, store, accounts },
      makeBlock: () => this.blocks.makeEmptyBlock(),
      applyOverride: (edit) => node.overrideState(edit),
      attempt: (run) => node.attempt(run),
      prepare: (edit) => node.prepareOverride(edit),
      seen,
      log,
    });
    this.#funding = new Funding({
      view,
      pool,
      broadcastAll: (submissions) => poolCalls.broadcastAll(submissions),
      accounts,
      nowMs: () => clock.nowMs(),
      random,
      generation: () => this.blocks.generation,
      mine: () => this.mine(1, 0),
      attempt: (run) => node.attempt(run),
      seen,
      log,
    });
    // The system's clock may have been set back while the node did not run.
    clock.atLeast(Number(tipTimestampMs(node.chain.view)));
    this.#state = new DevState({
      store: node.store,
      // A fork has no first block of its own; its settings name it.
      genesis: node.fork ? genesisText(view.settings) : encodeBase58(node.chain.stored.rowAt(1).id),
      firstHeight: node.fork?.source.height ?? 1,
      height: () => node.chain.view.height,
      timeMsWith: (meta) => clock.timeMsWith(meta),
      latestTimeMs: () => this.#latestTimeMs(),
      replaceState: async (rewrite) => {
        let replaced = this.#tip();
        await node.replaceState(rewrite, () => {
          this.#reload();
          replaced = this.#tip();
        });
        return replaced;
      },
    });
  }

  /** Reloads the clock, the mining mode and the impersonated accounts of another state. */
  #reload(): void {
    const { node, clock, impersonation } = this.#options;
    clock.reload();
    clock.atLeast(Number(tipTimestampMs(node.chain.view)));
    this.blocks.reload();
    impersonation.reload();
  }

  /**
   * To be called when the node was started: a new chain gets a block with the present as its timestamp, and accounts
   * with WAVES in it. A reset restores this state.
   * @param chosen new values of the mining mode; the others stay
   * @param options `hasImported`: blocks were imported for this start
   */
  async start(
    chosen: Partial<MiningMode>,
    {
      accounts,
      hasImported = false,
    }: { readonly accounts?: FirstAccounts | undefined; readonly hasImported?: boolean } = {},
  ): Promise<void> {
    this.blocks.setMiningMode(chosen);
    const { node } = this.#options;
    const { chain } = node;
    const isNew = chain.view.height === (node.fork?.source.height ?? 1);
    const mined = isNew && node.isMining ? await this.mine(1, 0) : undefined;
    if (mined?.kind === "done" && accounts !== undefined) {
      const edit = () =>
        firstAccountsOverride(accounts, { view: chain.view, wavesAmount: chain.stored.tip().wavesAmount });
      await node.prepareOverride(edit);
      node.overrideState(edit());
    }
    if (isNew || hasImported) this.#state.begin();
  }

  async status(): Promise<DevStatus> {
    const { automine, intervalMs } = this.blocks.miningMode;
    const snapshots = this.#state.snapshots().map(({ name, height }) => ({ name, height }));
    return {
      ...this.#tip(),
      automine,
      intervalMs,
      snapshots,
      impersonated: this.#options.impersonation.accounts(),
      ...this.#fork(),
    };
  }

  #fork(): Pick<DevStatus, "fork"> {
    const source = this.#options.node.fork?.source;
    return source === undefined ? {} : { fork: { url: source.url, height: source.height } };
  }

  async mine(blocks: number, intervalMs: number): Promise<DevTipResult> {
    const { clock } = this.#options;
    const lastMs = clock.nowMs() + blocks * intervalMs;
    if (intervalMs > 0 && lastMs > LAST_CHOSEN_TIME_MS) return tooLate(lastMs);
    try {
      await this.blocks.mine(blocks, intervalMs);
    } catch (error) {
      await this.#options.node.schedule();
      return refusalOf(error);
    }
    const mined = this.#tip();
    await this.#seen();
    return { kind: "done", ...mined };
  }

  async setMiningMode(chosen: Partial<MiningMode>): Promise<DevResult<DevStatus>> {
    const { miningMode: before, generation } = this.blocks;
    this.blocks.setMiningMode(chosen);
    const { node } = this.#options;
    if (chosen.automine === true && node.pool.size > 0 && this.blocks.obstacle() === undefined) {
      const mined = await this.mine(1, 0);
      if (mined.kind === "refused") {
        // Another state has its own mining mode.
        if (this.blocks.generation === generation) this.blocks.setMiningMode(before);
        await node.schedule();
        return mined;
      }
    }
    await node.schedule();
    return { kind: "done", ...(await this.status()) };
  }

  async setTime(timeMs: number): Promise<DevTimeResult> {
    const { node, clock } = this.#options;
    const tipMs = Number(tipTimestampMs(node.chain.view));
    if (timeMs < tipMs)
      return { kind: "refused", reason: `the last block's timestamp is ${tipMs}, which is later than ${timeMs}` };
    if (timeMs > this.#latestTimeMs()) return tooLate(timeMs);
    clock.set(timeMs);
    await node.schedule();
    return { kind: "done", timeMs };
  }

  /** Latest time to which the clock can be set; never before its present time. */
  #latestTimeMs(): number {
    return Math.max(LAST_CHOSEN_TIME_MS, this.#options.clock.nowMs());
  }

  async increaseTime(byMs: number): Promise<DevTimeResult> {
    const { node, clock } = this.#options;
    const lastMs = clock.nowMs() + byMs;
    if (byMs > 0 && lastMs > LAST_CHOSEN_TIME_MS) return tooLate(lastMs);
    clock.increase(byMs);
    await node.schedule();
    return { kind: "done", timeMs: clock.nextBlockMs ?? clock.nowMs() };
  }

  async snapshot(name: string | undefined): Promise<DevResult<DevSnapshotInfo>> {
    return this.#state.snapshot(name);
  }

  async revert(name: string): Promise<DevTipResult> {
    const result = await this.#state.revert(name);
    if (result.kind === "done") await this.#seen();
    return result;
  }

  async reset(): Promise<DevTipResult> {
    const result = await this.#state.reset();
    if (result.kind === "done") await this.#seen();
    return result;
  }

  async dump(position: DumpPosition | undefined): Promise<DumpResult> {
    return this.#state.dump(position);
  }

  async load(part: LoadPart): Promise<LoadResult> {
    const result = await this.#state.load(part);
    if (result.kind === "done" && result.load === undefined) await this.#seen();
    return result;
  }

  impersonate(address: Uint8Array, isImpersonated: boolean): Promise<DevStatus> {
    const account = address as Address;
    this.#options.impersonation.set(account, isImpersonated);
    log(`the owner ${isImpersonated ? "impersonates" : "no longer impersonates"} ${addressText(account)}`);
    return this.status();
  }

  setData(...args: Parameters<DevRpc["setData"]>): ReturnType<DevRpc["setData"]> {
    return this.#overrides.setData(...args);
  }

  setScript(...args: Parameters<DevRpc["setScript"]>): ReturnType<DevRpc["setScript"]> {
    return this.#overrides.setScript(...args);
  }

  setBalance(...args: Parameters<DevRpc["setBalance"]>): ReturnType<DevRpc["setBalance"]> {
    return this.#overrides.setBalance(...args);
  }

  fund(...args: Parameters<DevRpc["fund"]>): ReturnType<DevRpc["fund"]> {
    return this.#funding.fund(...args);
  }

  #tip(): { readonly height: number; readonly timeMs: number } {
    const { node, clock } = this.#options;
    return { height: node.chain.view.height, timeMs: clock.nowMs() };
  }

  /** Resolves when readers see the current chain. @throws errors of the read model */
  async #seen(): Promise<void> {
    const { node } = this.#options;
    await node.drain();
    await node.schedule();
  }
}

function tooLate(timeMs: number): DevRefusal {
  const reason = `the chain's clock can be advanced to ${LAST_CHOSEN_TIME_MS} at most, which is earlier than ${timeMs}`;
  return { kind: "refused", reason };
}
