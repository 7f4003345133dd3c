/** The command line of a dev chain's commands: the verb, its arguments, and the node. */
import { devVerbs, isVerb, readVerb, type VerbContext, verbNames, verbUsage } from "./dev-verbs.ts";
import { findNearestWord } from "./nearest-word.ts";
import { assertNodeUrl, defaultNode, nodeConnectionOf, nodeVariables } from "./node-connection.ts";
import { oneLine } from "./one-line.ts";
import { parsedArguments } from "./parsed-arguments.ts";
import { UsageError } from "./usage-error.ts";

const options = {
  url: { type: "string" },
  "api-key": { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

export interface DevCommand {
  readonly url: string;
  readonly apiKey: string;
  /** Prints the result as JSON. */
  readonly isJson: boolean;
  /** Undefined for `--help`. */
  readonly run: ((context: VerbContext) => Promise<object>) | undefined;
}

/**
 * @param args without program and script
 * @throws UsageError
 */
export function parseDevCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
): DevCommand {
  const { values, positionals } = readArguments(args);
  const [name, ...rest] = positionals;
  const node = nodeConnectionOf(values, environment);
  assertNodeUrl(node.url);
  return {
    ...node,
    isJson: values.json,
    run: values.help || name === undefined ? undefined : readVerb(verbNamed(name), rest),
  };
}

function verbNamed(word: string) {
  if (isVerb(word)) return word;
  const nearest = findNearestWord(word, verbNames);
  throw new UsageError(
    `There is no command "${word}": ${nearest === undefined ? verbNames.join(", ") : `did you mean ${nearest}?`}`,
  );
}

function readArguments(args: readonly string[]) {
  return parsedArguments({ args: [...args], options, allowPositionals: true });
}

const COLUMN = 49;

/** @param command the text typed before the name of a command */
export function devHelp(command: string): string {
  const row = (usage: string, about: string): string => `  ${usage.padEnd(COLUMN)}${about}`;
  return `${command} COMMAND        tells a dev chain that runs what to do

${verbNames.map((name) => row(verbUsage(name), devVerbs[name].about)).join("\n")}

${[
  row("--url URL", `the node (default ${defaultNode.url} or ${nodeVariables.url})`),
  row("--api-key KEY", `its key (default ${defaultNode.apiKey} or ${nodeVariables.apiKey})`),
  row("--json", "show what came of it as JSON"),
  row("--help", "this text"),
].join("\n")}

Amounts are in wavelets or the smallest unit of an asset, or in WAVES as in 1.5waves; times in milliseconds, or as in
30s, 5m, 2h, 7d. Exit code 2: mistyped; 1: refused by the node.
`;
}

/** Printed result of a command. */
export function formatResult(outcome: object, isJson: boolean): string {
  if (isJson) return `${JSON.stringify(outcome)}\n`;
  const rows = Object.entries(outcome).map(([name, value]) => [name, formatValue(name, value)] as const);
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, value]) => `${oneLine(name).padEnd(width)}${value}\n`).join("");
}

function formatValue(name: string, value: unknown): string {
  if (name === "time") return `${value} (${new Date(Number(value)).toISOString()})`;
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map((each) => formatValue("", each)).join(", ");
  if (typeof value === "object") return Object.values(value).map(formatText).join(" at ");
  return formatText(value);
}

/** The node is not trusted, and users choose names on it. */
function formatText(value: unknown): string {
  return oneLine(String(value));
}
