/** `docs/configuration.md`, made of the tables that the settings are read by. */
import * as z from "zod";
import { startHelp } from "../../scripts/cli/start-help.ts";
import { readRestSettings, fileForm as restForm, restSettingsGroup } from "../../src/http/rest-settings.ts";
import { maximumHeight } from "../../src/network/defaults.ts";
import { referenceForm, secretsForm } from "../../src/network/reference-form.ts";
import { durationMs } from "../../src/network/setting-fields.ts";

/** A setting of a file. */
interface Setting {
  /** Keys from the top. */
  readonly path: readonly string[];
  readonly expected: string;
  /** HOCON; undefined: none. */
  readonly byDefault: string | undefined;
  readonly about: string | undefined;
}

export function configurationText(): string {
  return `# Configuration

Generated: \`npx vitest run test/scripts/configuration.test.ts -u\`.

\`\`\`
${startHelp().trimEnd()}
\`\`\`

With the package \`npx waves-edge-node FLAGS\`. On Cloudflare these are variables in \`wrangler.toml\` (and \`NETWORK\`: the name
of a network, or a settings file as JSON text) and secrets by \`npx wrangler secret put NAME --env NETWORK\`.

## Settings files

\`--network FILE\` takes the reference's HOCON (\`.conf\`) or the same as JSON, or the Go node's JSON form of a network.
Start with [examples/network.conf](examples/network.conf). Names and meanings are the reference's; other keys are ignored.
Durations without a unit are in milliseconds, integers are not negative. A wrong setting ends the start with its name, the
value found and the value expected.

\`\`\`hocon
${settingsText()}
\`\`\`
`;
}

/** Every setting with its default, as HOCON. */
export function settingsText(): string {
  const settings = [
    ...settingsOf(referenceForm, []),
    ...settingsOf(restForm, []).map((setting) => ({ ...setting, byDefault: restDefault(setting.path) })),
    ...settingsOf(secretsForm, []),
  ];
  const groups = groupsOf(settings).map(([group, list]) => `${group} {\n${list.map(settingLine).join("\n")}\n}`);
  return groups.join("\n\n");
}

function settingLine({ path, expected, byDefault, about }: Setting): string {
  const name = path.at(-1) ?? "";
  const range = /^an integer from (\d+ to \d+)$/.exec(expected)?.[1];
  const remarks = [
    range === undefined || unsaidRanges.test(range) ? undefined : range,
    byDefault === String(maximumHeight) ? "never" : undefined,
    about,
  ].filter((remark) => remark !== undefined);
  if (byDefault !== undefined) return `  ${[`${name} = ${byDefault}`, ...comment(remarks)].join(" ")}`;
  const value = range === undefined ? expected : "integer";
  return `  # ${name}: ${[value, ...remarks].join("; ")}`;
}

function comment(remarks: readonly string[]): string[] {
  return remarks.length === 0 ? [] : [`# ${remarks.join("; ")}`];
}

/** Ranges of nearly all integers: up to 32 or 64 bits. */
const unsaidRanges = / to (2147483647|9223372036854775807)$/;

/** Where a file is silent the variable may speak, so the form itself has no defaults. */
function restDefault([, , ...path]: readonly string[]): string | undefined {
  const group: unknown = restSettingsGroup(readRestSettings({ NETWORK: "private" }));
  return hoconOf(
    path.reduce((part, key) => (part as Record<string, unknown>)[key], group),
    false,
  );
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
    const type = { path: [...path, "type"], expected: facts.expected ?? "", byDefault: undefined, about: facts.about };
    return [type, ...parts.filter((part) => part.path.at(-1) !== "type")];
  }
  const { expected, about, byDefault } = facts;
  return [{ path, expected: expected ?? "", byDefault, about }];
}

interface SchemaFacts {
  readonly inner: z.core.$ZodType;
  readonly expected: string | undefined;
  readonly about: string | undefined;
  readonly byDefault: string | undefined;
}

/** What the layers around a schema say of it. */
function factsOf(schema: z.core.$ZodType): SchemaFacts {
  const meta = z.globalRegistry.get(schema);
  const own = { expected: meta?.["expected"] as string | undefined, about: meta?.description };
  const within = layerWithin(schema);
  if (within === undefined) return { inner: schema, ...own, byDefault: undefined };
  const facts = factsOf(within);
  const isDuration = facts.expected === z.globalRegistry.get(durationMs)?.["expected"];
  return {
    inner: facts.inner,
    expected: own.expected ?? facts.expected,
    about: own.about ?? facts.about,
    byDefault: schema instanceof z.ZodDefault ? hoconOf(schema.def.defaultValue, isDuration) : facts.byDefault,
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

function hoconOf(value: unknown, isDuration: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (isDuration) return durationText(Number(value));
  if (value instanceof Map) return "{}";
  if (value instanceof Set || Array.isArray(value))
    return `[${[...value].map((item) => JSON.stringify(item)).join(", ")}]`;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
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
