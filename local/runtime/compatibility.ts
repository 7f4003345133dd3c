import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import * as z from "zod";

export const compatibilitySchema = z.object({ date: z.iso.date(), flags: z.array(z.string()) });

export interface Compatibility {
  readonly date: string;
  readonly flags: readonly string[];
}

/** Compatibility settings in `wrangler.toml`. */
const deployment = z.object({ compatibility_date: z.iso.date(), compatibility_flags: z.array(z.string()) });

/**
 * Compatibility date and flags of the Worker, from the deployment's settings: the local runtime behaves as the edge.
 * @param file `wrangler.toml`
 */
export function readCompatibility(file: string): Compatibility {
  const settings = deployment.parse(parse(readFileSync(file, "utf8")));
  return { date: settings.compatibility_date, flags: settings.compatibility_flags };
}
