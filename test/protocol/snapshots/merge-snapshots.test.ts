import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/crypto/identities.ts";
import { isEmptySnapshot, mergeSnapshots } from "../../../src/protocol/snapshots/merge-snapshots.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { DataEntry } from "../../../src/protocol/transactions/transaction.ts";

const address = (name: number) => new Uint8Array(26).fill(name) as Uint8Array as Address;
const asset = (name: number) => new Uint8Array(32).fill(name) as Uint8Array as AssetId;
const entry = (key: string, value: bigint): DataEntry => ({ key, value: { type: "integer", value } });

describe("mergeSnapshots", () => {
  test("a later balance replaces an earlier one of the same address and asset, in its place", () => {
    const first: Snapshot = {
      balances: [
        { address: address(1), asset: null, balance: 1n },
        { address: address(1), asset: asset(1), balance: 2n },
      ],
    };
    const later: Snapshot = {
      balances: [
        { address: address(2), asset: null, balance: 3n },
        { address: address(1), asset: null, balance: 4n },
      ],
    };
    expect(mergeSnapshots(first, later)).toEqual({
      balances: [
        { address: address(1), asset: null, balance: 4n },
        { address: address(1), asset: asset(1), balance: 2n },
        { address: address(2), asset: null, balance: 3n },
      ],
    });
  });

  test("data entries are merged key by key", () => {
    const first: Snapshot = { accountData: [{ address: address(1), entries: [entry("a", 1n), entry("b", 2n)] }] };
    const later: Snapshot = {
      accountData: [
        { address: address(1), entries: [entry("b", 3n), entry("c", 4n)] },
        { address: address(2), entries: [entry("b", 5n)] },
      ],
    };
    expect(mergeSnapshots(first, later)).toEqual({
      accountData: [
        { address: address(1), entries: [entry("a", 1n), entry("b", 3n), entry("c", 4n)] },
        { address: address(2), entries: [entry("b", 5n)] },
      ],
    });
  });

  test("merging with nothing changes nothing, and nothing is empty", () => {
    const snapshot: Snapshot = { sponsorships: [{ assetId: asset(1), minSponsoredAssetFee: 0n }] };
    expect(mergeSnapshots(snapshot, {})).toEqual(snapshot);
    expect(mergeSnapshots({}, snapshot, { balances: [] })).toEqual(snapshot);
    expect(isEmptySnapshot(mergeSnapshots())).toBe(true);
    expect(isEmptySnapshot({ balances: [] })).toBe(true);
    expect(isEmptySnapshot(snapshot)).toBe(false);
  });

  test("an account that has only asset balances is not taken for one that has native ones", () => {
    const tail = asset(7);
    const merged = mergeSnapshots(
      { balances: [{ address: address(1), asset: null, balance: 1n }] },
      { balances: [{ address: address(1), asset: tail, balance: 2n }] },
    );
    expect(merged.balances).toHaveLength(2);
  });
});
