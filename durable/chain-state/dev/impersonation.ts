/**
 * Impersonated accounts of a dev chain: any client may send transactions in their names. The list survives evictions
 * and restarts.
 */
import { parseAddress } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BytesKey, bytesKey, bytesOfKey } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { NetworkSettings } from "../../../src/network/settings.ts";
import { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import { findRecord, type MetaRecord, type MetaStore } from "./meta-record.ts";

/** Addresses of the accounts, separated by spaces. */
export const impersonatedRecord: MetaRecord<readonly Address[]> = {
  name: "devImpersonated",
  parse: (text) => {
    const accounts = text === "" ? [] : text.split(" ").map((address) => parseAddress(address, undefined));
    return accounts.every((account) => account instanceof Uint8Array) ? accounts : undefined;
  },
};

export class Impersonation {
  /** Exemption for the validation rules. */
  readonly exemption: AuthorizationExemption;
  readonly #store: MetaStore;
  #accounts: ReadonlySet<BytesKey> = new Set();

  /** @throws Error if the network is no dev chain, whatever the store contains */
  constructor(network: Pick<NetworkSettings, "isDevChain" | "name">, store: MetaStore) {
    this.exemption = AuthorizationExemption.ofDevChain(network, (account) => this.#accounts.has(bytesKey(account)));
    this.#store = store;
    this.reload();
  }

  /** In order of addition. */
  accounts(): readonly Address[] {
    return Array.from(this.#accounts, (key) => bytesOfKey(key) as Address);
  }

  set(account: Address, isImpersonated: boolean): void {
    const accounts = new Set(this.#accounts);
    if (isImpersonated) accounts.add(bytesKey(account));
    else accounts.delete(bytesKey(account));
    // The row is written first, so that a failed write changes nothing.
    this.#store.putMeta(
      impersonatedRecord.name,
      Array.from(accounts, (key) => encodeBase58(bytesOfKey(key))).join(" "),
    );
    this.#accounts = accounts;
  }

  /** To be called after the contents of the store were replaced. */
  reload(): void {
    this.#accounts = new Set((findRecord(this.#store, impersonatedRecord) ?? []).map((account) => bytesKey(account)));
  }
}
