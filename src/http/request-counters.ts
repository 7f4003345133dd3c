/** Counters of the requests of one isolate, by route, kind of status, and tier. */
import type { RequestWork, RouteName, Tier } from "./request-work.ts";

/** Upper bounds of the histogram's buckets, ms; one more bucket is unbounded. */
export const bucketsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000] as const;

/** Requests of one route with one kind of status from one tier. */
export interface RequestSeries {
  readonly route: RouteName | undefined;
  /** First digit of the status. */
  readonly statusClass: number;
  readonly tier: Tier;
  /** Requests per bucket of duration, not cumulative: one for each bound, and one more. */
  readonly counts: number[];
  milliseconds: number;
  d1Batches: number;
  d1RowsRead: number;
  kvReads: number;
  kvWrites: number;
  chainStateCalls: number;
}

export class RequestCounters {
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly cacheResults = { hit: 0, miss: 0 };
  /** PERF: two lookups per request; the route definition itself is the key, and there are few of them. */
  readonly #series = new Map<RouteName | undefined, Map<string, RequestSeries>>();

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }

  /** All series: a few for each route that got a request. */
  *series(): Iterable<RequestSeries> {
    for (const routeSeries of this.#series.values()) yield* routeSeries.values();
  }

  count(work: RequestWork, { status, milliseconds }: { readonly status: number; readonly milliseconds: number }): void {
    if (work.cacheResult !== undefined) this.cacheResults[work.cacheResult]++;
    const series = this.#find(work, Math.trunc(status / 100));
    const bucket = bucketOf(milliseconds);
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.milliseconds += milliseconds;
    series.d1Batches += work.d1Batches;
    series.d1RowsRead += work.d1RowsRead;
    series.kvReads += work.kvReads;
    series.kvWrites += work.kvWrites;
    series.chainStateCalls += work.chainStateCalls;
  }

  #find({ route, tier }: RequestWork, statusClass: number): RequestSeries {
    let routeSeries = this.#series.get(route);
    if (routeSeries === undefined) {
      routeSeries = new Map();
      this.#series.set(route, routeSeries);
    }
    const name = tier + statusClass;
    let series = routeSeries.get(name);
    if (series === undefined) {
      series = {
        ...{ route, statusClass, tier, counts: new Array<number>(bucketsMs.length + 1).fill(0) },
        ...{ milliseconds: 0, d1Batches: 0, d1RowsRead: 0, kvReads: 0, kvWrites: 0, chainStateCalls: 0 },
      };
      routeSeries.set(name, series);
    }
    return series;
  }
}

function bucketOf(milliseconds: number): number {
  const index = bucketsMs.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? bucketsMs.length : index;
}
