/** Arguments of a command, as Node's `parseArgs` reads them. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

/** @throws UsageError with the sentence of `parseArgs` for what is no argument of the command */
export function parsedArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
