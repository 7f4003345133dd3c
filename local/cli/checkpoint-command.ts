/** The command line of `npm run checkpoint`. */
import { type CheckpointPast, checkpointPasts } from "../../src/env.ts";
import { assertNodeUrl, defaultNode, nodeConnectionOf, nodeVariables } from "./node-connection.ts";
import { parsedArguments } from "./parsed-arguments.ts";
import { UsageError } from "./usage-error.ts";

export const checkpointHelp = `npm run checkpoint -- download FILE   writes a checkpoint of a node that runs
npm run checkpoint -- upload FILE     lets a node begin with one that has no chain yet; again goes on where it stopped
npm run checkpoint -- abandon         the node forgets what it has of one, and begins with the first block

  --url URL       the node (default ${defaultNode.url}; or ${nodeVariables.url} in the environment)
  --api-key KEY   its key (default ${defaultNode.apiKey}; or ${nodeVariables.apiKey})
  --past all|none of download: all blocks that the node has, since scripts may ask for any (the default), or those alone that
                  the rules look back to (docs/checkpoints.md)
  --digest HEX    of upload: take the checkpoint that has this digest and no other
  --help          this text
`;

export interface CheckpointCommand {
  readonly verb: "download" | "upload" | "abandon" | "help";
  /** "" for a verb without a file. */
  readonly file: string;
  readonly url: string;
  readonly apiKey: string;
  readonly digest: string | undefined;
  readonly past: CheckpointPast;
}

/** @throws UsageError */
export function parseCheckpointCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CheckpointCommand {
  const { values, positionals } = readArguments(args);
  const [verb = "help", file = "", ...rest] = positionals;
  const { url, apiKey } = nodeConnectionOf(values, environment);
  const past = checkpointPasts.find((name) => name === (values.past ?? "all"));
  if (past === undefined) throw new UsageError(`--past expects all or none, got "${values.past}".`);
  const command = { file, url: url.replace(/\/+$/, ""), apiKey, digest: values.digest, past };
  if (values.help || verb === "help") return { verb: "help", ...command };
  if (verb !== "download" && verb !== "upload" && verb !== "abandon")
    throw new UsageError(`There is no command "${verb}": download, upload, abandon.`);
  assertNodeUrl(url);
  if ((verb === "abandon") !== (file === "") || rest.length > 0)
    throw new UsageError(verb === "abandon" ? "abandon takes no file." : `${verb} takes one file.`);
  if (values.digest !== undefined && (verb !== "upload" || !/^[0-9a-f]{64}$/.test(values.digest)))
    throw new UsageError("--digest expects 64 digits from 0 to f, and can only be used with upload.");
  if (values.past !== undefined && verb !== "download") throw new UsageError("--past can only be used with download.");
  return { verb, ...command };
}

function readArguments(args: readonly string[]) {
  return parsedArguments({
    args: [...args],
    options: {
      url: { type: "string" },
      "api-key": { type: "string" },
      digest: { type: "string" },
      past: { type: "string" },
      help: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
}
