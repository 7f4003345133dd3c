import { readFileSync } from "node:fs";

export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}

/**
 * Compatibility date and flags of the Worker, from the deployment's settings: the local runtime behaves as the edge.
 * @param file `wrangler.toml`
 */
export function readCompatibility(file: string): Compatibility {
  const text = readFileSync(file, "utf8");
  const date = /^compatibility_date = "([0-9-]+)"$/m.exec(text)?.[1];
  const flags = /^compatibility_flags = (\[.*\])$/m.exec(text)?.[1];
  if (date === undefined || flags === undefined) throw new Error(`${file} has no compatibility date or flags`);
  return { date, flags: JSON.parse(flags) as string[] };
}
