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
    "Made of the tables that settings are read by (`test/scripts/configuration-text.ts`); a test holds it, and writes it anew with\n`npx vitest run test/scripts/configuration.test.ts -u`.",
    `${precedence}\nA setting that is wrong ends the start with a sentence that names it, what was found and what was expected.`,
    "## Flags of `npm start`",
    "After two dashes: `npm start -- --network testnet`. The command of the package has the same: `npx waves-edge-node --network testnet`.",
    table(
      ["Flag", "Meaning", "Default"],
      shownFlags().map(({ usage, about, byDefault }) => [
        code(usage),
        about,
        byDefault === undefined ? "" : code(byDefault),
      ]),
    ),
    "## Variables and secrets",
    "Of a deployment: variables stand in `wrangler.toml`, secrets are set by `npx wrangler secret put NAME --env NETWORK`. Of\n`npm start`: all but `NETWORK` in the environment, and the secrets also in the file of `--secrets` (a line `NAME=VALUE` each); the\nnetwork is chosen by `--network`.",
    table(["Name", "Kind", "Meaning"], [...rowsOf(variables, "variable"), ...rowsOf(secrets, "secret")]),
    "## Settings files",
    "`--network FILE` takes the reference's own files, in HOCON (`.conf`), or the same as JSON (any other name); and the Go node's\nform of a network, in JSON, whose names are its own. Keys that stand in no table are passed over: a file of a reference node is\nread as it is. [examples/network.conf](examples/network.conf) is a network to begin with. A deployment has the file as JSON in\n`NETWORK`.",
    ...groupsOf(settings).flatMap(([group, list]) => [
      `### ${code(group)}`,
      table(
        ["Setting", "Wants", "Default", "Meaning"],
        list.map(({ path, expected, byDefault, about }) => [code(path.at(-1) ?? ""), expected, byDefault, about]),
      ),
    ]),
  ].join("\n\n")}\n`;
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
