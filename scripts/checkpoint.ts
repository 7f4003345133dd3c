/**
 * `npm run checkpoint`: downloads a checkpoint from a running node, or loads one into a new node. `--help` lists the
 * flags.
 */
import path from "node:path";
import { nodeCalls } from "../local/checkpoint/node-calls.ts";
import { begunLine, readingLine, writingLine, writtenLine } from "../local/checkpoint/progress-lines.ts";
import { readCheckpoint } from "../local/checkpoint/read-checkpoint.ts";
import { writeCheckpoint } from "../local/checkpoint/write-checkpoint.ts";
import { checkpointHelp, parseCheckpointCommand } from "../local/cli/checkpoint-command.ts";
import { UsageError } from "../local/cli/usage-error.ts";
import { progressReporter } from "../local/import/progress-reporter.ts";

try {
  process.stdout.write(await runCommand(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

/** @returns the last line to print @throws UsageError */
async function runCommand(args: readonly string[]): Promise<string> {
  const { verb, file: named, url, apiKey, digest: expected, past } = parseCheckpointCommand(args, process.env);
  if (verb === "help") return checkpointHelp;
  const call = nodeCalls({ url, apiKey });
  if (verb === "abandon") {
    await call({ call: "giveUp" });
    return "the node begins with the first block\n";
  }
  // npm runs scripts in the project's folder; paths are relative to where the command was typed.
  const file = path.resolve(process.env["INIT_CWD"] ?? process.cwd(), named);
  const reporter = progressReporter();
  if (verb === "download") {
    const written = await writeCheckpoint(call, file, past, (progress) =>
      reporter.report(() => writingLine(progress), progress),
    );
    reporter.end();
    return writtenLine(written);
  }
  const read = await readCheckpoint(call, file, expected, (progress) =>
    reporter.report(() => readingLine(progress), progress),
  );
  reporter.end();
  return begunLine(read);
}
