/**
 * The older state hash, over the values that a block changed: diagnostic only, printed by `/debug/stateHash`. It is
 * unrelated to the hash chain over state snapshots (`state-hash.ts`).
 * @source docs/protocol/snapshots-and-state-hash.md 8; Waves: state/StateHashBuilder.scala, database/Caches.scala
 */
import { type BytesKey, bytesKey, bytesOfKey, concatBytes, i64Bytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Address, Digest, PublicKey } from "../../crypto/identities.ts";
import { utf8Bytes } from "../codec/utf8.ts";
import type { AssetId } from "../transactions/asset.ts";
import type { DataValue, LeaseId, Script } from "../transactions/transaction.ts";
import type { LeaseBalance } from "./snapshot.ts";
import { dataValueBytes } from "./state-hash.ts";

/** Separately hashed sections, in their order in the total. */
export const stateHashSections = [
  "wavesBalance",
  "assetBalance",
  "dataEntry",
  "accountScript",
  "assetScript",
  "leaseBalance",
  "leaseStatus",
  "sponsorship",
  "alias",
] as const;
/** Additional sections with feature 25. */
export const finalityStateHashSections = ["nextCommittedGenerators", "committedGeneratorBalances"] as const;
export type StateHashSection = (typeof stateHashSections)[number] | (typeof finalityStateHashSections)[number];

export interface LegacyStateHash {
  readonly total: Digest;
  /** Hashes in the order of the sections; the last two only with feature 25. */
  readonly sections: ReadonlyMap<StateHashSection, Digest>;
}

/** Total over the hashes of the sections. @param previous total of the parent; undefined for the genesis block */
export function totalStateHash(previous: Digest | undefined, sections: ReadonlyMap<StateHashSection, Digest>): Digest {
  return blake2b256(concatBytes(previous ?? new Uint8Array(0), ...sections.values()));
}

/** The sections that are sets of entries. */
export type EntrySection = Exclude<StateHashSection, "committedGeneratorBalances">;

const absent = new Uint8Array(0);

/** Key and value of the entries of each section. */
const entryBytes = {
  wavesBalance: (address: Address, balance: bigint) => [address, i64Bytes(balance)],
  assetBalance: (address: Address, asset: AssetId, balance: bigint) => [concatBytes(address, asset), i64Bytes(balance)],
  /** @param value null: deleted */
  dataEntry: (address: Address, key: string, value: DataValue) => [
    concatBytes(address, utf8Bytes(key)),
    dataValueBytes(value),
  ],
  accountScript: (address: Address, script: Script | null) => [address, script ?? absent],
  /** @param script undefined for an asset that was issued without one */
  assetScript: (assetId: AssetId, script: Script | undefined) => [assetId, script ?? absent],
  leaseBalance: (address: Address, lease: LeaseBalance) => [
    address,
    concatBytes(i64Bytes(lease.in), i64Bytes(lease.out)),
  ],
  leaseStatus: (leaseId: LeaseId, isActive: boolean) => [leaseId, Uint8Array.of(isActive ? 1 : 0)],
  sponsorship: (assetId: AssetId, minSponsoredAssetFee: bigint) => [assetId, i64Bytes(minSponsoredAssetFee)],
  alias: (address: Address, name: string) => [concatBytes(address, utf8Bytes(name)), absent],
  nextCommittedGenerators: (sender: PublicKey, endorserPublicKey: Uint8Array) => [sender, endorserPublicKey],
} as const satisfies Record<
  EntrySection,
  // biome-ignore lint/suspicious/noExplicitAny: the inputs of key and value differ between sections
  (...parts: any[]) => readonly [key: Uint8Array, value: Uint8Array]
>;

/**
 * Entries of a block by section. The last entry of a key wins, even if two different items happen to have the same key.
 */
export class StateHashEntries {
  // PERF: keys and values are text, since a block may have 100,000 of them and a small array takes some 200 bytes.
  readonly #sections = new Map<EntrySection, Map<BytesKey, BytesKey>>();

  add<Section extends EntrySection>(section: Section, ...parts: Parameters<(typeof entryBytes)[Section]>): void {
    // The table pairs each section with its parts; the compiler does not follow that through the lookup.
    const bytesOf = entryBytes[section] as (
      ...parts: Parameters<(typeof entryBytes)[Section]>
    ) => readonly [Uint8Array, Uint8Array];
    const [key, value] = bytesOf(...parts);
    const entries = this.#sections.get(section) ?? new Map<BytesKey, BytesKey>();
    this.#sections.set(section, entries);
    entries.set(bytesKey(key), bytesKey(value));
  }

  /** Hash over the entries of a section in the order of their keys. */
  hash(section: EntrySection): Digest {
    const entries = [...(this.#sections.get(section) ?? [])].toSorted(([left], [right]) => (left < right ? -1 : 1));
    const concatenated = new Uint8Array(entries.reduce((size, [key, value]) => size + key.length + value.length, 0));
    let offset = 0;
    for (const entry of entries)
      for (const part of entry) {
        concatenated.set(bytesOfKey(part), offset);
        offset += part.length;
      }
    return blake2b256(concatenated);
  }
}

/**
 * State hash of a block from its entries.
 * @param previous total of the parent; undefined for the genesis block
 * @param generatorBalances with feature 25: generating balances of the eligible generators, in the order of the set,
 *   without those in conflict up to and including this block
 */
export function stateHashOfEntries(
  previous: Digest | undefined,
  entries: StateHashEntries,
  generatorBalances: readonly bigint[] | undefined,
): LegacyStateHash {
  const sections = new Map<StateHashSection, Digest>();
  for (const section of stateHashSections) sections.set(section, entries.hash(section));
  if (generatorBalances !== undefined) {
    sections.set("nextCommittedGenerators", entries.hash("nextCommittedGenerators"));
    sections.set("committedGeneratorBalances", blake2b256(concatBytes(...generatorBalances.map(i64Bytes))));
  }
  return { total: totalStateHash(previous, sections), sections };
}
