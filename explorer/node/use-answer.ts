import { useEffect, useState } from "preact/hooks";
import { ask, errorText, NodeError } from "./ask.ts";

/** What is known of an answer so far. While it is asked again, what was answered before stays. */
export type Answer<Value> =
  | { readonly is: "awaited" }
  | { readonly is: "here"; readonly value: Value }
  /** The node has no such thing. */
  | { readonly is: "unknown"; readonly message: string }
  | { readonly is: "refused"; readonly message: string };

/**
 * @param path undefined: nothing is asked yet
 * @param version is asked again where it changes, such as the id of the last block
 */
export function useAnswer<Value>(path: string | undefined, version?: unknown): Answer<Value> {
  return useLoaded(path === undefined ? undefined : (signal) => ask<Value>(path, signal), path ?? "", version);
}

/**
 * As `useAnswer`, of anything that is asked.
 * @param key of the question: another one begins anew
 */
export function useLoaded<Value>(
  load: ((signal: AbortSignal) => Promise<Value>) | undefined,
  key: string,
  version?: unknown,
): Answer<Value> {
  const [known, setKnown] = useState<{ readonly key: string; readonly answer: Answer<Value> }>();
  useEffect(() => {
    if (load === undefined) return;
    const abort = new AbortController();
    const show = (answer: Answer<Value>): void => {
      if (!abort.signal.aborted) setKnown({ key, answer });
    };
    load(abort.signal).then(
      (value) => show({ is: "here", value }),
      (error: unknown) => show(failed(error)),
    );
    return () => abort.abort();
  }, [key, version, load === undefined]);
  return known?.key === key ? known.answer : { is: "awaited" };
}

function failed(error: unknown): Answer<never> {
  const isUnknown = error instanceof NodeError && error.status === 404;
  return { is: isUnknown ? "unknown" : "refused", message: errorText(error) };
}
