/** What the requests of one isolate have taken, added up by route, kind of status, and tier. */
import type { RequestWork, RouteName, Tier } from "./request-work.ts";

/** Upper bounds of the histogram's buckets, ms; behind the last one comes a bucket without bound. */
export const bucketsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000] as const;

/** Requests of one route with one kind of status from one tier. */
export interface RequestSeries {
  readonly route: RouteName | undefined;
  /** First digit of the status. */
  readonly statusClass: number;
  readonly tier: Tier;
  /** Of requests by how long they took, each in one bucket alone; as many as there are bounds, and one more. */
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
  readonly keptAnswers = { hit: 0, miss: 0 };
  /** PERF: two look-ups a request; rows are few and are named by themselves. */
  readonly #series = new Map<RouteName | undefined, Map<string, RequestSeries>>();

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }

  /** As many as there are routes that were asked, times a few. */
  *series(): Iterable<RequestSeries> {
    for (const ofRoute of this.#series.values()) yield* ofRoute.values();
  }

  count(work: RequestWork, { status, milliseconds }: { readonly status: number; readonly milliseconds: number }): void {
    if (work.kept !== undefined) this.keptAnswers[work.kept]++;
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
    let ofRoute = this.#series.get(route);
    if (ofRoute === undefined) {
      ofRoute = new Map();
      this.#series.set(route, ofRoute);
    }
    const name = tier + statusClass;
    let series = ofRoute.get(name);
    if (series === undefined) {
      series = {
        ...{ route, statusClass, tier, counts: new Array<number>(bucketsMs.length + 1).fill(0) },
        ...{ milliseconds: 0, d1Batches: 0, d1RowsRead: 0, kvReads: 0, kvWrites: 0, chainStateCalls: 0 },
      };
      ofRoute.set(name, series);
    }
    return series;
  }
}

function bucketOf(milliseconds: number): number {
  const index = bucketsMs.findIndex((bound) => milliseconds <= bound);
  return index === -1 ? bucketsMs.length : index;
}
