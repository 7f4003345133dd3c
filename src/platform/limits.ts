/**
 * Cloudflare's limits of a Worker, a Durable Object and D1. The local runtime allows more, so the tests' fakes enforce
 * these numbers.
 * @source docs/limits.md, with the page and the date of each
 */
export const platformLimits = {
  /** Size of a string, a blob or a whole row, in SQLite of an object and in D1. */
  valueBytes: 2_000_000,
  boundParameters: 100,
  statementBytes: 100_000,
  columnsOfTable: 100,
  /** Arguments of one call of an SQL function such as `json_array`. */
  functionArguments: 32,
  /** Size of a LIKE or GLOB pattern. */
  patternBytes: 50,
  /** Size of an object's database, and of D1. */
  databaseBytes: 10_000_000_000,
  /** Memory of an isolate for all of its concurrent requests. */
  isolateBytes: 128 * 2 ** 20,
  /** Concurrent outgoing sockets and requests of one caller; more wait until one of them ends. */
  outgoingConnections: 6,
} as const;
