/** The object's log. Never a transaction's content, a seed or a key. */
import { unshowable } from "../src/platform/unshowable.ts";

/** What an operator should know, in a sentence, parts of which others may have chosen. */
export function log(sentence: string): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.info(sentence.replace(unshowable, " "));
}

/** A fault that nobody is there to be told. */
export function logFault(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
