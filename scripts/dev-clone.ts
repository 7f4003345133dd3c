/** `npm run dev -- COMMAND` in a clone. */
import { runDevCommand } from "./dev.ts";

// npm runs scripts in the project's folder; paths are relative to where the command was typed.
const callerFolder = process.env["npm_lifecycle_event"] === "dev" ? process.env["INIT_CWD"] : undefined;
const context = { command: "npm run dev --", callerFolder: callerFolder ?? process.cwd() };
process.exitCode = await runDevCommand(context, process.argv.slice(2));
