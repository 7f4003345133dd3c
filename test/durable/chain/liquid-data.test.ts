/**
 * Data of the liquid block: one state for its key block and all of its micro-blocks, as the reference has one snapshot of them on top of
 * its database.
 */
import { describe, expect, test } from "vitest";
import { BlockMaker } from "../../../scripts/tools/chain-maker/challenged-blocks.ts";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { AuthorizedTransaction, DataEntry } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { StoredParent } from "../../../src/rules/state/stored-parent.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { compiled } from "../../rules/transactions/invoke/dapps.ts";
import { signedBy } from "../pool/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../pool/signed-transfer.ts";
import { faultOf } from "./forked-nodes.ts";

const { blockchain, node: settings } = privateNetwork;
/** So that many micro-blocks come before the next key block. */
const miner = { ...settings.miner, microBlockIntervalMs: 1 };
const { chainId } = blockchain;
const addressOf = ({ publicKey }: typeof richKey): Address => addressOfPublicKey(publicKey, chainId);
const startMs = Number(blockchain.genesis.blockTimestampMs);
/** What follows from the blocks, whatever their parts were. */
const tables = stateTables.map(({ name }) => name).filter((name) => name !== "micro_block" && name !== "state_hash");
/** Keys that are the same as UTF-8. */
const [high, low, mark] = ["a\ud83d", "a\ude00", "a?"] as const;

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
const blocks = new BlockMaker(secureRandomBytes);

/** The richest account has the script, and the other one some money, in block 2; the tip is block 3, without transactions. */
class Scene {
  readonly node = new SimulatedNode({ startMs, node: { ...settings, miner } });
  #sent = 0;

  constructor() {
    this.node.mineTo(2);
    const { node } = this;
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs), amount: 1_000_000_000n }));
    const common = { version: 2, fee: 10_000_000n, script } as const;
    this.send({ type: TransactionType.SetScript, ...common });
    node.mineTo(3);
  }

  /** Each transaction has a micro-block of its own. */
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

  /** Whether the dApp finds that the other account never had data. */
  isUntouched(): unknown {
    this.send(check);
    return this.entry("untouched");
  }

  /** The key block after the tip with a call of its own, which asks the same. */
  checkingBlock(): Block {
    const { chain, nowMs } = this.node;
    this.node.nowMs = nowMs + 1_000_000_000;
    return blocks.valid(chain, { key: richKey, transactions: [this.transactionOf(check)] });
  }

  write(half: boolean, value: number): void {
    this.call("write", { type: "boolean", value: half }, { type: "integer", value: BigInt(value) });
  }

  /** Integers at the three keys. */
  read(): unknown {
    this.call("read");
    return this.entry("read");
  }

  entry(key: string): unknown {
    return this.node.chain.view.findData(addressOf(richKey), key)?.value;
  }

  next(): void {
    this.node.mineTo(this.node.height + 1);
  }

  /** The same node, which reads its tables anew. */
  restarted(): SimulatedNode {
    return new SimulatedNode({ startMs: this.node.nowMs, database: this.node.database });
  }
}

/** A node that got the blocks whole. */
function wholeCopy({ node }: Scene): SimulatedNode {
  const copy = new SimulatedNode({ startMs: node.nowMs });
  for (let height = 2; height <= node.height; height++) copy.append(node.chain.stored.findBlock(height) as Block);
  return copy;
}

