/** `docs/configuration.md`, made of the tables that the settings are read by. */
import * as z from "zod";
import { precedence, shownFlags } from "../../scripts/cli/start-help.ts";
import { secrets, variables } from "../../src/env.ts";
import { readRestSettings, fileForm as restForm, restSettingsGroup } from "../../src/http/rest-settings.ts";
import { maximumHeight } from "../../src/network/defaults.ts";
import { referenceForm, secretsForm } from "../../src/network/reference-form.ts";
import { durationMs } from "../../src/network/setting-fields.ts";

/** A setting of a file. */
interface Setting {
  /** Keys from the top. */
  readonly path: readonly string[];
  readonly expected: string;
  readonly byDefault: string;
  readonly about: string;
}

export function configurationText(): string {
  const settings = [
    ...settingsOf(referenceForm, []),
    ...settingsOf(restForm, []).map((setting) => ({ ...setting, byDefault: restDefault(setting.path) })),
    ...settingsOf(secretsForm, []),
  ];
  return `${[
    "# Configuration",
    `${precedence}\nA wrong setting ends the start with its name, the value found and the value expected.`,
    "Generated from the tables that settings are read by: `npx vitest run test/scripts/configuration.test.ts -u`.",
    "## Flags",
    "`npm start -- --network testnet`, or `npx waves-edge-node --network testnet`.",
    table(
      ["Flag", "Meaning"],
      shownFlags().map(({ usage, about, byDefault }) => [
        code(usage),
        byDefault === undefined ? about : `${about} (default ${code(byDefault)})`,
      ]),
    ),
    "## Variables and secrets",
    "On Cloudflare: variables in `wrangler.toml`, secrets by `npx wrangler secret put NAME --env NETWORK`. For `npm start`: the\nenvironment, or for secrets the `--secrets` file (lines `NAME=VALUE`); the network by `--network`.",
    table(["Name", "Kind", "Meaning"], [...rowsOf(variables, "variable"), ...rowsOf(secrets, "secret")]),
    "## Settings files",
    "`--network FILE` takes the reference's HOCON (`.conf`) or the same as JSON, or the Go node's JSON form of a network. Other keys\nare ignored. Start with [examples/network.conf](examples/network.conf). A deployment has the file as JSON in `NETWORK`.",
    "A *duration* is such as `1500ms`, `10s` or `2 minutes`, or a number of milliseconds. *Integers* have 32 bits, where *wide* 64,\nand are not below 0 unless a range is given.",
    ...groupsOf(settings).flatMap(([group, list]) => [
      `### ${code(group)}`,
      table(
        ["Setting", "Value, default", "Meaning"],
        list.map(({ path, expected, byDefault, about }) => [
          code(path.at(-1) ?? ""),
          [shortForm(expected), byDefault].filter((part) => part !== "").join(", "),
          about,
        ]),
      ),
    ]),
  ].join("\n\n")}\n`;
}

/** Names for the long texts of expected values, which the document explains once. */
function shortForm(expected: string): string {
  if (expected === z.globalRegistry.get(durationMs)?.["expected"]) return "duration";
  const short = { "0 to 2147483647": "integer", "0 to 9223372036854775807": "wide integer" };
  const range = /^an integer from (.*)$/.exec(expected)?.[1];
  return range === undefined ? expected : (short[range as keyof typeof short] ?? `integer, ${atLeast(range)}`);
}

function atLeast(range: string): string {
  return range.endsWith(" to 2147483647") ? `${range.replace(" to 2147483647", "")} or more` : range;
}

/** Where a file is silent the variable may speak, so the form itself has no defaults. */
function restDefault([, , ...path]: readonly string[]): string {
  const group: unknown = restSettingsGroup(readRestSettings({ NETWORK: "private" }));
  return shownDefault(
    path.reduce((part, key) => (part as Record<string, unknown>)[key], group),
    false,
  );
}

function rowsOf(names: Readonly<Record<string, string>>, kind: string): string[][] {
  return Object.entries(names).map(([name, about]) => [code(name), kind, about]);
}

/** Every setting that a form reads, save what its lists are made of. */
function settingsOf(schema: z.core.$ZodType, path: readonly string[]): Setting[] {
  const facts = factsOf(schema);
  const { inner } = facts;
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([key, part]) => settingsOf(part, [...path, key]));
  }
  if (inner instanceof z.ZodUnion) {
    const parts = inner.options.flatMap((option) => settingsOf(option, path));
    const type = { path: [...path, "type"], expected: facts.expected ?? "", byDefault: "", about: facts.about ?? "" };
    return [type, ...parts.filter((part) => part.path.at(-1) !== "type")];
  }
  const { expected, about, byDefault } = facts;
  if (about === undefined) return [];
  return [{ path, expected: expected ?? "", byDefault, about }];
}

interface SchemaFacts {
  readonly inner: z.core.$ZodType;
  readonly expected: string | undefined;
  readonly about: string | undefined;
  readonly byDefault: string;
}

/** What the layers around a schema say of it. */
function factsOf(schema: z.core.$ZodType): SchemaFacts {
  const meta = z.globalRegistry.get(schema);
  const own = { expected: meta?.["expected"] as string | undefined, about: meta?.description };
  const within = layerWithin(schema);
  if (within === undefined) return { inner: schema, ...own, byDefault: "" };
  const facts = factsOf(within);
  const isDuration = facts.expected === z.globalRegistry.get(durationMs)?.["expected"];
  return {
    inner: facts.inner,
    expected: own.expected ?? facts.expected,
    about: own.about ?? facts.about,
    byDefault: schema instanceof z.ZodDefault ? shownDefault(schema.def.defaultValue, isDuration) : facts.byDefault,
  };
}

function layerWithin(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return schema.def.innerType;
  }
  if (!(schema instanceof z.ZodPipe)) return undefined;
  // What goes before the reading has no facts; what follows it makes the value of the code.
  return schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in;
}

function shownDefault(value: unknown, isDuration: boolean): string {
  if (value === maximumHeight) return "never";
  if (isDuration) return code(durationText(Number(value)));
  if (value instanceof Map || value instanceof Set) return value.size === 0 ? "none" : code([...value].join(", "));
  if (Array.isArray(value)) return value.length === 0 ? "none" : code(value.join(", "));
  return value === "" ? "none" : code(String(value));
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

function durationText(ms: number): string {
  const [unit, size] = units.find(([, size]) => ms > 0 && ms % size === 0) ?? ["ms", 1];
  return `${ms / size}${unit}`;
}

/** By all but the last key, in the order in which the forms have them. */
function groupsOf(settings: readonly Setting[]): [string, Setting[]][] {
  const known = new Map<string, Setting>();
  for (const setting of settings) {
    const name = setting.path.join(".");
    if (!known.has(name)) known.set(name, setting);
  }
  return [...Map.groupBy(known.values(), ({ path }) => path.slice(0, -1).join("."))];
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
