/**
 * Settings files in HOCON, the format of the reference's own: comments, includes, substitutions by the file and by the
 * environment. A settings file is data: whoever starts a node with one of somebody else runs nothing of theirs.
 * @source https://github.com/lightbend/config/blob/main/HOCON.md
 */
import os from "node:os";
import { pathToFileURL } from "node:url";
import type { HoconParser, ParseComponentConfig, ParseData } from "@pushcorn/hocon-parser";
import { UsageError } from "../cli/usage-error.ts";

/** The Java system properties that the reference's files name. */
const properties = { user: { dir: process.cwd(), home: os.homedir(), name: os.userInfo().username } };

/**
 * The file as JSON would give it, includes and substitutions carried out. Integers past 2^53 are texts of digits.
 * @throws UsageError which shows nothing of the file but names and places
 */
export async function readHoconFile(file: string): Promise<unknown> {
  dataParser ??= loadDataParser();
  const parse = await dataParser;
  const restore = rememberShared();
  const parsed = await parseFile(file, parse).catch((error: unknown) => error as Error);
  if (restore()) throw new UsageError(`--network ${file}: ${sharedChanged}.`);
  if (parsed instanceof Error) throw new UsageError(`--network ${file}: ${reasonOf(parsed)}.`);
  if (typeof parsed !== "object" || parsed === null) return parsed;
  const { user: _, ...settings } = parsed as Record<string, unknown>;
  return settings;
}

function parseFile(file: string, parse: HoconParser): Promise<unknown> {
  return parse({
    url: pathToFileURL(file).href,
    strict: true,
    required: true,
    builder: "config",
    scope: properties,
  });
}

let dataParser: Promise<HoconParser> | undefined;

/**
 * The parser makes a double of every number; this one leaves alone what a double cannot hold. It runs what it includes under a
 * name that ends with `.js`, and computes: this one reads settings.
 */
async function loadDataParser(): Promise<HoconParser> {
  const { default: parser } = await import("@pushcorn/hocon-parser");
  const { Context } = parser;
  Context.parseData = parseExactly(Context.parseData);
  Context.parseComponentConfig = readingSettings(Context.parseComponentConfig);
  return parser;
}

const settingsAlone = "it includes something that is no settings file (.conf, .json)";

/** Which components of the parser may do something, by their kind. */
const components: Readonly<Record<string, readonly unknown[]>> = {
  builders: ["config"],
  sources: ["file", "http", "https"],
};

function readingSettings(parseComponentConfig: ParseComponentConfig): ParseComponentConfig {
  return (kind, config, context) => {
    if (!components[kind]?.includes(config)) throw new Error(settingsAlone);
    return parseComponentConfig(kind, config, context);
  };
}

const sharedChanged = "it names something of the runtime's own (__proto__, constructor)";

/**
 * The parser follows names of settings to what all objects of this process have in common.
 * @returns to be called when it has ended: makes that as it was, and tells whether it was anything else
 */
function rememberShared(): () => boolean {
  const shared: readonly object[] = [Object.prototype, Object, Array.prototype, Array, Function.prototype, Function];
  const before = shared.map((each) => ({ each, known: new Map(propertiesOf(each)) }));
  return () => {
    let isChanged = false;
    // What was added to all objects would be a part of every description: it goes first.
    for (const { each, known } of before) {
      for (const [name] of propertiesOf(each)) if (!known.has(name)) isChanged = Reflect.deleteProperty(each, name);
    }
    for (const { each, known } of before) {
      for (const [name, was] of known) {
        const now = Object.getOwnPropertyDescriptor(each, name);
        if (was.value === now?.value && was.get === now?.get && was.set === now?.set) continue;
        isChanged = Reflect.defineProperty(each, name, was);
      }
    }
    return isChanged;
  };
}

function propertiesOf(object: object): readonly (readonly [PropertyKey, PropertyDescriptor])[] {
  return Reflect.ownKeys(object).map((name) => [
    name,
    Object.getOwnPropertyDescriptor(object, name) as PropertyDescriptor,
  ]);
}

function parseExactly(parseData: ParseData): ParseData {
  return (text, isStrict) => {
    const value = parseData(text, isStrict);
    const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded ? String(text).trim() : value;
  };
}

/** The parser's messages quote the text around an error, which may be a seed. */
function reasonOf({ message }: Error): string {
  if (message.includes(settingsAlone)) return settingsAlone;
  const missing = /^Unable to resolve '([^']*)'/.exec(message)?.[1];
  if (missing !== undefined) return `\${${missing}} is set neither in the file nor in the environment`;
  const included = /^Unable to include the resource "([^"]*)"/.exec(message)?.[1];
  if (included !== undefined) return `the file that it includes is not there: ${included}`;
  const [, line, column] = /line: (\d+), col: (\d+)/.exec(message) ?? [];
  return line === undefined ? "this is not HOCON" : `this is not HOCON from line ${line}, column ${column} on`;
}
