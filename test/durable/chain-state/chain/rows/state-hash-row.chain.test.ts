import { describe, expect, test } from "vitest";
import type { RecordStorageOptions } from "../../../../../durable/chain-state/chain/committer.ts";
import type { Chain } from "../../../../../durable/chain-state/chain/open-chain.ts";
import { openChain } from "../../../../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../../../../durable/chain-state/state/state-store.ts";
import { addressOfPublicKey } from "../../../../../src/crypto/address.ts";
import { blake2b256 } from "../../../../../src/crypto/hash.ts";
import { Feature } from "../../../../../src/network/features.ts";
import { privateNetwork } from "../../../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../../../src/network/settings.ts";
import type { Block } from "../../../../../src/protocol/blocks/block.ts";
import type { StateHashSection } from "../../../../../src/protocol/snapshots/legacy-state-hash.ts";
import type { Snapshot } from "../../../../../src/protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../../../../src/protocol/transactions/asset.ts";
import type {
  LeaseId,
  Script,
  Transaction,
  TransactionId,
} from "../../../../../src/protocol/transactions/transaction.ts";
import type { BlockRun } from "../../../../../src/rules/blocks/block-run.ts";
import type { RowOf } from "../../../../../src/tables/schema/table.ts";
import { stateHashTable } from "../../../../../src/tables/state-hashes.ts";
import { SimulatedNode } from "../../../../../verification/simulation/simulated-node.ts";
import type { TestDatabase } from "../../../../../verification/sqlite/test-database.ts";
import { legacyStateHash } from "../../../../support/builders/legacy-state-hash.ts";
import { once } from "../../../../support/builders/next-block.ts";
import { type ChainEvent, type Move, RandomChain } from "../../../../support/builders/random-chain.ts";
import { poorKey, richKey, signedTransfer } from "../../../../support/builders/signed-transfer.ts";
import { testStore } from "../../../../support/builders/test-store.ts";

const storesAll: RecordStorageOptions = { storeStateHashes: true, storeSnapshots: true };

/** Chain over the content of a database, as a node that has just started sees it. */
function chainOver(database: TestDatabase, settings: BlockchainSettings, keeps = storesAll): Chain {
  const store = new StateStore(database);
  return openChain({ store, settings, transaction: database.transaction, maxRollbackDepth: 100, storage: keeps });
}

function append(chain: Chain, event: ChainEvent): void {
  const context = { nowMs: event.nowMs, verifySignatures: false };
  if (event.kind === "keyBlock") chain.forks.appendBlock(event.block, context);
  else chain.liquid.appendMicroBlock(event.microBlock, context);
}

type StateHashRow = RowOf<typeof stateHashTable>;

const rowsOf = (database: TestDatabase): readonly StateHashRow[] =>
  new StateStore(database).query(stateHashTable, "ORDER BY height");

/** Chain with many micro-blocks, some of which the next generator does not see. */
function grownChain(seed: number): RandomChain {
  const chain = new RandomChain("active", seed);
  const moves: readonly Move[] = Array.from({ length: 30 }, (_, index): Move => {
    if (index % 6 === 5) return { kind: "keyBlock", generator: index % 3, dropped: index % 2 };
    return index % 2 === 0 ? { kind: "transactions", count: 4 } : { kind: "microBlock" };
  });
  for (const move of moves) chain.run(move);
  return chain;
}

describe("the older state hash of a height", () => {
  test.each([1, 2, 3])("is the same for micro-blocks as for the whole block (seed %i)", (seed) => {
    const { node } = grownChain(seed);
    const { height } = node.chain.view;
    expect(height).toBeGreaterThan(3);
    expect(node.chain.stored.microBlockCount() + node.chain.view.height).toBeGreaterThan(4);
    const { database } = testStore();
    const whole = chainOver(database, node.chain.view.settings);
    whole.liquid.ensureGenesis(0);
    for (let at = 2; at <= height; at++) {
      const block = node.chain.stored.findBlock(at) as Block;
      whole.forks.appendBlock(block, { nowMs: Number(block.header.timestamp), verifySignatures: false });
    }
    expect(rowsOf(database)).toEqual(rowsOf(node.database));
    expect(database.dump(["tx"])).toBe(node.database.dump(["tx"]));
  });

  test("is the same on a node that is restarted before every micro-block", () => {
    const { node, events } = grownChain(4);
    const { settings } = node.chain.view;
    const { database } = testStore();
    chainOver(database, settings).liquid.ensureGenesis(0);
    for (const event of events) append(chainOver(database, settings), event);
    expect(events.some(({ kind }) => kind === "microBlock")).toBe(true);
    expect(rowsOf(database)).toEqual(rowsOf(node.database));
  });

  test("is rolled back with the chain", () => {
    const { node } = grownChain(5);
    const before = rowsOf(node.database);
    node.chain.forks.revertTo(node.chain.view.height - 2);
    expect(rowsOf(node.database)).toEqual(before.slice(0, -2));
  });

  test("is stored only if the settings say so, and never without its parent's", () => {
    const { events, node } = grownChain(6);
    const { settings } = node.chain.view;
    const { database } = testStore();
    const keepsNone: RecordStorageOptions = { storeStateHashes: false, storeSnapshots: false };
    const chain = chainOver(database, settings, keepsNone);
    chain.liquid.ensureGenesis(0);
    const [first, ...rest] = events;
    append(chain, first as ChainEvent);
    for (const event of rest) append(chainOver(database, settings), event);
    expect(rowsOf(database)).toEqual([]);
  });
});

