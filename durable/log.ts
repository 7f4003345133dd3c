/** The object's log: faults that nobody is there to be told. Never a transaction's content, a seed or a key. */
export function logFault(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
