/** `docs/configuration.md`, generated from the tables that read the settings. */
import * as z from "zod";
import { startHelp } from "../../../local/cli/start-help.ts";
import { readRestSettings, fileForm as restForm, restSettingsGroup } from "../../../src/http/rest-settings.ts";
import { maximumHeight } from "../../../src/network/defaults.ts";
import { referenceForm, secretsForm } from "../../../src/network/reference-form.ts";
import { durationMs } from "../../../src/network/setting-fields.ts";

/** Setting of a settings file. */
interface Setting {
  /** Keys from the root. */
  readonly path: readonly string[];
  readonly expected: string;
  /** HOCON; undefined: no default. */
  readonly byDefault: string | undefined;
  readonly about: string | undefined;
}

export function configurationText(): string {
  return `# Configuration

Generated: \`npx vitest run test/scenarios/project/configuration.test.ts -u\`.

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

/** All settings with their defaults, as HOCON. */
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

/** Ranges of nearly all integers, up to 32 or 64 bits; left out of the text. */
const unsaidRanges = / to (2147483647|9223372036854775807)$/;

/** A variable can replace a missing setting, so the form itself has no defaults. */
function restDefault([, , ...path]: readonly string[]): string | undefined {
  const group: unknown = restSettingsGroup(readRestSettings({ NETWORK: "private" }));
  return hoconOf(
    path.reduce((part, key) => (part as Record<string, unknown>)[key], group),
    false,
  );
}

/** All settings that a form reads, without the members of its lists. */
function settingsOf(schema: z.core.$ZodType, path: readonly string[]): Setting[] {
  const metadata = schemaInfoOf(schema);
  const { inner } = metadata;
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([key, part]) => settingsOf(part, [...path, key]));
  }
  if (inner instanceof z.ZodUnion) {
    const parts = inner.options.flatMap((option) => settingsOf(option, path));
    const type = {
      path: [...path, "type"],
      expected: metadata.expected ?? "",
      byDefault: undefined,
      about: metadata.about,
    };
    return [type, ...parts.filter((part) => part.path.at(-1) !== "type")];
  }
  const { expected, about, byDefault } = metadata;
  return [{ path, expected: expected ?? "", byDefault, about }];
}

interface SchemaInfo {
  readonly inner: z.core.$ZodType;
  readonly expected: string | undefined;
  readonly about: string | undefined;
  readonly byDefault: string | undefined;
}

/** Metadata from the layers around a schema. */
function schemaInfoOf(schema: z.core.$ZodType): SchemaInfo {
  const meta = z.globalRegistry.get(schema);
  const own = { expected: meta?.["expected"] as string | undefined, about: meta?.description };
  const within = layerWithin(schema);
  if (within === undefined) return { inner: schema, ...own, byDefault: undefined };
  const metadata = schemaInfoOf(within);
  const isDuration = metadata.expected === z.globalRegistry.get(durationMs)?.["expected"];
  return {
    inner: metadata.inner,
    expected: own.expected ?? metadata.expected,
    about: own.about ?? metadata.about,
    byDefault: schema instanceof z.ZodDefault ? hoconOf(schema.def.defaultValue, isDuration) : metadata.byDefault,
  };
}

function layerWithin(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return schema.def.innerType;
  }
  if (!(schema instanceof z.ZodPipe)) return undefined;
  // A transform before the parsing has no metadata; one after it makes the value that the code uses.
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

/** Settings grouped by all keys except the last, in the order of the forms. */
function groupsOf(settings: readonly Setting[]): [string, Setting[]][] {
  const known = new Map<string, Setting>();
  for (const setting of settings) {
    const name = setting.path.join(".");
    if (!known.has(name)) known.set(name, setting);
  }
  return [...Map.groupBy(known.values(), ({ path }) => path.slice(0, -1).join("."))];
}
