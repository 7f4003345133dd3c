/** dApp that reads and writes keys which are the same as UTF-8, and checks whether accounts have data. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, Digest, KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { AuthorizedTransaction, DataEntry } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { BlockRun, noUsage } from "../../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../../src/rules/consensus/block-limits.ts";
import { headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { DataSpellings } from "../../../src/rules/state/data-spellings.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { BlockForger } from "../../../verification/chain-generator/block-forger.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { compiled } from "./dapps.ts";
import { signedBy } from "./signed-by.ts";
import { poorKey, richKey, signedTransfer } from "./signed-transfer.ts";

const { blockchain, node: settings } = privateNetwork;
/** Short interval, so that many micro-blocks come before the next key block. */
const miner = { ...settings.miner, microBlockIntervalMs: 1 };
const { chainId } = blockchain;
export const addressOf = ({ publicKey }: typeof richKey): Address => addressOfPublicKey(publicKey, chainId);
const startMs = Number(blockchain.genesis.blockTimestampMs);
/** Tables that follow from the blocks alone, in whichever form they arrived. */
export const tables = stateTables
  .map(({ name }) => name)
  .filter((name) => name !== "micro_block" && name !== "state_hash");
/** Keys that are the same as UTF-8. */
export const [high, low, mark] = ["a\ud83d", "a\ude00", "a?"] as const;

const script = compiled(
  6,
  `let high = dropRight("a😀", 1)
   let low = "a" + takeRight("a😀", 1)
   func integer(key: String) = getInteger(this, key).valueOrElse(-1).toString()
   @Callable(i)
   func check(of: ByteVector) = [BooleanEntry("untouched", isDataStorageUntouched(Address(of)))]
   @Callable(i)
   func write(half: Boolean, value: Int) = [IntegerEntry(if (half) then high else "a?", value)]
   @Callable(i)
   func forget(half: Boolean) = [DeleteEntry(if (half) then high else "a?")]
   @Callable(i)
   func read() = [StringEntry("read", integer(high) + " " + integer(low) + " " + integer("a?"))]`,
);

function callOf(name: string, ...args: readonly object[]) {
  const dApp = { kind: "address", address: addressOf(richKey) };
  const call = { function: name, args };
  return { type: TransactionType.InvokeScript, version: 2, fee: 900_000n, payments: [], dApp, call } as const;
}
const check = callOf("check", { type: "binary", value: addressOf(poorKey) });
const blocks = new BlockForger(secureRandomBytes);

/**
 * Node whose richest account has the script, and the other one some money, since block 2. The tip is block 3, without
 * transactions.
 */
export class Scene {
  readonly node: SimulatedNode;
  #sent = 0;

  /** @param network by default one whose WAVES all belong to the richest account */
  constructor(network: BlockchainSettings = blockchain) {
    this.node = new SimulatedNode({ blockchain: network, startMs, node: { ...settings, miner } });
    this.node.mineTo(2);
    const { node } = this;
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), amount: 1_000_000_000n }));
    const common = { version: 2, fee: 10_000_000n, script } as const;
    this.send({ type: TransactionType.SetScript, ...common });
    node.mineTo(3);
  }

  /** Sends a transaction into a micro-block of its own. */
  send(wish: object, key = richKey): void {
    const { node } = this;
    // Long before the next key block is due.
    node.nowMs = Number(node.chain.stored.tip().timestamp) + this.#sent;
    node.broadcast(this.transactionOf(wish, key));
    while (node.pool.size > 0) node.step();
  }

  transactionOf(wish: object, key = richKey): AuthorizedTransaction {
    const timestamp = this.node.chain.stored.tip().timestamp + BigInt(this.#sent++);
    const common = { chainId, sender: key.publicKey, feeAsset: null, proofs: [], timestamp };
    return signedBy(key, buildTransaction({ ...common, ...wish } as unknown as AuthorizedTransaction));
  }

  sendData(data: readonly DataEntry[], key = poorKey): void {
    this.send({ type: TransactionType.Data, version: 2, fee: 500_000n, data }, key);
  }

  call(name: string, ...args: readonly object[]): void {
    this.send(callOf(name, ...args));
  }

  /** Result of the dApp's check that the other account never had data. */
  isUntouched(): unknown {
    this.send(check);
    return this.entry("untouched");
  }

  /** Key block after the tip with the same check as a call of its own. */
  checkingBlock(): Block {
    const { chain, nowMs } = this.node;
    this.node.nowMs = nowMs + 1_000_000_000;
    return blocks.valid(chain, { key: richKey, transactions: [this.transactionOf(check)] });
  }

  /**
   * Challenging block of another account. The original is one of the richest account with the same call and a wrong
   * state hash.
   */
  challengingBlock(key: KeyPair): Block {
    const { chain, nowMs } = this.node;
    this.node.nowMs = nowMs + 1_000_000_000;
    const original = blocks.wrong(chain, {
      key: richKey,
      timestamp: blocks.earliestTimestamp(chain.view, richKey) + 1_000_000n,
      transactions: [this.transactionOf(check)],
    });
    return blocks.challenging(chain, original, { key });
  }

  write(half: boolean, value: number): void {
    this.call("write", { type: "boolean", value: half }, { type: "integer", value: BigInt(value) });
  }

  /** Integers at the three keys. */
  read(): unknown {
    this.call("read");
    return this.entry("read");
  }

  /** The same integers, read in a micro-block of another node. */
  readElsewhere(spellings: DataSpellings): unknown {
    this.node.node.appendMicroBlock(this.readingMicroBlock(spellings));
    return this.entry("read");
  }

  readingMicroBlock(spellings: DataSpellings, stateHash?: Digest): MicroBlock {
    const { view, liquid, stored } = this.node.chain;
    const { height } = view;
    const transactions = [this.transactionOf(callOf("read"))];
    const { header } = headerAt(view, height);
    const run = new BlockRun({
      overlay: new OverlayView(view, { height, spellings }),
      blockVersion: header.version,
      generator: addressOf(richKey),
      blockTimestamp: header.timestamp,
      previousBlockTimestamp: headerAt(view, height - 1).header.timestamp,
      limits: noLimits,
      usage: noUsage,
      stateHash: stored.tip().stateHash as Digest,
      verifySignatures: false,
    });
    for (const transaction of transactions) run.add(transaction);
    return buildMicroBlock({
      liquid: liquid.block(),
      extension: { transactions, stateHash: stateHash ?? run.stateHash, finalizationVoting: undefined },
      privateKey: richKey.privateKey,
      chainId,
      random: secureRandomBytes,
    }).microBlock;
  }

  entry(key: string): unknown {
    return this.node.chain.view.findData(addressOf(richKey), key)?.value;
  }

  /** Integers at the three keys, once the block has been stored. */
  stored(): unknown {
    const { view } = this.node.chain;
    return [high, low, mark].map((key) => view.findStoredData(addressOf(richKey), key)?.value);
  }

  next(): void {
    this.node.mineTo(this.node.height + 1);
  }

  /** The same node restarted on its tables. */
  restarted(): SimulatedNode {
    return new SimulatedNode({ startMs: this.node.nowMs, database: this.node.database });
  }
}

/** Node that got the blocks whole. */
export function wholeCopy({ node }: Scene): SimulatedNode {
  const copy = new SimulatedNode({ blockchain: node.chain.view.settings, startMs: node.nowMs });
  for (let height = 2; height <= node.height; height++) copy.append(node.chain.stored.findBlock(height) as Block);
  return copy;
}
