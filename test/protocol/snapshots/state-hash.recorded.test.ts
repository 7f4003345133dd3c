/**
 * The recorded chain private-a, height by height. The changes of its blocks are known (recorded snapshots; rewards and
 * carry fees from the headers and transactions), so both kinds of state hash must equal the recorded ones.
 */
import { describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { bytesKey } from "../../../src/crypto/bytes.ts";
import type { Address, Digest } from "../../../src/crypto/identities.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { mergeSnapshots } from "../../../src/protocol/snapshots/merge-snapshots.ts";
import type { BalanceChange, LeaseBalance, Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import { parseSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import {
  genesisStateHash,
  stateHashAfterBlockStart,
  stateHashAfterTransaction,
} from "../../../src/protocol/snapshots/state-hash.ts";
import { parseTransactionSnapshot } from "../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { Asset } from "../../../src/protocol/transactions/asset.ts";
import type { GenesisTransaction, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { legacyStateHash } from "../../support/builders/legacy-state-hash.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { blockchain, headerAt } from "../../support/fixtures/recorded-private-a.ts";

interface RecordedStateHash {
  readonly height: number;
  readonly headerStateHash: string | null;
  readonly stateHash: Readonly<Record<string, string>>;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const { chainId } = blockchain;
const recorded = recordedLines<RecordedStateHash>("private-a/state-hashes.jsonl.gz");
const blocks = [
  genesisBlock(blockchain),
  ...recordsOf(fixtureBytes("private-a/blocks.bin.gz")).map((bytes) => parseBlock(bytes, chainId)),
];
const snapshotRecords = recordsOf(fixtureBytes("private-a/snapshots.bin.gz"), snapshotRecordSizes);

/** Balances and minimal fees after the snapshots so far. */
class State {
  #balances = new Map<string, bigint>();
  #leaseBalances = new Map<string, string>();
  #minFees = new Map<string, bigint>();

  copy(): State {
    const copy = new State();
    copy.#balances = new Map(this.#balances);
    copy.#leaseBalances = new Map(this.#leaseBalances);
    copy.#minFees = new Map(this.#minFees);
    return copy;
  }

  balance({ address, asset }: Omit<BalanceChange, "balance">): bigint {
    return this.#balances.get(balanceKey(address, asset)) ?? 0n;
  }

  feeInWavelets({ fee, feeAsset }: Transaction): bigint {
    if (feeAsset === null) return fee;
    return (fee * 100_000n) / (this.#minFees.get(bytesKey(feeAsset)) ?? 0n);
  }

  apply(snapshot: Snapshot): void {
    for (const { address, asset, balance } of snapshot.balances ?? []) {
      this.#balances.set(balanceKey(address, asset), balance);
    }
    for (const change of snapshot.leaseBalances ?? []) {
      this.#leaseBalances.set(bytesKey(change.address), leaseText(change));
    }
    for (const { assetId, minSponsoredAssetFee } of snapshot.sponsorships ?? []) {
      this.#minFees.set(bytesKey(assetId), minSponsoredAssetFee);
    }
  }

  /** The snapshot without the balances that equal those of the state. */
  withoutUnchanged(snapshot: Snapshot): Snapshot {
    return {
      ...snapshot,
      balances: (snapshot.balances ?? []).filter((change) => this.balance(change) !== change.balance),
      leaseBalances: (snapshot.leaseBalances ?? []).filter(
        (change) => (this.#leaseBalances.get(bytesKey(change.address)) ?? "0 0") !== leaseText(change),
      ),
    };
  }
}

const balanceKey = (address: Address, asset: Asset) => bytesKey(address) + (asset === null ? "" : bytesKey(asset));
const leaseText = (change: LeaseBalance) => `${change.in} ${change.out}`;

/** State snapshot of the start of a block: reward shares and, for the generator, the carry fee. */
function blockStart(state: State, block: Block, height: number, carryFee: bigint): Snapshot {
  const added = new Map(Object.entries(headerAt(height).rewardShares).map(([text, share]) => [text, BigInt(share)]));
  const generator = addressText(addressOfPublicKey(block.header.generator, chainId));
  added.set(generator, (added.get(generator) ?? 0n) + carryFee);
  const balances = [...added]
    .filter(([, amount]) => amount !== 0n)
    .map(([text, amount]): BalanceChange => {
      const address = decodeBase58(text) as Uint8Array as Address;
      return { address, asset: null, balance: state.balance({ address, asset: null }) + amount };
    });
  return { balances };
}

function genesisBalances(block: Block): Snapshot {
  return mergeSnapshots(
    ...(block.transactions as readonly GenesisTransaction[]).map(({ recipient: address, amount: balance }) => ({
      balances: [{ address, asset: null, balance }],
    })),
  );
}

describe("state hashes of the recorded chain private-a", () => {
  const state = new State();
  let stateHash = genesisStateHash((blocks[0] as Block).transactions as readonly GenesisTransaction[]);
  let legacyTotal: Digest | undefined;
  let carryFee = 0n;

  /** Applies one block. @returns its merged state snapshots */
  const apply = (block: Block, height: number): Snapshot => {
    if (height === 1) {
      const snapshot = genesisBalances(block);
      state.apply(snapshot);
      return snapshot;
    }
    const initial = blockStart(state, block, height, carryFee);
    stateHash = stateHashAfterBlockStart(stateHash, initial, height);
    state.apply(initial);
    carryFee = 0n;
    const changes = [initial];
    const wire = parseSnapshotRecord(snapshotRecords[height - 2] as Uint8Array);
    expect(wire).toHaveLength(block.transactions.length);
    for (const [index, transaction] of block.transactions.entries()) {
      const transactionId = transaction.id;
      const { snapshot, status } = parseTransactionSnapshot(wire[index] as Uint8Array, { transactionId, chainId });
      const fee = state.feeInWavelets(transaction);
      carryFee += fee - (fee / 5n) * 2n;
      stateHash = stateHashAfterTransaction(stateHash, snapshot, { height, transactionId, status });
      state.apply(snapshot);
      changes.push(snapshot);
    }
    return mergeSnapshots(...changes);
  };

  for (const [index, block] of blocks.entries()) {
    const height = index + 1;
    test(`both state hashes at height ${height} are the recorded ones`, () => {
      const { headerStateHash, stateHash: expected } = recorded[index] as RecordedStateHash;
      const before = state.copy();
      const snapshot = before.withoutUnchanged(apply(block, height));
      const legacy = legacyStateHash(legacyTotal, { snapshot, chainId, generatorBalances: undefined });
      legacyTotal = legacy.total;
      expect(encodeBase58(stateHash)).toBe(expected["snapshotHash"]);
      if (headerStateHash !== null) expect(encodeBase58(stateHash)).toBe(headerStateHash);
      const sections = [...legacy.sections].map(([section, hash]) => [`${section}Hash`, hex(hash)]);
      expect(expected).toMatchObject({ ...Object.fromEntries(sections), stateHash: hex(legacy.total) });
    });
  }
});
