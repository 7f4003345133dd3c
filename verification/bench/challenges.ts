/**
 * `npm run bench -- challenges [--calls N]`: time to validate a block that challenges another one and elides calls
 * which run to their end there, by call of ChainState, and projected to a megabyte of such calls. Each call spends its
 * whole complexity limit on signatures.
 */
import { parseArgs } from "node:util";
import { PeerCalls } from "../../durable/chain-state/peers/peer-calls.ts";
import { PeerCount } from "../../durable/chain-state/peers/peer-count.ts";
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../src/crypto/random.ts";
import { Feature } from "../../src/network/features.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../src/protocol/transactions/encode-for-block.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { headerAt } from "../../src/rules/consensus/next-block.ts";
import { networkOf } from "../../test/support/builders/next-block.ts";
import { signedBy } from "../../test/support/builders/signed-by.ts";
import { richKey, walletKey } from "../../test/support/builders/signed-transfer.ts";
import { dAppOf } from "../../test/support/builders/test-scripts.ts";
import { BlockForger } from "../chain-generator/block-forger.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import { printTable } from "./parts/print-table.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "60" } } });
const count = Number(values.calls);
if (!(count > 0)) throw new Error("--calls expects a number");

const waves = 100_000_000n;
const blocks = new BlockForger(secureRandomBytes);
const [challenger, challenged] = [walletKey(1), walletKey(2)];
const blockchain = networkOf(Feature.BoostBlockReward, [
  { key: challenger, amount: 10_000_000n * waves },
  { key: challenged, amount: 40_000_000n * waves },
]);
const { chainId } = blockchain;
const addressOf = ({ publicKey }: typeof richKey) => addressOfPublicKey(publicKey, chainId);

/** Signature checks. The signed message differs in each transaction, and no signature is valid. */
function checks(number: number): string {
  const signature = encodeBase58(sign(richKey.privateKey, new Uint8Array(32), secureRandomBytes(64)));
  const check = `sigVerify(i.transactionId, base58'${signature}', base58'${encodeBase58(richKey.publicKey)}')`;
  return Array.from({ length: number }, () => check).join(" || ");
}
const script = dAppOf(`@Callable(i)
func heavy() = if (${checks(48)}) then throw("never") else []
@Callable(i)
func call() = if (lastBlock.generator == Address(base58'${encodeBase58(addressOf(challenged))}')) then [] else {
${["a", "b", "c", "d", "e"].map((name) => `strict ${name} = invoke(this, "heavy", [], [])`).join("\n")}
if (${checks(49)}) then [] else []
}`);

const node = new SimulatedNode({ blockchain, startMs: Number(blockchain.genesis.blockTimestampMs) });
node.mineTo(3);
node.nowMs = Number(headerAt(node.chain.view, 3).header.timestamp) + 1_000_000_000;
const { timestamp } = node.chain.stored.tip();
const common = { chainId, feeAsset: null, proofs: [], sender: richKey.publicKey } as const;
const ofScript = { ...common, type: TransactionType.SetScript, version: 2, fee: waves, timestamp, script } as const;
const setScript = signedBy(richKey, buildTransaction(ofScript));
node.append(blocks.valid(node.chain, { key: challenger, transactions: [setScript] }));
const called = {
  dApp: { kind: "address", address: addressOf(richKey) },
  call: { function: "call", args: [] },
} as const;
const ofCall = { ...common, type: TransactionType.InvokeScript, version: 2, fee: waves, payments: [] } as const;
const calls = Array.from({ length: count }, (_, index) =>
  signedBy(richKey, buildTransaction({ ...ofCall, ...called, timestamp: timestamp + BigInt(index) })),
);
const original = blocks.wrong(node.chain, { key: challenged, transactions: calls });
const challenging = blocks.challenging(node.chain, original, { key: challenger });

const deps = { node: node.node, count: new PeerCount(() => node.nowMs), nowMs: () => node.nowMs };
const peerCalls = new PeerCalls(deps);
const received = { blocks: encodeBlockRecord(encodeBlock(challenging, chainId)), verified: "" };
const seconds: number[] = [];
for (let result: unknown = "unfinished"; result === "unfinished"; ) {
  const beganMs = performance.now();
  result = await peerCalls.applyBlock(received);
  seconds.push((performance.now() - beganMs) / 1_000);
}
const statuses = new Set(calls.map(({ id }) => node.chain.view.findTransaction(id)?.status));
if (statuses.size !== 1 || !statuses.has("elided")) throw new Error(`the calls are ${[...statuses].join(", ")}`);

const sum = seconds.reduce((total, each) => total + each, 0);
const callBytes = encodeProtobuf(calls[0] as (typeof calls)[0]).length;
const inBlock = Math.floor(1_000_000 / callBytes);
printTable([
  [`${count} calls that are elided, of ${callBytes} bytes`, ""],
  ["calls of ChainState", String(seconds.length)],
  ["the longest, s", Math.max(...seconds).toFixed(1)],
  ["together, s", sum.toFixed(1)],
  ["for 1,000 of complexity, ms", ((sum * 1_000) / (count * 52)).toFixed(2)],
  [`a megabyte of them (${inBlock}), min`, ((sum / count) * (inBlock / 60)).toFixed(0)],
]);