/** Private network as it was before headers carried state hashes. */
const withoutLightNodes: BlockchainSettings = (() => {
  const { blockchain } = privateNetwork;
  const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
  preActivatedFeatures.delete(Feature.LightNode);
  return { ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } };
})();

/** Chain whose blocks have these effects: each state snapshot replaces that of a transfer. */
function rowsOfChanges(changes: readonly Snapshot[]): readonly StateHashRow[] {
  const startMs = Number(withoutLightNodes.genesis.blockTimestampMs);
  const forging = new SimulatedNode({ blockchain: withoutLightNodes, startMs });
  const { database } = testStore();
  const chain = chainOver(database, withoutLightNodes);
  chain.liquid.ensureGenesis(0);
  for (let height = 2, transfers = 0; height < changes.length + 3; ) {
    forging.broadcast(signedTransfer({ timestamp: BigInt(forging.nowMs + transfers++) }));
    forging.step();
    if (forging.chain.view.height <= height) continue;
    const block = forging.chain.stored.findBlock(height) as Block;
    const include = (run: BlockRun, transaction: Transaction, index: number): void => {
      const snapshot = index === 0 ? (changes[height - 3] ?? {}) : {};
      run.addSnapshot(transaction, { snapshot, status: "succeeded" });
    };
    chain.forks.appendBlock(block, { nowMs: Number(block.header.timestamp), verifySignatures: false, include });
    height++;
  }
  return rowsOf(database);
}

const sectionNames: readonly StateHashSection[] = [
  "dataEntry",
  "accountScript",
  "assetScript",
  "leaseBalance",
  "leaseStatus",
  "sponsorship",
  "alias",
];
const sectionOffsets = [2, 3, 4, 5, 6, 7, 8];

function sectionsOf({ sections }: StateHashRow): readonly Uint8Array[] {
  return sectionOffsets.map((offset) => sections.slice(offset * 32, (offset + 1) * 32));
}

function expectedSections(snapshot: Snapshot): readonly Uint8Array[] {
  const options = { snapshot, chainId: withoutLightNodes.chainId, generatorBalances: undefined };
  const { sections } = legacyStateHash(undefined, options);
  return sectionNames.map((name) => sections.get(name) as Uint8Array);
}

describe("a value that is written again as it was", () => {
  const assetId = new Uint8Array(32).fill(7) as AssetId;
  const leaseId = new Uint8Array(32).fill(8) as LeaseId;
  const originTransactionId = new Uint8Array(32).fill(9) as TransactionId;
  const script = Uint8Array.of(6, 1, 2, 3) as Script;
  const address = addressOfPublicKey(poorKey.publicKey, withoutLightNodes.chainId);
  const written: Snapshot = {
    accountData: [
      {
        address,
        entries: [
          { key: "kept", value: { type: "integer", value: 1n } },
          { key: "never there", value: null },
        ],
      },
    ],
    accountScripts: [{ publicKey: poorKey.publicKey, script: null, verifierComplexity: 0n }],
    assetScripts: [{ assetId, script, complexity: 1n }],
    sponsorships: [{ assetId, minSponsoredAssetFee: 5n }],
  };
  const issued: Snapshot = {
    assetStatics: [{ assetId, issuer: richKey.publicKey, decimals: 2, nft: false, originTransactionId }],
    newLeases: [{ leaseId, sender: richKey.publicKey, recipient: address, amount: 1n, originTransactionId }],
    leaseBalances: [{ address, in: 3n, out: 0n }],
    aliases: [{ address, alias: { chainId: withoutLightNodes.chainId, name: "name" } }],
  };
  const cancelled: Snapshot = {
    cancelledLeases: [{ leaseId, cancelTransactionId: originTransactionId }],
    leaseBalances: [{ address, in: 3n, out: 0n }],
    assetVolumes: [{ assetId, reissuable: true, volume: 5n }],
  };
  const rows = once(() => rowsOfChanges([{ ...written, ...issued }, written, cancelled, {}]));

  test("counts for data, scripts and sponsorship, when they are there for the first time and later", () => {
    expect(sectionsOf(rows()[2] as StateHashRow)).toEqual(expectedSections({ ...written, ...issued }));
    expect(sectionsOf(rows()[3] as StateHashRow)).toEqual(expectedSections(written));
  });

  test("does not count for balances; nor does an asset whose volume alone changes", () => {
    const { leaseBalances: _, ...rest } = cancelled;
    expect(sectionsOf(rows()[4] as StateHashRow)).toEqual(expectedSections(rest));
    const nothing = blake2b256(new Uint8Array(0));
    expect(sectionsOf(rows()[5] as StateHashRow)).toEqual(sectionNames.map(() => nothing));
  });
});
