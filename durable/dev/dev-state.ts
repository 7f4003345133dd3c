/** The state of a dev chain as its owner may put it: copied, put back, dumped, loaded. */
import type {
  DevAnswer,
  DevRefusal,
  DevStand,
  DevStatus,
  DumpAnswer,
  DumpPlace,
  LoadAnswer,
  LoadPart,
  SnapshotFacts,
} from "../../src/env.ts";
import { EPOCH } from "../chain/stored-chain.ts";
import { dropMarksBehind } from "../state/published-state.ts";
import { takeBackShown } from "../state/shown-place.ts";
import type { StateStore } from "../state/state-store.ts";
import type { MetaRecords } from "./kept-record.ts";
import { unreadableRecords } from "./owner-records.ts";
import { type Snapshot, Snapshots, START } from "./snapshots.ts";
import { StateCopies } from "./state-copies.ts";
import { type DumpFacts, DumpRefused, dumpPart, nothingRead, type ReadSoFar, readDump } from "./state-dump.ts";

/** Where the chain stands as soon as its state is another one, whatever becomes of it while readers wait. */
type ExchangedState = Pick<DevStatus, "height" | "timeMs">;

export interface DevStateFacts {
  readonly store: StateStore;
  /** Base58 of the genesis block's id. */
  readonly genesis: string;
  /** From which on the tables have every block. */
  readonly firstHeight: number;
  /** Height of the tip. */
  readonly height: () => number;
  /** What the chain's clock would show with what another state keeps. */
  readonly timeMsWith: (meta: Pick<MetaRecords, "findMeta">) => number;
  /** To where the chain's clock may be set. */
  readonly latestTimeMs: () => number;
  /** Puts another state in the tables' place: see `Node.exchangeState`. */
  readonly exchangeState: (rewrite: () => void) => Promise<ExchangedState>;
}

export class DevState {
  readonly #facts: DevStateFacts;
  readonly #copies: StateCopies;
  readonly #snapshots: Snapshots;
  readonly #dump: DumpFacts;
  /** What was read of the dumps that are being loaded, by the numbers of their copies. */
  readonly #loads = new Map<number, ReadSoFar>();

  constructor(facts: DevStateFacts) {
    this.#facts = facts;
    this.#copies = new StateCopies(facts.store);
    this.#snapshots = new Snapshots(facts.store, this.#copies);
    this.#snapshots.open();
    if (this.#snapshots.find(START) === undefined) this.#snapshots.takeStart(facts.height());
    this.#dump = { copies: this.#copies, genesis: facts.genesis };
  }

  /** What there is now is what a reset goes back to, unless snapshots were taken before. */
  begin(): void {
    if (this.#snapshots.list().length === 0) this.#snapshots.takeStart(this.#facts.height());
  }

  /** The snapshots that there are, the oldest first. */
  snapshots(): readonly Snapshot[] {
    return this.#snapshots.list();
  }

  snapshot(name: string | undefined): DevAnswer<SnapshotFacts> {
    const taken = this.#snapshots.take(name, this.#facts.height());
    return typeof taken === "string"
      ? { kind: "refused", reason: taken }
      : { kind: "done", name: taken.name, height: taken.height };
  }

  /** Makes the chain what it was; what was taken later is forgotten. Refused where there is no such snapshot. */
  async revert(name: string): Promise<DevStand> {
    const snapshot = this.#snapshots.find(name);
    if (snapshot === undefined) return refused(`there is no snapshot "${name}"`);
    const exchanged = await this.#putBack(snapshot.number, () => this.#snapshots.dropAfter(snapshot));
    return { kind: "done", ...exchanged };
  }

  /** Makes the chain what it was before the first transaction of a user. */
  reset(): Promise<DevStand> {
    return this.revert(START);
  }

  /**
   * A part of the state as it is when the first part is asked for.
   * @param place as the part before says
   */
  dump(place: DumpPlace | undefined): DumpAnswer {
    const from = place ?? { copy: this.#snapshots.pass(true), table: 0, rows: 0 };
    if (!this.#snapshots.isPassing(from.copy)) return refused("the dump was given up for others that began later");
    const part = dumpPart(this.#dump, from);
    if (part.next === undefined) this.#snapshots.passed(from.copy);
    return { kind: "done", ...part };
  }

  /** Takes the next lines of a dump; with the last ones the chain becomes what it says. */
  async load({ load: number, lines, isLast }: LoadPart): Promise<LoadAnswer> {
    const copy = number ?? this.#snapshots.pass(false);
    const before = number === undefined ? nothingRead : this.#loads.get(number);
    if (before === undefined || !this.#snapshots.isPassing(copy)) {
      this.#loads.delete(copy);
      return refused("the load was given up for others that began later");
    }
    try {
      const read = readDump(this.#dump, copy, lines, before);
      this.#loads.set(copy, read);
      if (!isLast) return { kind: "done", load: copy, height: this.#facts.height() };
      if (!read.hasEnd) throw new DumpRefused("the file breaks off");
      this.#judge(copy);
      const { height } = await this.#putBack(copy, () => this.#giveUp(copy));
      return { kind: "done", load: undefined, height };
    } catch (error) {
      this.#giveUp(copy);
      if (error instanceof DumpRefused) return refused(error.message);
      return refused(`the dump holds no state: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** What a chain cannot start with, or cannot go on from. @throws DumpRefused */
  #judge(copy: number): void {
    const { firstHeight, timeMsWith, latestTimeMs } = this.#facts;
    const tip = this.#copies.tipOf(copy);
    if (tip === undefined) throw new DumpRefused("the dump has no block");
    if (!this.#copies.hasBlocks(copy, firstHeight, tip.height))
      throw new DumpRefused(
        `the dump holds no state: of the blocks from ${firstHeight} to ${tip.height} it lacks some`,
      );
    const meta = { findMeta: (name: string) => this.#copies.findMeta(copy, name) };
    const [unreadable] = unreadableRecords(meta);
    if (unreadable !== undefined)
      throw new DumpRefused(`the dump holds no state: its record ${unreadable} cannot be read`);
    const timeMs = Math.max(tip.timestampMs, timeMsWith(meta));
    if (timeMs > latestTimeMs())
      throw new DumpRefused(`the dump is of ${timeMs}: the chain's clock may be put forward to ${latestTimeMs()}`);
  }

  #giveUp(copy: number): void {
    this.#loads.delete(copy);
    this.#snapshots.passed(copy);
  }

  /** @param more is done in the same transaction */
  async #putBack(copy: number, more: () => void): Promise<ExchangedState> {
    const { store, exchangeState } = this.#facts;
    return exchangeState(() => {
      const common = this.#copies.commonPlace(copy);
      store.flush();
      this.#copies.putBack(copy);
      store.putMeta(EPOCH, String(Number(store.findMeta(EPOCH) ?? 0) + 1));
      takeBackShown(store.sql, common);
      dropMarksBehind(store.sql, common);
      more();
    });
  }
}

function refused(reason: string): DevRefusal {
  return { kind: "refused", reason };
}
