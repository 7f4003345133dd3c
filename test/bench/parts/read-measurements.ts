/** Measures a kind of request on the node and on what it is compared with, in turns. */
import type { Doors } from "./bare-runtime.ts";
import type { ColdRow } from "./cold-rows.ts";
import {
  figureCells,
  figuresOf,
  type LoadFigures,
  type MeasuredLoad,
  processorCell,
  rateCell,
  ratioCell,
} from "./load-figures.ts";
import { treeProcessorSeconds } from "./process-tree.ts";
import type { ReadRow } from "./read-rows.ts";
import type { ColdKeys, ReadsWorld } from "./reads-world.ts";
import type { LoadOrder, RequestLoad } from "./request-load.ts";

/** A node, and what there is to ask it about. */
interface AskedNode {
  readonly url: string;
  readonly world: ReadsWorld;
}

interface Compared {
  readonly load: RequestLoad;
  readonly ours: AskedNode & { readonly pid: number };
  /** Of the process behind `constant` and `point`. */
  readonly barePid: number;
  readonly constant: Doors;
  readonly point: Doors;
  readonly reference: AskedNode | undefined;
  readonly say: (text: string) => void;
}

const warmUpMs = 300;
/** Parts into which the keys that are asked once are cut, so that the nodes take turns. */
const coldSlices = 10;
const coldConnections = 16;
/** However long it takes. */
const patienceMs = 2 ** 31 - 1;

export class ReadMeasurements {
  readonly #compared: Compared;

  constructor(compared: Compared) {
    this.#compared = compared;
  }

  get header(): string[] {
    const constant = ["door/s", "p50", "p99", "CPU", "x", "bare/s", "CPU", "x"];
    const reference = this.#compared.reference === undefined ? [] : ["reference/s", "p50", "p99", "x"];
    return ["request", "connections", "ours/s", "p50", "p99", "CPU", ...constant, ...reference];
  }

  /** @returns the row of the table below `header` */
  async measure(
    row: ReadRow,
    { connections, rounds, seconds }: { connections: number; rounds: number; seconds: number },
  ): Promise<string[]> {
    const { ours, constant, reference, barePid: pid } = this.#compared;
    const targets = [
      { ...ours, isConstant: false },
      { ...ours, url: constant.door, pid, isConstant: true },
      { ...ours, url: constant.bare, pid, isConstant: true },
      ...(reference === undefined ? [] : [{ ...reference, pid: undefined, isConstant: false }]),
    ];
    const worlds = targets.map(({ world }) => world);
    const outcomes = targets.map((): MeasuredLoad[] => []);
    // The first round is for everybody to be warm.
    for (let round = -1; round < rounds; round++) {
      const durationMs = round < 0 ? warmUpMs : seconds * 1_000;
      const asked = row.ask(worlds, { connections, seconds: durationMs / 1_000 });
      for (const [index, { url, pid: answering, isConstant }] of targets.entries()) {
        const order = { connections, durationMs, isOnce: row.isOnce && !isConstant };
        const outcome = await this.#run(row.name, { url, pid: answering }, asked[index] ?? [], order);
        if (round >= 0) outcomes[index]?.push(outcome);
      }
    }
    const [own, door, bare, other] = outcomes.map(figuresOf) as [LoadFigures, LoadFigures, LoadFigures, LoadFigures?];
    return this.#shown([
      row.name,
      String(connections),
      ...[...figureCells(own), processorCell(own)],
      ...[...figureCells(door), processorCell(door), ratioCell(own, door)],
      ...[rateCell(bare), processorCell(bare), ratioCell(own, bare)],
      ...(other === undefined ? [] : [...figureCells(other), ratioCell(own, other)]),
    ]);
  }

  readonly coldHeader = [
    ...["", "keys", "ours/s", "p50", "p99", "CPU"],
    ...["D1, door/s", "p50", "p99", "CPU", "x", "D1, bare/s", "CPU", "x"],
  ];

  /** Each key once: who is asked takes turns with slices of the keys. @returns the row of the table below `coldHeader` */
  async measureCold(row: ColdRow, keys: ColdKeys): Promise<string[]> {
    const { ours, point, barePid: pid } = this.#compared;
    const paths = row.paths(keys);
    const points = paths.map((_, number) => `/${keys.addresses[number % keys.addresses.length]}`);
    const targets = [
      { ...ours, paths },
      { url: point.door, pid, paths: points },
      { url: point.bare, pid, paths: points },
    ];
    const outcomes = targets.map((): MeasuredLoad[] => []);
    const sliceLength = Math.ceil(paths.length / coldSlices);
    for (let from = 0; from < paths.length; from += sliceLength)
      for (const [index, { paths: all, ...answering }] of targets.entries()) {
        const asked = all.slice(from, from + sliceLength).map((path) => ({ path }));
        const order = { connections: coldConnections, durationMs: patienceMs, isOnce: true };
        outcomes[index]?.push(await this.#run(row.name, answering, asked, order));
      }
    const [own, door, bare] = outcomes.map(figuresOf) as [LoadFigures, LoadFigures, LoadFigures];
    return this.#shown([
      row.name,
      String(paths.length),
      ...[...figureCells(own), processorCell(own)],
      ...[...figureCells(door), processorCell(door), ratioCell(own, door)],
      ...[rateCell(bare), processorCell(bare), ratioCell(own, bare)],
    ]);
  }

  async #run(
    name: string,
    { url, pid }: { readonly url: string; readonly pid: number | undefined },
    asked: Parameters<RequestLoad["run"]>[1],
    order: Pick<LoadOrder, "connections" | "durationMs" | "isOnce">,
  ): Promise<MeasuredLoad> {
    const before = pid === undefined ? 0 : treeProcessorSeconds(pid);
    const outcome = await this.#compared.load.run(url, asked, order);
    const processorSeconds = pid === undefined ? undefined : treeProcessorSeconds(pid) - before;
    const { errors, errorText } = outcome;
    if (errors > 0) this.#compared.say(`${name}, ${url}: ${errors} errors, such as ${errorText}`);
    return { ...outcome, processorSeconds };
  }

  /** Tells how far the run is. */
  #shown(cells: string[]): string[] {
    this.#compared.say(cells.join("  "));
    return cells;
  }
}
