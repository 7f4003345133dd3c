/** `npm run dev -- mine 5`: tells a dev chain that runs what to do. `--help` lists the commands. */
import path from "node:path";
import { DevClient } from "../testing/dev-client.ts";
import { DevNodeError } from "../testing/dev-node-error.ts";
import { devHelp, parseDevCommand, shownOutcome } from "./cli/dev-command.ts";
import { UsageError } from "./cli/usage-error.ts";

process.exitCode = await runDevCommand(process.argv.slice(2), "npm run dev --");

/** @param command what was typed before. @returns the exit code */
async function runDevCommand(args: readonly string[], command: string): Promise<number> {
  try {
    const { url, apiKey, isJson, run } = parseDevCommand(args, process.env);
    const folder = process.env["npm_lifecycle_event"] === "dev" ? process.env["INIT_CWD"] : undefined;
    const resolve = (file: string): string => path.resolve(folder ?? process.cwd(), file);
    const client = new DevClient({ url, apiKey });
    process.stdout.write(run === undefined ? devHelp(command) : shownOutcome(await run({ client, resolve }), isJson));
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof DevNodeError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
