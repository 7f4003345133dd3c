/** A node's values at `/metrics`, and the processor time of its process. */

import { OBJECT_GIGABYTES, type Usage } from "./prices.ts";
import type { ProcessTree } from "./process-tree.ts";

export interface Reading {
  /** Values by name and labels, as printed. */
  readonly values: ReadonlyMap<string, number>;
  readonly height: number;
  /** Processor time of the runtime with all in it: Worker, ChainState, D1, KV, SQLite and HTTP. */
  readonly processorMs: number;
}

export class NodeMeter {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #processes: ProcessTree;

  constructor(url: string, apiKey: string, processes: ProcessTree) {
    this.#url = url;
    this.#apiKey = apiKey;
    this.#processes = processes;
  }

  async read(): Promise<Reading> {
    const response = await fetch(`${this.#url}/metrics`, { headers: { "X-API-Key": this.#apiKey } });
    const text = await response.text();
    if (!response.ok) throw new Error(`/metrics: ${response.status} ${text}`);
    const values = new Map<string, number>();
    for (const line of text.split("\n")) {
      const [, name, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
      if (name !== undefined) values.set(name, Number(value));
    }
    const runtime = this.#processes.usage().filter(({ name }) => name.startsWith("workerd"));
    const seconds = runtime.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
    return { values, height: values.get("waves_height") ?? Number.NaN, processorMs: seconds * 1_000 };
  }
}

/** Total usage of one route's requests between two readings. */
export interface RouteUsage {
  readonly requests: number;
  readonly byTier: ReadonlyMap<string, number>;
  readonly d1Batches: number;
  readonly d1RowsRead: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly chainStateCalls: number;
}

/** @param route path in its definition */
export function routeUsage(before: Reading, after: Reading, route: string): RouteUsage {
  const sum = (metric: string, byTier = new Map<string, number>()): number => {
    let all = 0;
    for (const [name, value] of after.values) {
      if (!name.startsWith(`${metric}{`) || !name.includes(`route="${route}"`)) continue;
      const difference = value - (before.values.get(name) ?? 0);
      const tier = /tier="(\w+)"/.exec(name)?.[1] ?? "";
      if (difference > 0) byTier.set(tier, (byTier.get(tier) ?? 0) + difference);
      all += difference;
    }
    return all;
  };
  const byTier = new Map<string, number>();
  return {
    requests: sum("waves_request_duration_seconds_count", byTier),
    byTier,
    d1Batches: sum("waves_request_d1_batches_total"),
    d1RowsRead: sum("waves_request_d1_rows_read_total"),
    kvReads: sum("waves_request_kv_reads_total"),
    kvWrites: sum("waves_request_kv_writes_total"),
    chainStateCalls: sum("waves_request_chain_state_calls_total"),
  };
}

/** Usage of ChainState between two readings, publication included. */
export function objectUsage(before: Reading, after: Reading): Usage {
  const difference = (name: string): number => {
    const of = ({ values }: Reading) => values.get(`waves_chain_state_${name}_total`) ?? Number.NaN;
    return of(after) - of(before);
  };
  return {
    // The reading is a call itself.
    objectRequests: difference("requests") - 1,
    objectGigabyteSeconds: difference("active_seconds") * OBJECT_GIGABYTES,
    objectRowsRead: difference("sql_rows_read"),
    objectRowsWritten: difference("sql_rows_written"),
    d1RowsRead: difference("d1_rows_read"),
    d1RowsWritten: difference("d1_rows_written"),
    kvWrites: difference("kv_writes"),
  };
}
