/** Requests one after the other on each of many connections. */
import type { Load, ResultCounts } from "./attack.ts";

/**
 * @param send sends one request, by its number, and returns the name of the result
 * @param most maximum number of requests
 */
export function requestLoad(
  send: (number: number, signal: AbortSignal) => Promise<string>,
  most = Number.POSITIVE_INFINITY,
): Load {
  return async ({ connections, signal }) => {
    const outcomes: ResultCounts = new Map();
    let sent = 0;
    const connection = async (): Promise<void> => {
      while (!signal.aborted && sent < most) {
        const outcome = await send(sent++, signal).catch((error: Error) => error.name);
        // Requests in progress at the end are not counted.
        if (!signal.aborted) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return outcomes;
  };
}

export function totalCount(outcomes: ResultCounts): number {
  let count = 0;
  for (const each of outcomes.values()) count += each;
  return count;
}

/** Status of a response, with the number of its error. */
export function resultName(status: number, text: string): string {
  const [, error] = /"error":(\d+)/.exec(text) ?? [];
  return error === undefined ? String(status) : `${status} (${error})`;
}
