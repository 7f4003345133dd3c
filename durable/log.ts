/** Log of the object. It never contains a transaction's content, a seed or a key. */
import { unprintable } from "../src/platform/unprintable.ts";

/** Logs a message for the operator. Parts of it may come from others, so control characters are replaced. */
export function log(message: string): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.info(message.replace(unprintable, " "));
}

/** Logs an error without a caller to receive it. */
export function logError(context: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: a Worker's log is its console
  console.error(`${context}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}
