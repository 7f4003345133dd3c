/** The older state hash of a block whose change sets are known as a whole: what the node's own, row by row, is held against. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import { flatMapItems, type ItemTable, nothingOf } from "../../../src/protocol/snapshots/item-table.ts";
import {
  type LegacyStateHash,
  StateHashEntries,
  stateHashOfEntries,
} from "../../../src/protocol/snapshots/legacy-state-hash.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";

/** What a block changed, seen from its end. */
export interface BlockChanges {
  /**
   * All change sets of the block merged, that of its start included. Of its balances and lease balances only those
   * that differ from the values before the block; the order of lists does not matter.
   */
  readonly snapshot: Snapshot;
  readonly chainId: number;
  /**
   * Feature 25, where it is active: generating balances of the generators that may generate, in the order of the set,
   * without those that were in conflict up to and including this block.
   */
  readonly generatorBalances: readonly bigint[] | undefined;
}

/** The state hash of a block. @param previous total of the parent; undefined for the genesis block */
export function legacyStateHash(previous: Digest | undefined, changes: BlockChanges): LegacyStateHash {
  return stateHashOfEntries(previous, entriesOfChanges(changes), changes.generatorBalances);
}

type Addition = (entries: StateHashEntries) => void;

/** In an order in which what comes later counts: a script of the block behind the asset's issue, the end of a lease behind its start. */
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
  // Those that were issued without a script are listed, too.
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
