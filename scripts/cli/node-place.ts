/** Which node a command speaks to, and by which key. */
import { UsageError } from "./usage-error.ts";

/** Where a node is looked for that nobody names: the port and the key of a private network. */
export const nodeByDefault = { url: "http://127.0.0.1:6869", apiKey: "waves-private-node" } as const;

/** In the place of `--url` and `--api-key`. */
export const nodeVariables = { url: "WAVES_NODE_URL", apiKey: "WAVES_NODE_API_KEY" } as const;

/** What is typed goes before what the environment says. */
export function nodePlaceOf(
  values: { readonly url?: string | undefined; readonly "api-key"?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): { readonly url: string; readonly apiKey: string } {
  return {
    url: values.url ?? environment[nodeVariables.url] ?? nodeByDefault.url,
    apiKey: values["api-key"] ?? environment[nodeVariables.apiKey] ?? nodeByDefault.apiKey,
  };
}

/** @throws UsageError */
export function expectNodeUrl(url: string): void {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ""))
    throw new UsageError(`--url wants the URL of a node such as ${nodeByDefault.url}, but "${url}" was given.`);
}
