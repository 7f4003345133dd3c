/** Settings files: text to settings, with a one-sentence error for the first invalid value. */
import type { z } from "zod";
import { implementedFeatures } from "./features.ts";
import { gowavesForm } from "./gowaves-form.ts";
import { referenceForm, secretsForm } from "./reference-form.ts";
import type { BlockchainSettings, NetworkSettings } from "./settings.ts";
import { NetworkSettingsError, settingText } from "./settings-error.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** JSON without its nulls, which mean in both forms that a key is not set. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)]));
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  let value = json;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/**
 * Parses JSON by a form; a null means that a key is not set.
 * @throws NetworkSettingsError the first error
 */
export function parseForm<Output>(form: z.ZodType<Output>, json: unknown): Output {
  return parse(form, withoutNulls(json));
}

/** Paths of secrets, and of groups that contain one: a value in place of a group may be the secret itself. */
const secretPaths: ReadonlySet<string> = new Set([
  "",
  "waves",
  "waves.wallet",
  "waves.wallet.seed",
  "waves.rest-api",
  "waves.rest-api.api-key-hash",
]);

/** Prints the value at a path for a message; only its type if it may be a secret. */
function printedAt(path: string, value: unknown): string {
  if (value === undefined || value === null || !secretPaths.has(path)) return settingText(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value === "string" ? "text" : typeof value}`;
}

/** The parsed file. @throws NetworkSettingsError the first error */
function parse<Output>(form: z.ZodType<Output>, json: unknown, show = printedAt): Output {
  const result = form.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join(".") ?? "";
  throw new NetworkSettingsError({
    path,
    got: show(path, valueAt(json, issue?.path ?? [])),
    expected: issue?.message ?? "settings of a network",
  });
}

/** A rule about several settings: path without the form's prefix, actual value, expected value. */
interface Rule {
  readonly isMet: boolean;
  readonly path: string;
  readonly got: string;
  readonly expected: string;
}

/** Rules that the reference enforces for a custom network at its start. */
function* rulesOfNetwork({
  schemeCharacter,
  chainId,
  functionality,
  rewards,
  genesis,
}: BlockchainSettings): Iterable<Rule> {
  const { featureCheckBlocksPeriod, blocksForFeatureActivation, minBlockTimeMs } = functionality;
  const rule = (path: string, holds: boolean, got: unknown, expected: string): Rule => ({
    isMet: holds,
    path,
    got: String(got),
    expected,
  });

  yield rule(
    "functionality.blocks-for-feature-activation",
    blocksForFeatureActivation <= featureCheckBlocksPeriod,
    blocksForFeatureActivation,
    `at most the feature-check-blocks-period, ${featureCheckBlocksPeriod}`,
  );
  yield rule(
    "functionality.min-block-time",
    minBlockTimeMs <= genesis.averageBlockDelayMs,
    minBlockTimeMs,
    `at most the average-block-delay, ${genesis.averageBlockDelayMs} ms`,
  );
  const missing = [...functionality.preActivatedFeatures].find(
    ([feature, height]) => height <= 1 && !implementedFeatures.has(feature),
  );
  yield rule(
    "functionality.pre-activated-features",
    missing === undefined,
    missing?.[0],
    "features that this release has, as far as they are active from the first block on",
  );
  yield rule("rewards.min-increment", rewards.minIncrement > 0n, rewards.minIncrement, "more than 0");
  const shortestTerm = Math.min(rewards.term, rewards.termAfterCappedRewardFeature);
  yield rule(
    "rewards.voting-interval",
    rewards.votingInterval <= shortestTerm,
    rewards.votingInterval,
    `at most the shortest term, ${shortestTerm}`,
  );
  yield rule("genesis.initial-base-target", genesis.initialBaseTarget > 0n, genesis.initialBaseTarget, "more than 0");
  const granted = genesis.transactions.reduce((sum, { amount }) => sum + amount, 0n);
  yield rule(
    "genesis.initial-balance",
    genesis.initialBalance === granted && granted > 0n,
    genesis.initialBalance,
    granted === 0n ? "transactions that grant more than 0" : `the sum of the genesis transactions, ${granted}`,
  );

  const addresses = [
    { path: "functionality.dao-address", address: functionality.daoAddress },
    { path: "functionality.xtn-buyback-address", address: functionality.xtnBuybackAddress },
    ...genesis.transactions.map(({ recipient }, index) => ({
      path: `genesis.transactions.${index}.recipient`,
      address: recipient,
    })),
  ];
  for (const { path, address } of addresses) {
    const found = address?.[1] ?? chainId;
    yield rule(
      path,
      found === chainId,
      `an address of network ${String.fromCharCode(found)}`,
      `one of network ${schemeCharacter}`,
    );
  }
}

/**
 * Settings of a network and of this node from the JSON of a settings file: the reference's configuration (keys under
 * `waves`) or the Go node's (keys at the top).
 * @param json result of `JSON.parse`, or better of {@link parseSettingsJson}, which keeps integers past 2^53 exact
 * @param name of the network
 * @throws NetworkSettingsError for the first invalid value
 */
export function parseNetwork(json: unknown, name: string): NetworkSettings {
  const file = withoutNulls(json);
  if (!isObject(file)) throw new NetworkSettingsError({ path: "", got: printedAt("", file), expected: "an object" });
  const isReference = Object.hasOwn(file, "waves");
  if (!isReference && !Object.hasOwn(file, "features_voting_period")) {
    throw new NetworkSettingsError({ path: "waves", got: "missing", expected: "an object with blockchain and more" });
  }
  const { blockchain, node } = isReference ? parse(referenceForm, file) : parse(gowavesForm, file);
  for (const { isMet, path, got, expected } of rulesOfNetwork(blockchain)) {
    if (isMet) continue;
    throw new NetworkSettingsError({ path: isReference ? `waves.blockchain.custom.${path}` : path, got, expected });
  }
  return { name, blockchain, node };
}

/** Secrets of a settings file, which must never be printed. */
export interface NetworkSecrets {
  readonly walletSeed?: Uint8Array;
  /** Base58 of the secure hash of the API key. */
  readonly apiKeyHash?: string;
}

/**
 * Wallet seed and API key hash of a settings file in the reference's form; files in the other form have none.
 * @throws NetworkSettingsError which never contains the value
 */
export function parseSecrets(json: unknown): NetworkSecrets {
  const file = withoutNulls(json);
  if (!isObject(file) || !Object.hasOwn(file, "waves")) return {};
  const { waves } = parse(secretsForm, file, () => "(hidden)");
  const walletSeed = waves.wallet.seed;
  const apiKeyHash = waves["rest-api"]["api-key-hash"];
  return {
    ...(walletSeed !== undefined && { walletSeed }),
    ...(apiKeyHash !== undefined && apiKeyHash !== "" && { apiKeyHash }),
  };
}

/**
 * Parses JSON, with integers past 2^53 as bigint.
 * @throws NetworkSettingsError for text that is not JSON
 */
export function parseSettingsJson(text: string): unknown {
  const exactIntegers = (_: string, value: unknown, context?: { readonly source?: string }): unknown => {
    const source = context?.source;
    const isRounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  try {
    // The library's type of the reviver lacks its third argument.
    return JSON.parse(text, exactIntegers as (key: string, value: unknown) => unknown);
  } catch (cause) {
    // The engine's message quotes the text around the error, which may be a seed.
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NetworkSettingsError({ path: "", got: "not JSON", expected: "JSON" });
  }
}
