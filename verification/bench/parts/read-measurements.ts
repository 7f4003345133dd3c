/** Measures a kind of request on the node and on its baselines, alternating. */
import type { WorkerAddresses } from "./bare-runtime.ts";
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
import type { LoadOptions, RequestLoad } from "./request-load.ts";

/** A node and the data on it to request. */
interface QueriedNode {
  readonly url: string;
  readonly world: ReadsWorld;
}

interface Compared {
  readonly load: RequestLoad;
  readonly ours: QueriedNode & { readonly pid: number };
  /** Process of `constant` and `point`. */
  readonly barePid: number;
  readonly constant: WorkerAddresses;
  readonly point: WorkerAddresses;
  readonly reference: QueriedNode | undefined;
  readonly log: (text: string) => void;
}

const warmUpMs = 300;
/** Slices of the keys that are requested once, so that the nodes alternate. */
const coldBatches = 10;
const coldConnections = 16;
/** Maximum timeout, in effect no limit. */
const waitTimeoutMs = 2 ** 31 - 1;

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

  /** @returns a row of the table below `header` */
  async measure(
    row: ReadRow,
    { connections, rounds, seconds }: { connections: number; rounds: number; seconds: number },
  ): Promise<string[]> {
    const { ours, constant, reference, barePid: pid } = this.#compared;
    const targets = [
      { ...ours, isConstant: false },
      { ...ours, url: constant.frontServer, pid, isConstant: true },
      { ...ours, url: constant.direct, pid, isConstant: true },
      ...(reference === undefined ? [] : [{ ...reference, pid: undefined, isConstant: false }]),
    ];
    const worlds = targets.map(({ world }) => world);
    const outcomes = targets.map((): MeasuredLoad[] => []);
    // The first round is a warm-up.
    for (let round = -1; round < rounds; round++) {
      const durationMs = round < 0 ? warmUpMs : seconds * 1_000;
      const requests = row.requests(worlds, { connections, seconds: durationMs / 1_000 });
      for (const [index, { url, pid: answering, isConstant }] of targets.entries()) {
        const order = { connections, durationMs, isOnce: row.isOnce && !isConstant };
        const outcome = await this.#run(row.name, { url, pid: answering }, requests[index] ?? [], order);
        if (round >= 0) outcomes[index]?.push(outcome);
      }
    }
    const [own, front, bare, other] = outcomes.map(figuresOf) as [LoadFigures, LoadFigures, LoadFigures, LoadFigures?];
    return this.#logged([
      row.name,
      String(connections),
      ...[...figureCells(own), processorCell(own)],
      ...[...figureCells(front), processorCell(front), ratioCell(own, front)],
      ...[rateCell(bare), processorCell(bare), ratioCell(own, bare)],
      ...(other === undefined ? [] : [...figureCells(other), ratioCell(own, other)]),
    ]);
  }

  readonly coldHeader = [
    ...["", "keys", "ours/s", "p50", "p99", "CPU"],
    ...["D1, door/s", "p50", "p99", "CPU", "x", "D1, bare/s", "CPU", "x"],
  ];

  /**
   * Requests each key once; the targets alternate by slices of the keys. @returns a row of the table below `coldHeader`
   */
  async measureCold(row: ColdRow, keys: ColdKeys): Promise<string[]> {
    const { ours, point, barePid: pid } = this.#compared;
    const paths = row.paths(keys);
    const points = paths.map((_, number) => `/${keys.addresses[number % keys.addresses.length]}`);
    const targets = [
      { ...ours, paths },
      { url: point.frontServer, pid, paths: points },
      { url: point.direct, pid, paths: points },
    ];
    const outcomes = targets.map((): MeasuredLoad[] => []);
    const sliceLength = Math.ceil(paths.length / coldBatches);
    for (let from = 0; from < paths.length; from += sliceLength)
      for (const [index, { paths: all, ...answering }] of targets.entries()) {
        const requests = all.slice(from, from + sliceLength).map((path) => ({ path }));
        const order = { connections: coldConnections, durationMs: waitTimeoutMs, isOnce: true };
        outcomes[index]?.push(await this.#run(row.name, answering, requests, order));
      }
    const [own, front, bare] = outcomes.map(figuresOf) as [LoadFigures, LoadFigures, LoadFigures];
    return this.#logged([
      row.name,
      String(paths.length),
      ...[...figureCells(own), processorCell(own)],
      ...[...figureCells(front), processorCell(front), ratioCell(own, front)],
      ...[rateCell(bare), processorCell(bare), ratioCell(own, bare)],
    ]);
  }

  async #run(
    name: string,
    { url, pid }: { readonly url: string; readonly pid: number | undefined },
    requests: Parameters<RequestLoad["run"]>[1],
    order: Pick<LoadOptions, "connections" | "durationMs" | "isOnce">,
  ): Promise<MeasuredLoad> {
    const before = pid === undefined ? 0 : treeProcessorSeconds(pid);
    const result = await this.#compared.load.run(url, requests, order);
    const processorSeconds = pid === undefined ? undefined : treeProcessorSeconds(pid) - before;
    const { errors, errorText } = result;
    if (errors > 0) this.#compared.log(`${name}, ${url}: ${errors} errors, such as ${errorText}`);
    return { ...result, processorSeconds };
  }

  /** Prints the row as progress. */
  #logged(cells: string[]): string[] {
    this.#compared.log(cells.join("  "));
    return cells;
  }
}
