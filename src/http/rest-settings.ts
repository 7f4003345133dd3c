/**
 * Settings of the REST interface, in order of precedence: variable `REST_API` (JSON, for named networks and
 * deployments), group `waves.rest-api` of a `network.json`, defaults of the reference.
 * @source docs/protocol/rest-api.md 1.1
 */
import type * as z from "zod";
import { isNetworkName } from "../network/named-networks.ts";
import { parseForm, parseSettingsJson } from "../network/parse-network.ts";
import { field, flag, integer, list, section } from "../network/setting-fields.ts";
import { NetworkSettingsError } from "../network/settings-error.ts";

const count = integer(1, 0x7fff_ffff);

/** Keyword for the origin of each request. */
export const originFromRequest = "origin-from-request";

/** An invalid origin could not be sent, or browsers would reject it. */
const origin = field(`"${originFromRequest}", "*", or an origin such as "https://dapp.example"`, (value) => {
  if (typeof value !== "string") return undefined;
  return isOrigin(value) || value === "*" || value === originFromRequest ? value : undefined;
});

/** Whether the text is an origin; `null`, which browsers send for documents without one, is not. */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[!-~]*$/i.test(text) && !/[/?#@]/.test(text.replace("://", ""));
}

/** Names of headers and methods. @source RFC 9110, 5.6.2 */
const tokens = (expected: string) =>
  list(
    `a list: ${expected}`,
    field(expected, (value) => (typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : undefined)),
  );

const corsShape = {
  "access-control-allow-origin": origin
    .optional()
    .describe("echoes the request's; also `*`, or an origin such as https://dapp.example"),
  "access-control-allow-credentials": flag.optional(),
  "access-control-allow-headers": tokens("names of headers").optional(),
  "access-control-allow-methods": tokens("names of methods").optional(),
};

const restShape = {
  "transactions-by-address-limit": count
    .optional()
    .describe("ids about transactions or leases, addresses about balances, transactions of a page"),
  "transaction-snapshots-limit": count.optional(),
  "asset-details-limit": count.optional(),
  "distribution-address-limit": count.optional().describe("holders of a page of an asset's distribution"),
  "data-keys-request-limit": count.optional(),
  "blocks-request-limit": count.optional().describe("width of a range"),
  "evaluate-script-complexity-limit": count.optional(),
  "cors-headers": section(corsShape).prefault({}),
};

const rest = section(restShape);
/** Part of a settings file that is read here. */
export const fileForm = section({ waves: section({ "rest-api": rest.prefault({}) }).prefault({}) });
const variableForm = section({ REST_API: rest });
type RestGroup = z.output<typeof rest>;

const defaults = {
  "transactions-by-address-limit": 1000,
  "transaction-snapshots-limit": 100,
  "asset-details-limit": 100,
  "distribution-address-limit": 1000,
  "data-keys-request-limit": 1000,
  "blocks-request-limit": 100,
  "evaluate-script-complexity-limit": 52_000,
} as const;
const corsDefaults = {
  "access-control-allow-origin": originFromRequest,
  "access-control-allow-credentials": true,
  "access-control-allow-headers": ["Authorization", "Content-Type", "X-Requested-With", "Timestamp", "Signature"],
  "access-control-allow-methods": ["OPTIONS", "POST", "PUT", "GET", "DELETE"],
};

export interface CorsSettings {
  /** An origin, `*`, or `origin-from-request`. */
  readonly allowOrigin: string;
  readonly allowCredentials: boolean;
  readonly allowHeaders: readonly string[];
  readonly allowMethods: readonly string[];
}

export interface RestSettings {
  /**
   * Maximum of transaction or lease ids in a request, of addresses in one for balances, and of transactions in a page.
   */
  readonly transactionsLimit: number;
  /** Maximum of ids in a request for state snapshots. */
  readonly snapshotsLimit: number;
  /** Maximum of asset ids in a request. */
  readonly assetsLimit: number;
  /** Maximum of holders in a page of an asset's distribution. */
  readonly holdersLimit: number;
  /** Maximum of keys in a request for data entries. */
  readonly dataKeysLimit: number;
  /** Maximum width of a range of blocks. */
  readonly blocksLimit: number;
  /** Maximum complexity of an evaluated expression or call. */
  readonly evaluationComplexity: number;
  readonly cors: CorsSettings;
}

