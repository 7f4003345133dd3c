/** Tells a dev chain that runs what to do: `npm run dev -- mine 5`, or `npx waves-edge-node mine 5`. `--help` lists the commands. */
import path from "node:path";
import { DevClient } from "../testing/dev-client.ts";
import { DevNodeError } from "../testing/dev-node-error.ts";
import { devHelp, parseDevCommand, shownOutcome } from "./cli/dev-command.ts";
import { oneLine } from "./cli/one-line.ts";
import { UsageError } from "./cli/usage-error.ts";

/** Of what a node says against a command. */
const MAX_ERROR_CHARACTERS = 4_000;

export interface DevPlace {
  /** What a user types before the name of a command. */
  readonly command: string;
  /** Folder from which paths on the command line are meant. */
  readonly callerFolder: string;
}

/** @param args without program and script @returns the exit code: 2 for what was typed wrong, 1 for what the node refused */
export async function runDevCommand({ command, callerFolder }: DevPlace, args: readonly string[]): Promise<number> {
  try {
    const { url, apiKey, isJson, run } = parseDevCommand(args, process.env);
    const place = {
      client: new DevClient({ url, apiKey }),
      resolve: (file: string) => path.resolve(callerFolder, file),
    };
    process.stdout.write(run === undefined ? devHelp(command) : shownOutcome(await run(place), isJson));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof DevNodeError)) throw error;
    process.stderr.write(`${oneLine(error.message, MAX_ERROR_CHARACTERS)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
