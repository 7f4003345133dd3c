/**
 * `npm run bench -- light-memory [--megabytes N]`: memory that a block with state snapshots of this size takes, from
 * the frame to the mismatch of the state hash, which any peer can cause with a block of another generator. The
 * snapshots hold new balances, which take the most memory a byte. With `NODE_OPTIONS=--max-old-space-size=N` the heap
 * has a limit, as an isolate's has.
 */
import { parseArgs } from "node:util";
import { PeerCalls } from "../../durable/chain-state/peers/peer-calls.ts";
import { PeerCount } from "../../durable/chain-state/peers/peer-count.ts";
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import type { PublicKey } from "../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { Feature } from "../../src/network/features.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { encodeBlockSnapshot, parseBlockSnapshot } from "../../src/protocol/messages/block-snapshot.ts";
import { encodeSnapshotRecord } from "../../src/protocol/snapshots/snapshot-record.ts";
import { encodeTransactionSnapshot } from "../../src/protocol/snapshots/transaction-snapshot.ts";
import { headerAt } from "../../src/rules/consensus/next-block.ts";
import { networkOf } from "../../test/support/builders/next-block.ts";
import { richKey, signedTransfer } from "../../test/support/builders/signed-transfer.ts";
import { BlockForger } from "../chain-generator/block-forger.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import { printTable } from "./parts/print-table.ts";

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "4" } } });
const bytes = Number(values.megabytes) * 2 ** 20;
if (!(bytes > 0)) throw new Error("--megabytes expects a number");
/** New balances in a transaction; a snapshot has half a megabyte at most. */
const OF_TRANSACTION = 12_000;
const BALANCE_BYTES = 38;

const blockchain = networkOf(Feature.BoostBlockReward);
const node = new SimulatedNode({ blockchain, startMs: Number(blockchain.genesis.blockTimestampMs) });
node.mineTo(3);
node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 1_000_000_000;
const { timestamp } = node.chain.stored.tip();
const count = Math.ceil(bytes / (OF_TRANSACTION * BALANCE_BYTES));
const transactions = Array.from({ length: count }, (_, index) =>
  signedTransfer({ timestamp: timestamp + BigInt(index) }),
);
const block = new BlockForger(secureRandomBytes).valid(node.chain, { key: richKey, transactions });
const key = new Uint8Array(32);
const numbers = new DataView(key.buffer);
const snapshots = transactions.map((_, transaction) =>
  encodeTransactionSnapshot({
    status: "succeeded",
    snapshot: {
      balances: Array.from({ length: OF_TRANSACTION }, (__, index) => {
        numbers.setUint32(0, transaction * OF_TRANSACTION + index);
        return { address: addressOfPublicKey(key as PublicKey, blockchain.chainId), asset: null, balance: 1n };
      }),
    },
  }),
);
const message = encodeBlockSnapshot({ blockId: block.id, snapshots });
snapshots.length = 0;

let most = 0;
const sample = (): void => {
  const { heapUsed, external } = process.memoryUsage();
  most = Math.max(most, heapUsed + external);
};
globalThis.gc?.();
const before = process.memoryUsage();
const calls = new PeerCalls({ node: node.node, count: new PeerCount(() => node.nowMs), nowMs: () => node.nowMs });
const record = encodeSnapshotRecord(parseBlockSnapshot(message).snapshots);
const received = structuredClone({
  blocks: encodeBlockRecord(encodeBlock(block, blockchain.chainId)),
  verified: "",
  snapshots: encodeBlockRecord(record),
});
sample();
const beganMs = performance.now();
const result = await calls.applyBlock(received);
sample();
printTable([
  [`snapshots of ${(message.length / 2 ** 20).toFixed(1)} MB`, ""],
  ["judgement", JSON.stringify(result).slice(0, 80)],
  ["heap and buffers before, MB", ((before.heapUsed + before.external) / 2 ** 20).toFixed(0)],
  ["behind the judgement, without collection, MB", (most / 2 ** 20).toFixed(0)],
  ["resident at most, MB", (process.resourceUsage().maxRSS / 1024).toFixed(0)],
  ["seconds", ((performance.now() - beganMs) / 1_000).toFixed(1)],
]);
