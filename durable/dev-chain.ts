/** What the owner of a dev chain may do with it. No other chain has such an object. */
import { addressText } from "../src/crypto/address.ts";
import { encodeBase58 } from "../src/crypto/base58.ts";
import type { Address } from "../src/crypto/identities.ts";
import type { RandomSource } from "../src/crypto/random.ts";
import type {
  DevAnswer,
  DevRefusal,
  DevRpc,
  DevStand,
  DevStatus,
  DevTime,
  DumpAnswer,
  DumpPlace,
  LoadAnswer,
  LoadPart,
  SnapshotFacts,
} from "../src/env.ts";
import { LAST_CHOSEN_TIME_MS } from "../src/network/dev-settings.ts";
import { genesisText } from "../src/tables/chain.ts";
import { BlockControls, type Pace } from "./dev/block-controls.ts";
import type { DevClock } from "./dev/dev-clock.ts";
import { DevState } from "./dev/dev-state.ts";
import { EditCalls } from "./dev/edit-calls.ts";
import { type FirstAccounts, firstAccountsEdit } from "./dev/first-accounts.ts";
import { Funding } from "./dev/funding.ts";
import type { Impersonation } from "./dev/impersonation.ts";
import { unreadableRecords } from "./dev/owner-records.ts";
import { refusalOf } from "./dev/refusal.ts";
import { log, logFault } from "./log.ts";
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
  /** Resolves after whoever waits to be answered has had a turn. */
  readonly othersTurn: () => Promise<void>;
}

export class DevChain implements DevRpc {
  readonly blocks: BlockControls;
  readonly #facts: DevChainFacts;
  readonly #state: DevState;
  readonly #edits: EditCalls;
  readonly #funding: Funding;

