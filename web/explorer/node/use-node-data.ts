import { useEffect, useState } from "preact/hooks";
import { ask, errorText, NodeError } from "./node-request.ts";

/** State of a request. While it is repeated, the previous response stays. */
export type Answer<Value> =
  | { readonly is: "awaited" }
  | { readonly is: "here"; readonly value: Value }
  /** The node has no such item. */
  | { readonly is: "unknown"; readonly message: string }
  | { readonly is: "refused"; readonly message: string };

/**
 * Requests a path.
 * @param path undefined: no request yet
 * @param version the request is repeated when it changes, such as the id of the last block
 */
export function useAnswer<Value>(path: string | undefined, version?: unknown): Answer<Value> {
  return useLoaded(path === undefined ? undefined : (signal) => ask<Value>(path, signal), path ?? "", version);
}

/**
 * Like `useAnswer`, for any asynchronous load.
 * @param key another key starts over
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
