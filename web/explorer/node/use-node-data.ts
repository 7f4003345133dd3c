import { useEffect, useState } from "preact/hooks";
import { errorText, fetchJson, NodeError } from "./node-request.ts";

/** State of a request. While it is repeated, the previous response stays. */
export type Loadable<Value> =
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
export function useNodeData<Value>(path: string | undefined, version?: unknown): Loadable<Value> {
  return useLoaded(path === undefined ? undefined : (signal) => fetchJson<Value>(path, signal), path ?? "", version);
}

/**
 * Like `useNodeData`, for any asynchronous load.
 * @param key another key starts over
 */
export function useLoaded<Value>(
  load: ((signal: AbortSignal) => Promise<Value>) | undefined,
  key: string,
  version?: unknown,
): Loadable<Value> {
  const [known, setKnown] = useState<{ readonly key: string; readonly loadable: Loadable<Value> }>();
  useEffect(() => {
    if (load === undefined) return;
    const abort = new AbortController();
    const show = (loadable: Loadable<Value>): void => {
      if (!abort.signal.aborted) setKnown({ key, loadable });
    };
    load(abort.signal).then(
      (value) => show({ is: "here", value }),
      (error: unknown) => show(failed(error)),
    );
    return () => abort.abort();
  }, [key, version, load === undefined]);
  return known?.key === key ? known.loadable : { is: "awaited" };
}

function failed(error: unknown): Loadable<never> {
  const isUnknown = error instanceof NodeError && error.status === 404;
  return { is: isUnknown ? "unknown" : "refused", message: errorText(error) };
}
