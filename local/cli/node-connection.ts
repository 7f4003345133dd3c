/** Address and API key of the node that a command uses. */
import { UsageError } from "./usage-error.ts";

/** Default: the port and the key of a private network. */
export const defaultNode = { url: "http://127.0.0.1:6869", apiKey: "waves-private-node" } as const;

/** Variables in place of `--url` and `--api-key`. */
export const nodeVariables = { url: "WAVES_NODE_URL", apiKey: "WAVES_NODE_API_KEY" } as const;

/** Flags take precedence over the environment. */
export function nodeConnectionOf(
  values: { readonly url?: string | undefined; readonly "api-key"?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): { readonly url: string; readonly apiKey: string } {
  return {
    url: values.url ?? environment[nodeVariables.url] ?? defaultNode.url,
    apiKey: values["api-key"] ?? environment[nodeVariables.apiKey] ?? defaultNode.apiKey,
  };
}

/** @throws UsageError */
export function assertNodeUrl(url: string): void {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
    throw new UsageError(`--url expects the URL of a node such as ${defaultNode.url}, got "${url}".`);
}
