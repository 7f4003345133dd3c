/** Tables of a chain of 20 blocks with feature 25, with a conflict of one of three generators. */

import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { PublicKey } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { commitmentTable, generatorBalanceTable, generatorConflictTable } from "../../../src/tables/commitments.ts";
import { featureTable } from "../../../src/tables/features.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { fixtureText } from "../fixtures/recorded-lines.ts";
import { putChain } from "./put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "./test-node.ts";

/** Periods of 10 blocks. */
const network = networkWith({ "generation-period-length": 10 });
export const activation = 5;
/** Start of the first period with commitments: [16, 25]. The next one is [26, 35]. */
const periodStart = 16;
export const tip = 20;
const chainId = 82;
const waves = 100_000_000n;

export function networkWith(functionality: object): string {
  const file = JSON.parse(fixtureText("private-a/network.json"));
  Object.assign(file.waves.blockchain.custom.functionality, functionality);
  return JSON.stringify(file);
}

const bytes = (size: number, value: number) => new Uint8Array(size).fill(value);
const publicKey = (value: number) => bytes(32, value) as Uint8Array as PublicKey;
const address = (value: number) => addressOfPublicKey(publicKey(value), chainId);
/** JSON of a committed generator without its balance. */
export const committed = (value: number) => ({
  address: addressText(address(value)),
  transactionId: encodeBase58(bytes(32, 100 + value)),
});

function commitment(position: number, value: number, start = periodStart) {
  return {
    periodStart: start,
    position,
    address: address(value),
    publicKey: publicKey(value),
    endorserPublicKey: bytes(48, value),
    transactionId: bytes(32, 100 + value) as Uint8Array as TransactionId,
    height: 10,
  };
}

function block(height: number, finalizedHeight: number) {
  return {
    ...{ height, finalizedHeight, id: bytes(32, height) as Uint8Array as BlockId, header: bytes(1, 0) },
    ...{ timestamp: BigInt(height), generator: address(1), sizeBytes: 1, transactionCount: 0, totalFee: 0n },
    ...{ reward: 0n, rewardVote: -1n, rewardShares: [], vrf: undefined, wavesAmount: 0n },
    ...{ hitSource: bytes(0, 0), score: 0n, carryFee: 0n, stateHash: bytes(0, 0) as never },
  };
}

/** A node with these tables. The rules that fill them have their own tests. */
export function finalityNode(
  facts: { readonly height?: number; readonly activationHeight?: number; readonly finalizedHeight?: number } = {},
): TestNode {
  const { d1, sqlite } = d1Double();
  const { height = tip, activationHeight = activation, finalizedHeight = 18 } = facts;
  putChain(sqlite, { genesis: genesisOfFile(network), height, finalizedHeight });
  putRows(sqlite, featureTable, [{ id: Feature.DeterministicFinality, activationHeight }]);
  putRows(sqlite, blockTable, [block(17, 1), block(18, 1), block(19, 18), block(20, 19)]);
  putRows(sqlite, commitmentTable, [
    commitment(0, 1),
    commitment(1, 2),
    commitment(2, 3),
    commitment(0, 3, 26),
    commitment(1, 4, 26),
  ]);
  putRows(sqlite, generatorBalanceTable, [
    { periodStart, position: 0, height: 16, balance: 5_000n * waves },
    { periodStart, position: 0, height: 19, balance: 9_007_199_254_740_993n },
    { periodStart, position: 1, height: 17, balance: 4_000n * waves },
    { periodStart, position: 1, height: 20, balance: 0n },
    { periodStart, position: 2, height: 16, balance: 3_000n * waves },
  ]);
  putRows(sqlite, generatorConflictTable, [{ periodStart, position: 2, height: 18 }]);
  return testNode({ database: d1, network });
}
