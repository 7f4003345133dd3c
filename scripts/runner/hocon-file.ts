/**
 * Settings files in HOCON, the format of the reference's own: comments, includes, substitutions by the file and by the
 * environment.
 * @source https://github.com/lightbend/config/blob/main/HOCON.md
 */
import os from "node:os";
import { pathToFileURL } from "node:url";
import type { HoconParser, ParseData } from "@pushcorn/hocon-parser";
import { UsageError } from "../cli/usage-error.ts";

/** The Java system properties that the reference's files name. */
const properties = { user: { dir: process.cwd(), home: os.homedir(), name: os.userInfo().username } };

/**
 * The file as JSON would give it, includes and substitutions carried out. Integers past 2^53 are texts of digits.
 * @throws UsageError which shows nothing of the file but names and places
 */
export async function readHoconFile(file: string): Promise<unknown> {
  exactParser ??= loadExactParser();
  const parse = await exactParser;
  try {
    const url = pathToFileURL(file).href;
    const parsed = await parse({ url, strict: true, required: true, builder: "config", scope: properties });
    if (typeof parsed !== "object" || parsed === null) return parsed;
    const { user: _, ...settings } = parsed as Record<string, unknown>;
    return settings;
  } catch (error) {
    throw new UsageError(`--network ${file}: ${reasonOf(error)}.`);
  }
}

let exactParser: Promise<HoconParser> | undefined;

/** The parser makes a double of every number; this one leaves alone what a double cannot hold. */
async function loadExactParser(): Promise<HoconParser> {
  const { default: parser } = await import("@pushcorn/hocon-parser");
  parser.Context.parseData = parseExactly(parser.Context.parseData);
  return parser;
}

function parseExactly(parseData: ParseData): ParseData {
  return (text, isStrict) => {
    const value = parseData(text, isStrict);
    const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded ? String(text).trim() : value;
  };
}

/** The parser's messages quote the text around an error, which may be a seed. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const missing = /^Unable to resolve '([^']*)'/.exec(message)?.[1];
  if (missing !== undefined) return `\${${missing}} is set neither in the file nor in the environment`;
  const included = /^Unable to include the resource "([^"]*)"/.exec(message)?.[1];
  if (included !== undefined) return `the file that it includes is not there: ${included}`;
  const [, line, column] = /line: (\d+), col: (\d+)/.exec(message) ?? [];
  return line === undefined ? "this is not HOCON" : `this is not HOCON from line ${line}, column ${column} on`;
}