describe("a data transaction without entries", () => {
  test("counts until its block has a successor, and not from then on", () => {
    const scene = new Scene();
    expect(scene.isUntouched()).toBe(true);
    scene.sendData([]);
    expect(scene.isUntouched()).toBe(false);
    scene.next();
    expect(scene.isUntouched()).toBe(true);
    scene.sendData([{ key: "k", value: { type: "integer", value: 1n } }]);
    scene.next();
    expect(scene.isUntouched()).toBe(false);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
  });

  test("leaves the same in a block that came whole, and in a node that was started again", () => {
    const scene = new Scene();
    scene.sendData([]);
    expect(scene.isUntouched()).toBe(false);
    const copy = wholeCopy(scene);
    expect(copy.database.dump(tables)).toBe(scene.node.database.dump(tables));
    for (const { chain } of [scene.restarted(), copy]) {
      expect(chain.view.hasData(addressOf(poorKey))).toBe(true);
      expect(chain.view.hasStoredData(addressOf(poorKey))).toBe(false);
    }
  });

  test("is forgotten with its micro-block, and is nothing that a later entry hides", () => {
    const scene = new Scene();
    const { node } = scene;
    const before = node.database.dump(tables);
    scene.sendData([]);
    node.chain.steps.atomic(() => node.chain.steps.takeBack({ height: node.height, step: 0 }));
    expect(node.database.dump(tables)).toBe(before);
    expect(node.chain.view.hasData(addressOf(poorKey))).toBe(false);
    scene.sendData([]);
    scene.sendData([{ key: "k", value: { type: "integer", value: 1n } }]);
    expect(node.chain.view.hasStoredData(addressOf(poorKey))).toBe(true);
    expect(wholeCopy(scene).database.dump(tables)).toBe(node.database.dump(tables));
  });
});

describe("a key block with a transaction of its own", () => {
  test("finds its parent liquid, as does who gets it later", () => {
    const scene = new Scene();
    scene.sendData([]);
    const block = scene.checkingBlock();
    scene.node.node.append(block, { ownsTransactions: true });
    expect(scene.entry("untouched")).toBe(false);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
  });

  test("finds it stored where it comes in place of another block", () => {
    const scene = new Scene();
    scene.sendData([]);
    const liquid = scene.checkingBlock();
    const { node } = scene;
    const untouched = () => {
      node.append(scene.checkingBlock());
      return scene.entry("untouched");
    };
    expect(untouched()).toBe(false);
    node.chain.forks.revertTo(3);
    expect(faultOf(() => node.node.append(liquid, { ownsTransactions: true }))).toBe("stateHashWrong");
    expect(untouched()).toBe(true);
  });
});

describe("keys that are the same as UTF-8", () => {
  test("are told apart in all of the block, and are one from the next one on", () => {
    const scene = new Scene();
    scene.write(true, 1);
    expect(scene.read()).toBe("1 -1 -1");
    scene.write(false, 2);
    expect(scene.read()).toBe("1 -1 2");
    expect(scene.restarted().chain.view.findData(addressOf(richKey), high)?.value).toBe(1n);
    scene.next();
    expect(scene.read()).toBe("2 2 2");
    scene.write(true, 3);
    expect(scene.read()).toBe("3 2 2");
    scene.call("forget", { type: "boolean", value: true });
    expect(scene.read()).toBe("-1 2 2");
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
    scene.next();
    expect(scene.read()).toBe("-1 -1 -1");
  });

  test("come back as they were when a micro-block, or the next block, is taken back", () => {
    const scene = new Scene();
    const { chain } = scene.node;
    scene.write(true, 1);
    const micro = scene.node.database.dump(tables);
    scene.write(true, 2);
    chain.steps.atomic(() => chain.steps.takeBack({ height: 3, step: 1 }));
    expect(scene.node.database.dump(tables)).toBe(micro);
    expect([high, low, mark].map((key) => chain.view.findData(addressOf(richKey), key)?.value)).toEqual([
      1n,
      undefined,
      undefined,
    ]);
    scene.next();
    expect(chain.view.findData(addressOf(richKey), low)?.value).toBe(1n);
    chain.forks.revertTo(3);
    expect(scene.node.database.dump(tables)).toBe(micro);
  });

  test("are one in a block above that was made when this one had been stored", () => {
    const scene = new Scene();
    scene.write(true, 1);
    const { view } = scene.node.chain;
    const storedParent = new StoredParent();
    expect(new OverlayView(view, { height: 4, storedParent }).findData(addressOf(richKey), low)?.value).toBe(1n);
    expect(storedParent.hasMattered).toBe(true);
    expect(new OverlayView(view, { height: 4 }).findData(addressOf(richKey), low)).toBeUndefined();
  });
});
