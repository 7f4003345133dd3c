/**
 * Older state hash of a block from all of its state snapshots at once: the oracle for the node's own incremental one.
 */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { flatMapItems, type ItemTable, nothingOf } from "../../../src/protocol/snapshots/item-table.ts";
import {
  type LegacyStateHash,
  StateHashEntries,
  stateHashOfEntries,
} from "../../../src/protocol/snapshots/legacy-state-hash.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";

/** Changes of a block, as of its end. */
export interface BlockChanges {
  /**
   * All state snapshots of the block merged, including that of its start. Balances and lease balances are only those
   * that differ from the values before the block; the order of lists does not matter.
   */
  readonly snapshot: Snapshot;
  readonly chainId: number;
  /**
   * Generating balances of the eligible generators, in the order of the set, without those in conflict up to and
   * including this block. Only with feature 25 active.
   */
  readonly generatorBalances: readonly bigint[] | undefined;
}

/** State hash of a block. @param previous total of the parent; undefined for the genesis block */
export function legacyStateHash(previous: Digest | undefined, changes: BlockChanges): LegacyStateHash {
  return stateHashOfEntries(previous, entriesOfChanges(changes), changes.generatorBalances);
}

type Addition = (entries: StateHashEntries) => void;

/**
 * Sorts so that later changes win: a script of the block after the asset's issue, the end of a lease after its start.
 */
const additions: ItemTable<readonly Addition[], [chainId: number]> = {
  balances: ({ address, asset, balance }) => [
    (entries) =>
      asset === null
        ? entries.add("wavesBalance", address, balance)
        : entries.add("assetBalance", address, asset, balance),
  ],
  accountData: ({ address, entries: data }) =>
    data.map(
      ({ key, value }): Addition =>
        (entries) =>
          entries.add("dataEntry", address, key, value),
    ),
  accountScripts: ({ publicKey, script }, chainId) => [
    (entries) => entries.add("accountScript", addressOfPublicKey(publicKey, chainId), script),
  ],
  // Assets that were issued without a script are listed, too.
  assetStatics: ({ assetId }) => [(entries) => entries.add("assetScript", assetId, undefined)],
  assetScripts: ({ assetId, script }) => [(entries) => entries.add("assetScript", assetId, script)],
  leaseBalances: ({ address, ...lease }) => [(entries) => entries.add("leaseBalance", address, lease)],
  newLeases: ({ leaseId }) => [(entries) => entries.add("leaseStatus", leaseId, true)],
  cancelledLeases: ({ leaseId }) => [(entries) => entries.add("leaseStatus", leaseId, false)],
  sponsorships: ({ assetId, minSponsoredAssetFee }) => [
    (entries) => entries.add("sponsorship", assetId, minSponsoredAssetFee),
  ],
  aliases: ({ address, alias }) => [(entries) => entries.add("alias", address, alias.name)],
  generationCommitments: ({ sender, endorserPublicKey }) => [
    (entries) => entries.add("nextCommittedGenerators", sender, endorserPublicKey),
  ],
  assetVolumes: nothingOf,
  assetTexts: nothingOf,
  orderFills: nothingOf,
};

function entriesOfChanges({ snapshot, chainId }: BlockChanges): StateHashEntries {
  const entries = new StateHashEntries();
  for (const add of flatMapItems(snapshot, additions, chainId)) add(entries);
  return entries;
}
