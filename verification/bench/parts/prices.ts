/**
 * Cloudflare's prices on the plan Workers Paid, dollars. Published prices change: `lookedUp` is the day on which they
 * were read on the pages named.
 * @source developers.cloudflare.com: workers/platform/pricing, d1/platform/pricing, kv/platform/pricing,
 *   durable-objects/platform/pricing, analytics/analytics-engine/pricing
 */
export const lookedUp = "2026-11-22";

/** Price a month, independent of usage. */
export const SUBSCRIPTION = 5;

/** Charged units: the amount that a month includes, and the price of a million more. */
export const prices = {
  workerRequests: { included: 10e6, aMillion: 0.3 },
  workerCpuMs: { included: 30e6, aMillion: 0.02 },
  d1RowsRead: { included: 25e9, aMillion: 0.001 },
  d1RowsWritten: { included: 50e6, aMillion: 1 },
  kvReads: { included: 10e6, aMillion: 0.5 },
  kvWrites: { included: 1e6, aMillion: 5 },
  objectRequests: { included: 1e6, aMillion: 0.15 },
  /** Gigabytes of memory times seconds. */
  objectGigabyteSeconds: { included: 400e3, aMillion: 12.5 },
  objectRowsRead: { included: 25e9, aMillion: 0.001 },
  objectRowsWritten: { included: 50e6, aMillion: 1 },
} as const satisfies Record<string, { readonly included: number; readonly aMillion: number }>;

export type Unit = keyof typeof prices;
export type Usage = Readonly<Partial<Record<Unit, number>>>;

/** Memory charged for an object, independent of its use, gigabytes. */
export const OBJECT_GIGABYTES = 0.128;

/** Price of usage above the included amounts. */
export function dollarsOf(usage: Usage): number {
  return sumOf(usage, ({ aMillion }, amount) => (amount / 1e6) * aMillion);
}

/** Price of a month with no other usage in the account. */
export function monthOf(usage: Usage): number {
  return (
    SUBSCRIPTION + sumOf(usage, ({ included, aMillion }, amount) => (Math.max(0, amount - included) / 1e6) * aMillion)
  );
}

function sumOf(usage: Usage, dollars: (price: (typeof prices)[Unit], amount: number) => number): number {
  return Object.entries(usage).reduce((sum, [unit, amount]) => sum + dollars(prices[unit as Unit], amount), 0);
}

/** Sum of several usages, each multiplied. */
export function added(...parts: readonly (readonly [usage: Usage, times: number])[]): Usage {
  const sum: Partial<Record<Unit, number>> = {};
  for (const [usage, times] of parts)
    for (const [unit, amount] of Object.entries(usage)) sum[unit as Unit] = (sum[unit as Unit] ?? 0) + amount * times;
  return sum;
}
