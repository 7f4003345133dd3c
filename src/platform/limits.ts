/**
 * What Cloudflare lets a Worker, a Durable Object and D1 do. The local runtime lets more pass, so the doubles of the tests
 * refuse what these numbers refuse.
 * @source docs/limits.md, with the page and the date of each
 */
export const platformLimits = {
  /** Of a string, a blob or a whole row, in SQLite of an object and in D1. */
  valueBytes: 2_000_000,
  boundParameters: 100,
  statementBytes: 100_000,
  columnsOfTable: 100,
  /** Of one call of an SQL function, such as `json_array`. */
  functionArguments: 32,
  /** Of a LIKE or GLOB pattern. */
  patternBytes: 50,
  /** Of an object's database, and of D1. */
  databaseBytes: 10_000_000_000,
  /** Of all requests that an isolate answers at the same time. */
  isolateBytes: 128 * 2 ** 20,
  /** Sockets and requests that one caller may have under way; more wait until one of them is over. */
  outgoingConnections: 6,
} as const;
