/** The object's log. Never a transaction's content, a seed or a key. */

/** What an operator should know, in a sentence. */
export function log(sentence: string): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.info(sentence);
}

/** A fault that nobody is there to be told. */
export function logFault(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
