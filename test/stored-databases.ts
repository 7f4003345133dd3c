/** Databases of nodes of each schema version: fixtures/databases. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { encodeBase58 } from "../src/crypto/base58.ts";
import { parseNetwork, parseSettingsJson } from "../src/network/parse-network.ts";
import type { NetworkSettings } from "../src/network/settings.ts";

const folder = path.join(import.meta.dirname, "fixtures", "databases");

/** Schema versions with a fixture. */
export const storedVersions: readonly number[] = readdirSync(folder)
  .map((name) => Number(name.slice(1)))
  .sort((left, right) => left - right);

/** The `network.json` of the databases of the version. */
export function storedNetworkFile(version: number): string {
  return path.join(folder, `v${version}`, "network.json");
}

/** Settings of the network, and the chain's identity in its databases. */
export function storedNetwork(version: number): NetworkSettings & { readonly genesisText: string } {
  const text = readFileSync(storedNetworkFile(version), "utf8");
  const network = parseNetwork(parseSettingsJson(text), `v${version}`);
  return { ...network, genesisText: encodeBase58(network.blockchain.genesis.signature ?? new Uint8Array()) };
}

/** Copies of databases, to be opened and changed. */
export class DatabaseCopies {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "databases-"));
  #count = 0;

  /** @returns the file of a new copy */
  take(version: number, name: "chain-state" | "read-model"): string {
    this.#count += 1;
    const file = path.join(this.#folder, `${this.#count}.sqlite`);
    writeFileSync(file, gunzipSync(readFileSync(path.join(folder, `v${version}`, `${name}.sqlite.gz`))));
    return file;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
