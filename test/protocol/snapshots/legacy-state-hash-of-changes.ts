/** The older state hash of a block whose change sets are known as a whole: what the node's own, row by row, is held against. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
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

function entriesOfChanges({ snapshot, chainId }: BlockChanges): StateHashEntries {
  const entries = new StateHashEntries();
  for (const { address, asset, balance } of snapshot.balances ?? []) {
    if (asset === null) entries.add("wavesBalance", address, balance);
    else entries.add("assetBalance", address, asset, balance);
  }
  for (const { address, entries: data } of snapshot.accountData ?? []) {
    for (const { key, value } of data) entries.add("dataEntry", address, key, value);
  }
  for (const { publicKey, script } of snapshot.accountScripts ?? []) {
    entries.add("accountScript", addressOfPublicKey(publicKey, chainId), script);
  }
  // An asset that was issued without a script is listed too; a script of this block comes after it and counts.
  for (const { assetId } of snapshot.assetStatics ?? []) entries.add("assetScript", assetId, undefined);
  for (const { assetId, script } of snapshot.assetScripts ?? []) entries.add("assetScript", assetId, script);
  for (const { address, ...lease } of snapshot.leaseBalances ?? []) entries.add("leaseBalance", address, lease);
  for (const { leaseId } of snapshot.newLeases ?? []) entries.add("leaseStatus", leaseId, true);
  for (const { leaseId } of snapshot.cancelledLeases ?? []) entries.add("leaseStatus", leaseId, false);
  for (const { assetId, minSponsoredAssetFee } of snapshot.sponsorships ?? []) {
    entries.add("sponsorship", assetId, minSponsoredAssetFee);
  }
  for (const { address, alias } of snapshot.aliases ?? []) entries.add("alias", address, alias.name);
  for (const { sender, endorserPublicKey } of snapshot.generationCommitments ?? []) {
    entries.add("nextCommittedGenerators", sender, endorserPublicKey);
  }
  return entries;
}