/** Sources of the settings. */
export interface RestBindings {
  /** Name of a network, or the text of a `network.json`. */
  readonly NETWORK: string;
  /** JSON text; a deployment's variable may be JSON itself. */
  readonly REST_API?: unknown;
}

/** @throws NetworkSettingsError with the path of the setting */
export function readRestSettings({ NETWORK, REST_API }: RestBindings): RestSettings {
  const ofFile = isNetworkName(NETWORK) ? undefined : parseForm(fileForm, parseSettingsJson(NETWORK)).waves["rest-api"];
  const ofVariable = isGiven(REST_API) ? readVariable(REST_API) : undefined;
  const values = { ...defaults, ...given(ofFile), ...given(ofVariable) };
  const cors = { ...corsDefaults, ...given(ofFile?.["cors-headers"]), ...given(ofVariable?.["cors-headers"]) };
  return {
    transactionsLimit: values["transactions-by-address-limit"],
    snapshotsLimit: values["transaction-snapshots-limit"],
    assetsLimit: values["asset-details-limit"],
    holdersLimit: values["distribution-address-limit"],
    dataKeysLimit: values["data-keys-request-limit"],
    blocksLimit: values["blocks-request-limit"],
    evaluationComplexity: values["evaluate-script-complexity-limit"],
    cors: {
      allowOrigin: cors["access-control-allow-origin"],
      allowCredentials: cors["access-control-allow-credentials"],
      allowHeaders: cors["access-control-allow-headers"],
      allowMethods: cors["access-control-allow-methods"],
    },
  };
}

/** Settings by their configuration names. */
export function restSettingsGroup({ cors, ...limits }: RestSettings) {
  return {
    "transactions-by-address-limit": limits.transactionsLimit,
    "transaction-snapshots-limit": limits.snapshotsLimit,
    "asset-details-limit": limits.assetsLimit,
    "distribution-address-limit": limits.holdersLimit,
    "data-keys-request-limit": limits.dataKeysLimit,
    "blocks-request-limit": limits.blocksLimit,
    "evaluate-script-complexity-limit": limits.evaluationComplexity,
    "cors-headers": {
      "access-control-allow-origin": cors.allowOrigin,
      "access-control-allow-credentials": cors.allowCredentials,
      "access-control-allow-headers": cors.allowHeaders,
      "access-control-allow-methods": cors.allowMethods,
    },
  };
}

function isGiven(variable: unknown): boolean {
  return variable !== undefined && variable !== "";
}

/** Parses the variable. Unknown names in it are errors, unlike in a file, which has other settings, too. */
function readVariable(variable: unknown): RestGroup {
  const json = typeof variable === "string" ? parseVariable(variable) : variable;
  const group = parseForm(variableForm, { REST_API: json }).REST_API;
  assertKnown("REST_API", json, restShape);
  assertKnown("REST_API.cors-headers", (json as Record<string, unknown>)["cors-headers"], corsShape);
  return group;
}

function parseVariable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const expected = 'a JSON object such as {"cors-headers":{"access-control-allow-origin":"https://dapp.example"}}';
    throw new NetworkSettingsError({ path: "REST_API", got: "not JSON", expected });
  }
}

function assertKnown(path: string, group: unknown, shape: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(group ?? {}).find((name) => !Object.hasOwn(shape, name));
  if (unknown === undefined) return;
  throw new NetworkSettingsError({
    path: `${path}.${unknown}`,
    got: "not known",
    expected: `one of ${Object.keys(shape).join(", ")}`,
  });
}

type Given<Group> = { [Name in keyof Group]: Exclude<Group[Name], undefined> };

/** Drops unset members. */
function given<Group extends object>(group: Group | undefined): Partial<Given<Group>> {
  const entries = Object.entries(group ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Given<Group>>;
}
