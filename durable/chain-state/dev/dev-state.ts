/** State management of a dev chain: snapshots, revert, dump and load. */
import type {
  DevRefusal,
  DevResult,
  DevSnapshotInfo,
  DevStatus,
  DevTipResult,
  DumpPosition,
  DumpResult,
  LoadPart,
  LoadResult,
} from "../../../src/env.ts";
import { EPOCH } from "../chain/stored-chain.ts";
import { rollBackPublished } from "../state/published-position.ts";
import { dropMarksAfter } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import type { MetaStore } from "./meta-record.ts";
import { unreadableRecords } from "./owner-records.ts";
import { type Snapshot, Snapshots, START } from "./snapshots.ts";
import { StateCopies } from "./state-copies.ts";
import { type DumpOptions, type DumpReadProgress, DumpRefused, dumpPart, nothingRead, readDump } from "./state-dump.ts";

/** Tip right after the state was replaced, whatever happens while readers wait. */
type ReplacedState = Pick<DevStatus, "height" | "timeMs">;

export interface DevStateOptions {
  readonly store: StateStore;
  /** Base58 of the genesis block's id. */
  readonly genesis: string;
  /** First height from which the tables have every block. */
  readonly firstHeight: number;
  /** Height of the tip. */
  readonly height: () => number;
  /** Time of the chain's clock with another state's record. */
  readonly timeMsWith: (meta: Pick<MetaStore, "findMeta">) => number;
  /** Latest time to which the chain's clock can be set. */
  readonly latestTimeMs: () => number;
  /** Replaces the state of the tables: see `Node.exchangeState`. */
  readonly replaceState: (rewrite: () => void) => Promise<ReplacedState>;
}

export class DevState {
  readonly #options: DevStateOptions;
  readonly #copies: StateCopies;
  readonly #snapshots: Snapshots;
  readonly #dump: DumpOptions;
  /** Read progress of the dumps that are being loaded, by the number of their copy. */
  readonly #loads = new Map<number, DumpReadProgress>();

  constructor(options: DevStateOptions) {
    this.#options = options;
    this.#copies = new StateCopies(options.store);
    this.#snapshots = new Snapshots(options.store, this.#copies);
    this.#snapshots.open();
    if (this.#snapshots.find(START) === undefined) this.#snapshots.takeStart(options.height());
    this.#dump = { copies: this.#copies, genesis: options.genesis };
  }

  /** Takes the present state as the one that a reset restores, unless snapshots were taken before. */
  begin(): void {
    if (this.#snapshots.list().length === 0) this.#snapshots.takeStart(this.#options.height());
  }

  /** Snapshots, oldest first. */
  snapshots(): readonly Snapshot[] {
    return this.#snapshots.list();
  }

  snapshot(name: string | undefined): DevResult<DevSnapshotInfo> {
    const taken = this.#snapshots.take(name, this.#options.height());
    return typeof taken === "string"
      ? { kind: "refused", reason: taken }
      : { kind: "done", name: taken.name, height: taken.height };
  }

  /** Restores the snapshot's state and deletes later snapshots. Refused for an unknown name. */
  async revert(name: string): Promise<DevTipResult> {
    const snapshot = this.#snapshots.find(name);
    if (snapshot === undefined) return refused(`there is no snapshot "${name}"`);
    const replaced = await this.#restore(snapshot.number, () => this.#snapshots.dropAfter(snapshot));
    return { kind: "done", ...replaced };
  }

  /** Restores the state before the first transaction of a user. */
  reset(): Promise<DevTipResult> {
    return this.revert(START);
  }

  /**
   * Returns a chunk of the state as it is when the first chunk is requested.
   * @param position position from the previous chunk
   */
  dump(position: DumpPosition | undefined): DumpResult {
    const from = position ?? { copy: this.#snapshots.createTransient(true), table: 0, rows: 0 };
    if (!this.#snapshots.isTransient(from.copy)) return refused("the dump was dropped for newer dumps or loads");
    const chunk = dumpPart(this.#dump, from);
    if (chunk.next === undefined) this.#snapshots.dropTransient(from.copy);
    return { kind: "done", ...chunk };
  }

  /** Adds the next lines of a dump; with the last ones the chain takes the state of the dump. */
  async load({ load: number, lines, isLast }: LoadPart): Promise<LoadResult> {
    const copy = number ?? this.#snapshots.createTransient(false);
    const before = number === undefined ? nothingRead : this.#loads.get(number);
    if (before === undefined || !this.#snapshots.isTransient(copy)) {
      this.#loads.delete(copy);
      return refused("the load was dropped for newer dumps or loads");
    }
    try {
      const read = readDump(this.#dump, copy, lines, before);
      this.#loads.set(copy, read);
      if (!isLast) return { kind: "done", load: copy, height: this.#options.height() };
      if (!read.hasEnd) throw new DumpRefused("the file is incomplete");
      this.#validate(copy);
      const { height } = await this.#restore(copy, () => this.#giveUp(copy));
      return { kind: "done", load: undefined, height };
    } catch (error) {
      this.#giveUp(copy);
      if (error instanceof DumpRefused) return refused(error.message);
      return refused(`the dump holds no state: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Checks that a chain can start with the state and go on from it. @throws DumpRefused */
  #validate(copy: number): void {
    const { firstHeight, timeMsWith, latestTimeMs } = this.#options;
    const tip = this.#copies.tipOf(copy);
    if (tip === undefined) throw new DumpRefused("the dump has no block");
    if (!this.#copies.hasBlocks(copy, firstHeight, tip.height))
      throw new DumpRefused(
        `the dump holds no state: it lacks some of the blocks from ${firstHeight} to ${tip.height}`,
      );
    const meta = { findMeta: (name: string) => this.#copies.findMeta(copy, name) };
    const [unreadable] = unreadableRecords(meta);
    if (unreadable !== undefined)
      throw new DumpRefused(`the dump holds no state: its record ${unreadable} cannot be read`);
    const timeMs = Math.max(tip.timestampMs, timeMsWith(meta));
    if (timeMs > latestTimeMs())
      throw new DumpRefused(
        `the dump's time is ${timeMs}, and the chain's clock can be advanced to ${latestTimeMs()} at most`,
      );
  }

  #giveUp(copy: number): void {
    this.#loads.delete(copy);
    this.#snapshots.dropTransient(copy);
  }

  /** @param more further changes in the same transaction */
  async #restore(copy: number, more: () => void): Promise<ReplacedState> {
    const { store, replaceState } = this.#options;
    return replaceState(() => {
      const common = this.#copies.commonPosition(copy);
      store.flush();
      this.#copies.restore(copy);
      store.putMeta(EPOCH, String(Number(store.findMeta(EPOCH) ?? 0) + 1));
      rollBackPublished(store.sql, common);
      dropMarksAfter(store.sql, common);
      more();
    });
  }
}

function refused(reason: string): DevRefusal {
  return { kind: "refused", reason };
}