  constructor(facts: DevChainFacts) {
    this.#facts = facts;
    const { node, clock, usualPace, random, othersTurn } = facts;
    for (const name of unreadableRecords(node.store))
      logFault(`the record ${name} counts as none`, "it cannot be read");
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
      attempt: (run) => node.attempt(run),
      publish: () => node.publish(),
      othersTurn,
    });
    node.makeBlocksBy(this.blocks);
    const { chain, store, pool, poolCalls } = node;
    const { view } = chain;
    const accounts = () => node.wallet?.accounts() ?? [];
    const seen = () => this.#seen();
    this.#edits = new EditCalls({
      chain,
      keys: { view, store, accounts },
      makeBlock: () => this.blocks.makeEmptyBlock(),
      edit: (edit) => node.edit(edit),
      attempt: (run) => node.attempt(run),
      expect: (edit) => node.expectEdit(edit),
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
      generation: () => this.blocks.generation,
      mine: () => this.mine(1, 0),
      attempt: (run) => node.attempt(run),
      seen,
      log,
    });
    // The clock of the wall may have been put back while the node did not run.
    clock.atLeast(Number(tipTimestampMs(node.chain.view)));
    this.#state = new DevState({
      store: node.store,
      // A fork has no first block of its own; its settings name it.
      genesis: node.fork ? genesisText(view.settings) : encodeBase58(node.chain.stored.rowAt(1).id),
      firstHeight: node.fork?.source.height ?? 1,
      height: () => node.chain.view.height,
      timeMsWith: (meta) => clock.timeMsWith(meta),
      latestTimeMs: () => this.#latestTimeMs(),
      exchangeState: async (rewrite) => {
        let exchanged = this.#stand();
        await node.exchangeState(rewrite, () => {
          this.#readAnew();
          exchanged = this.#stand();
        });
        return exchanged;
      },
    });
  }

  /** Another state has another clock and another pace, and impersonates others. */
  #readAnew(): void {
    const { node, clock, impersonation } = this.#facts;
    clock.reload();
    clock.atLeast(Number(tipTimestampMs(node.chain.view)));
    this.blocks.reload();
    impersonation.reload();
  }

  /**
   * To be called when the node has been started: a new chain gets a block, whose time is the present, and in it accounts that
   * have WAVES. A reset goes back to there.
   * @param chosen the rest stays as it was
   * @param options `hasImported`: the chain has got blocks for its start
   */
  async start(
    chosen: Partial<Pace>,
    {
      accounts,
      hasImported = false,
    }: { readonly accounts?: FirstAccounts | undefined; readonly hasImported?: boolean } = {},
  ): Promise<void> {
    this.blocks.choosePace(chosen);
    const { node } = this.#facts;
    const { chain } = node;
    const isNew = chain.view.height === (node.fork?.source.height ?? 1);
    const made = isNew && node.isMining ? await this.mine(1, 0) : undefined;
    if (made?.kind === "done" && accounts !== undefined) {
      const edit = () => firstAccountsEdit(accounts, { view: chain.view, wavesAmount: chain.stored.tip().wavesAmount });
      await node.expectEdit(edit);
      node.edit(edit());
    }
    if (isNew || hasImported) this.#state.begin();
  }

  async status(): Promise<DevStatus> {
    const { automine, intervalMs } = this.blocks.pace;
    const snapshots = this.#state.snapshots().map(({ name, height }) => ({ name, height }));
    return {
      ...this.#stand(),
      automine,
      intervalMs,
      snapshots,
      impersonated: this.#facts.impersonation.accounts(),
      ...this.#fork(),
    };
  }

  #fork(): Pick<DevStatus, "fork"> {
    const source = this.#facts.node.fork?.source;
    return source === undefined ? {} : { fork: { url: source.url, height: source.height } };
  }

  async mine(blocks: number, intervalMs: number): Promise<DevStand> {
    const { clock } = this.#facts;
    const lastMs = clock.nowMs() + blocks * intervalMs;
    if (intervalMs > 0 && lastMs > LAST_CHOSEN_TIME_MS) return tooLate(lastMs);
    try {
      await this.blocks.mine(blocks, intervalMs);
    } catch (error) {
      await this.#facts.node.schedule();
      return refusalOf(error);
    }
    const made = this.#stand();
    await this.#seen();
    return { kind: "done", ...made };
  }

  async choosePace(chosen: Partial<Pace>): Promise<DevAnswer<DevStatus>> {
    const { pace: before, generation } = this.blocks;
    this.blocks.choosePace(chosen);
    const { node } = this.#facts;
    if (chosen.automine === true && node.pool.size > 0 && this.blocks.obstacle() === undefined) {
      const made = await this.mine(1, 0);
      if (made.kind === "refused") {
        // Another state has a pace of its own.
        if (this.blocks.generation === generation) this.blocks.choosePace(before);
        await node.schedule();
        return made;
      }
    }
    await node.schedule();
    return { kind: "done", ...(await this.status()) };
  }

  async setTime(timeMs: number): Promise<DevTime> {
    const { node, clock } = this.#facts;
    const tipMs = Number(tipTimestampMs(node.chain.view));
    if (timeMs < tipMs)
      return { kind: "refused", reason: `the last block is of ${tipMs}, which is later than ${timeMs}` };
    if (timeMs > this.#latestTimeMs()) return tooLate(timeMs);
    clock.set(timeMs);
    await node.schedule();
    return { kind: "done", timeMs };
  }

  /** To where the clock may be set: what it shows, always. */
  #latestTimeMs(): number {
    return Math.max(LAST_CHOSEN_TIME_MS, this.#facts.clock.nowMs());
  }

  async increaseTime(byMs: number): Promise<DevTime> {
    const { node, clock } = this.#facts;
    const lastMs = clock.nowMs() + byMs;
    if (byMs > 0 && lastMs > LAST_CHOSEN_TIME_MS) return tooLate(lastMs);
    clock.increase(byMs);
    await node.schedule();
    return { kind: "done", timeMs: clock.nextBlockMs ?? clock.nowMs() };
  }

  async snapshot(name: string | undefined): Promise<DevAnswer<SnapshotFacts>> {
    return this.#state.snapshot(name);
  }

  async revert(name: string): Promise<DevStand> {
    const answer = await this.#state.revert(name);
    if (answer.kind === "done") await this.#seen();
    return answer;
  }

  async reset(): Promise<DevStand> {
    const answer = await this.#state.reset();
    if (answer.kind === "done") await this.#seen();
    return answer;
  }

  async dump(place: DumpPlace | undefined): Promise<DumpAnswer> {
    return this.#state.dump(place);
  }

  async load(part: LoadPart): Promise<LoadAnswer> {
    const answer = await this.#state.load(part);
    if (answer.kind === "done" && answer.load === undefined) await this.#seen();
    return answer;
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

  #stand(): { readonly height: number; readonly timeMs: number } {
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
  const reason = `the chain's clock may be put forward to ${LAST_CHOSEN_TIME_MS}, which is earlier than ${timeMs}`;
  return { kind: "refused", reason };
}
