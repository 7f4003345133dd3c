/** Block with a call that takes much longer than its complexity suggests: RSA keys of the maximum length. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { encodeBase64 } from "../../../src/crypto/base64.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { Feature } from "../../../src/network/features.ts";
import type { Block, BlockHeader, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Script, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { ScriptWork } from "../../../src/ride/evaluator/script-work.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import { BlockForger } from "../../../verification/chain-generator/block-forger.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { keyBytes } from "../../../verification/fuzz/families/rsa-key-bytes.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { networkOf } from "./next-block.ts";
import { signedBy } from "./signed-by.ts";
import { richKey, walletKey } from "./signed-transfer.ts";
import { dAppOf } from "./test-scripts.ts";

const waves = 100_000_000n;
const generator = walletKey(1);
export const longCallNetwork = networkOf(Feature.BoostBlockReward, [{ key: generator, amount: 10_000_000n * waves }]);
const { chainId } = longCallNetwork;
/** A callable may have a complexity of 10,000, and a verification has 1,000. */
const KEYS_OF_FUNCTION = 9;
/** The last eight bytes of a modulus differ from key to key: a script writes them as a number. */
const TAIL_BYTES = 8;
const LARGEST_FACTOR = 743n;

/** Result for any power as for a composite modulus and a wrong signature: the block is made in no time. */
const foreseen: ScriptWork = {
  spend: () => {},
  evaluate: (_, __, ___, evaluate) => evaluate(),
  step: ({ name, compute }) => (name === "power" ? Uint8Array.of(5) : compute()),
};

/**
 * Callable that checks signatures of `keys` keys, all invalid.
 * @param bits of the moduli and exponents
 */
function scriptOf(bits: number, keys: number): Script {
  const random = new SeededRandom(`${bits} bits`);
  const size = 1n << BigInt(bits - 1);
  const number = () => BigInt(`0x${Buffer.from(random.bytes(bits / 8)).toString("hex")}`) % size;
  const modulus = ((size + number()) >> 64n) << 64n;
  const encoded = keyBytes({ modulus, exponent: number() | 1n });
  // The modulus is followed by the exponent's tag, its length and its bytes.
  const end = Buffer.from(encoded).indexOf(Buffer.from(modulus.toString(16), "hex")) + bits / 8;
  const texts = [encoded.subarray(0, end - TAIL_BYTES), encoded.subarray(end)].map(encodeBase64);
  const tails = tailsOf(modulus, keys);
  const functions: string[] = [];
  for (let first = 0; first < keys; first += KEYS_OF_FUNCTION) {
    const some = tails.slice(first, first + KEYS_OF_FUNCTION).map((tail) => `holds(${tail})`);
    functions.push(
      `@Callable(i)\nfunc part${functions.length}() = if (${some.join(" || ")}) then throw("never") else []`,
    );
  }
  const parts = functions.map((_, index) => `strict r${index} = invoke(this, "part${index}", [], [])`);
  return dAppOf(`let head = base64'${texts[0]}'
let end = base64'${texts[1]}'
func holds(tail: Int) = rsaVerify(SHA256, base58'', base58'3', head + toBytes(tail) + end)
${functions.join("\n")}
@Callable(i)
func call() = {
${parts.join("\n")}
[]
}`);
}

/** Odd endings that give the modulus no small factors. */
function tailsOf(modulus: bigint, count: number): readonly bigint[] {
  const tails: bigint[] = [];
  for (let tail = 1n; tails.length < count; tail += 2n) {
    let factor = 3n;
    while (factor <= LARGEST_FACTOR && (modulus + tail) % factor !== 0n) factor += 2n;
    if (factor > LARGEST_FACTOR) tails.push(tail);
  }
  return tails;
}

export interface LongCalls {
  readonly transactions: readonly Transaction[];
  /** Block of another node with the calls. */
  readonly block: Block;
  /** The same generator's block without the calls. */
  readonly empty: Block;
  /** Extends the empty block by the calls, which are executed for it. */
  readonly microBlock: () => MicroBlock;
  /** Block with a wrong state hash and without calls. */
  readonly wrong: Block;
  /** Blocks before these, from height 2. */
  readonly before: readonly Block[];
  /** Time later than all of them, ms. */
  readonly nowMs: number;
}

/**
 * Calls that each check `keys` keys of `bits` bits.
 * @param header fields that replace the right ones
 */
export function longCalls(
  { bits, keys, calls = 1 }: { readonly bits: number; readonly keys: number; readonly calls?: number },
  header: Partial<BlockHeader> = {},
): LongCalls {
  const maker = new BlockForger(secureRandomBytes);
  const startMs = Number(longCallNetwork.genesis.blockTimestampMs);
  const node = new SimulatedNode({ blockchain: longCallNetwork, startMs });
  node.mineTo(2);
  node.nowMs = Number(headerAt(node.chain.view, 2).header.timestamp) + 1_000_000_000;
  const { timestamp } = node.chain.stored.tip();
  const common = { chainId, feeAsset: null, proofs: [], sender: richKey.publicKey, version: 2, fee: waves } as const;
  const script = scriptOf(bits, keys);
  const setScript = buildTransaction({ ...common, type: TransactionType.SetScript, timestamp, script });
  node.append(maker.valid(node.chain, { key: generator, transactions: [signedBy(richKey, setScript)] }));
  const dApp = { kind: "address", address: addressOfPublicKey(richKey.publicKey, chainId) } as const;
  const ofCall = { ...common, type: TransactionType.InvokeScript, dApp, payments: [] } as const;
  const transactions = Array.from({ length: calls }, (_, index) => {
    const call = { function: "call", args: [] };
    return signedBy(richKey, buildTransaction({ ...ofCall, call, timestamp: timestamp + BigInt(index) }));
  });
  const before = [2, 3].map((height) => node.chain.stored.findBlock(height) as Block);
  const block = maker.valid(node.chain, { key: generator, transactions, work: foreseen, ...header });
  const wrong = maker.wrong(node.chain, { key: generator });
  const empty = maker.valid(node.chain, { key: generator });
  node.append(empty);
  return {
    transactions,
    block,
    empty,
    microBlock: () => microBlockOn(node, transactions),
    wrong,
    before,
    nowMs: node.nowMs,
  };
}

function microBlockOn({ chain }: SimulatedNode, transactions: readonly Transaction[]): MicroBlock {
  const { liquid } = chain;
  const { run } = liquid.openMicroBlock({ verifySignatures: true });
  for (const transaction of transactions) run.add(transaction);
  const extension = { transactions, stateHash: run.stateHash, finalizationVoting: undefined };
  const { privateKey } = generator;
  return buildMicroBlock({ liquid: liquid.block(), extension, privateKey, chainId, random: secureRandomBytes })
    .microBlock;
}

/** Node that has the blocks before. @param database by default a new one */
export function nodeBefore(
  { before, nowMs }: Pick<LongCalls, "before" | "nowMs">,
  database?: SimulatedNode["database"],
): SimulatedNode {
  const node = new SimulatedNode({ blockchain: longCallNetwork, startMs: nowMs, ...(database && { database }) });
  for (const block of before.slice(node.height - 1)) node.append(block);
  return node;
}
