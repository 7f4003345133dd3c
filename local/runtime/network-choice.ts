/**
 * `--network`: the network that a node runs, and its bindings for the Worker.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { base58 } from "@scure/base";
import { devSettings } from "../../src/network/dev-settings.ts";
import { isNetworkName, namedNetworks } from "../../src/network/named-networks.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { parseNetwork, parseSecrets, parseSettingsJson } from "../../src/network/parse-network.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { findNearestWord } from "../cli/nearest-word.ts";
import { UsageError } from "../cli/usage-error.ts";
import { readHoconFile } from "./hocon-file.ts";

/** A settings file is a page or two long; a longer one is some other file. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface NetworkChoice {
  readonly settings: NetworkSettings;
  /** Binding `NETWORK`: a name, or the settings of the file as JSON. */
  readonly binding: string;
  /** Base58 of the wallet's seed, when the network has one. */
  readonly walletSeed: string | undefined;
  /** Identity of the chain, unlike that of any other. */
  readonly chain: string;
  /** Folder name for the state. */
  readonly folderName: string;
}

/**
 * The network's dev chain. Its blocks are not the network's: their states are stored apart.
 * @throws UsageError for a public network
 */
export function devChainOf(network: NetworkChoice): NetworkChoice {
  try {
    const settings = devSettings(network.settings);
    return { ...network, settings, chain: `dev-${network.chain}`, folderName: `${network.folderName}-dev` };
  } catch (error) {
    if (!(error instanceof NetworkSettingsError)) throw error;
    throw new UsageError(`--dev: ${network.settings.name} is a public network, whose blocks nobody makes at will.`);
  }
}

/**
 * @param nameOrFile name of a network, or path of a settings file: `.conf` in HOCON, any other in JSON
 * @throws UsageError when there is no such network or file, or a setting is wrong
 */
export async function chooseNetwork(nameOrFile: string): Promise<NetworkChoice> {
  if (isNetworkName(nameOrFile)) {
    const settings = namedNetworks[nameOrFile];
    const walletSeed = nameOrFile === "private" ? base58.encode(privateNetworkSecrets.walletSeed) : undefined;
    return { settings, binding: nameOrFile, walletSeed, chain: chainIdentity(settings), folderName: nameOrFile };
  }
  checkSettingsFile(nameOrFile);
  const name = path.basename(nameOrFile).replace(/\.(json|conf)$/, "");
  const isHocon = path.extname(nameOrFile) === ".conf";
  const text = isHocon ? JSON.stringify(await readHoconFile(nameOrFile)) : readFileSync(nameOrFile, "utf8");
  try {
    const json = parseSettingsJson(text);
    const settings = parseNetwork(json, name);
    const seed = parseSecrets(json).walletSeed;
    const walletSeed = seed === undefined ? undefined : base58.encode(seed);
    const chain = chainIdentity(settings);
    return { settings, binding: text, walletSeed, chain, folderName: `${name}-${chain.slice(0, 8)}` };
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw new UsageError(`--network ${nameOrFile}: ${error.message}`);
    throw error;
  }
}

/** @throws UsageError when the file does not exist or is no settings file */
function checkSettingsFile(file: string): void {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) throw new UsageError(`--network ${file}: this is not a file.`);
    if (facts.size > MAX_FILE_BYTES) throw new UsageError(`--network ${file}: too large for a settings file.`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new UsageError(`--network ${file}: ${message}.`);
    const names = Object.keys(namedNetworks);
    const nearest = findNearestWord(file, names);
    const hint = nearest === undefined ? `the names are ${names.join(", ")}.` : `did you mean ${nearest}?`;
    throw new UsageError(`--network ${file}: there is no network and no file of this name; ${hint}`);
  }
}

/** Digest of scheme and genesis, which no two chains share. */
export function chainIdentity({ blockchain: { schemeCharacter, genesis } }: NetworkSettings): string {
  const text = JSON.stringify({ schemeCharacter, genesis }, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return value instanceof Uint8Array ? base58.encode(value) : value;
  });
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
