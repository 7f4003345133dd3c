/**
 * Settings files in HOCON, the format of the reference's settings: comments, includes, substitutions by the file and by
 * the environment. A settings file is data: starting a node with another person's file runs no code of that person.
 * @source https://github.com/lightbend/config/blob/main/HOCON.md
 */
import os from "node:os";
import { pathToFileURL } from "node:url";
import type { HoconParser, ParseComponentConfig, ParseData } from "@pushcorn/hocon-parser";
import { UsageError } from "../cli/usage-error.ts";

/** Java system properties that the reference's settings files name. */
const properties = { user: { dir: process.cwd(), home: os.homedir(), name: os.userInfo().username } };

/**
 * Reads a file as a JSON value, with includes and substitutions carried out. Integers past 2^53 are strings of digits.
 * @throws UsageError that shows only names and positions of the file
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
 * Loads the parser with two changes. By itself it makes a double of every number; here integers that a double cannot
 * hold stay text. By itself it runs included files whose names end with `.js`, and computes; here it only reads
 * settings.
 */
async function loadDataParser(): Promise<HoconParser> {
  const { default: parser } = await import("@pushcorn/hocon-parser");
  const { Context } = parser;
  Context.parseData = parseExactly(Context.parseData);
  Context.parseComponentConfig = readingSettings(Context.parseComponentConfig);
  return parser;
}

const settingsAlone = "it includes something that is no settings file (.conf, .json)";

/** Allowed components of the parser, by kind. */
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
 * Records the objects that all others of this process share, because the parser follows names of settings into them.
 * @returns function to call after parsing: restores those objects, and returns whether they had changed
 */
function rememberShared(): () => boolean {
  const shared: readonly object[] = [Object.prototype, Object, Array.prototype, Array, Function.prototype, Function];
  const before = shared.map((each) => ({ each, known: new Map(propertiesOf(each)) }));
  return () => {
    let isChanged = false;
    // Added properties are removed first: they would be part of every property descriptor.
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
