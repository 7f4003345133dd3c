/**
 * Sends a command to a running dev chain: `npm run dev -- mine 5`, or `npx waves-edge-node mine 5`. `--help` lists the
 * commands.
 */
import path from "node:path";
import { devHelp, formatResult, parseDevCommand } from "../local/cli/dev-command.ts";
import { oneLine } from "../local/cli/one-line.ts";
import { UsageError } from "../local/cli/usage-error.ts";
import { DevClient } from "../local/testing/dev-client.ts";
import { DevNodeError } from "../local/testing/dev-node-error.ts";

/** Limit of a node's error message. */
const MAX_ERROR_CHARACTERS = 4_000;

export interface DevCommandContext {
  /** Text that a user types before the name of a command. */
  readonly command: string;
  /** Folder that paths on the command line are relative to. */
  readonly callerFolder: string;
}

/**
 * Runs a command. @param args without program and script @returns exit code: 2 for a usage error, 1 for an error of the
 * node
 */
export async function runDevCommand(
  { command, callerFolder }: DevCommandContext,
  args: readonly string[],
): Promise<number> {
  try {
    const { url, apiKey, isJson, run } = parseDevCommand(args, process.env);
    const context = {
      client: new DevClient({ url, apiKey }),
      resolve: (file: string) => path.resolve(callerFolder, file),
    };
    process.stdout.write(run === undefined ? devHelp(command) : formatResult(await run(context), isJson));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof DevNodeError)) throw error;
    process.stderr.write(`${oneLine(error.message, MAX_ERROR_CHARACTERS)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
