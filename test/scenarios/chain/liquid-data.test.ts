/**
 * Data of the liquid block: one state for its key block and all of its micro-blocks, as the reference has one snapshot
 * of them on top of its database. After that a reference process remembers an entry for each spelling of a key.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { Digest } from "../../../src/crypto/identities.ts";
import { Feature } from "../../../src/network/features.ts";
import { addressHash, inHashTableOrder, pairHash, textHash } from "../../../src/protocol/hash-table-order.ts";
import { DataSpellings } from "../../../src/rules/state/data-spellings.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { StoredParent } from "../../../src/rules/state/stored-parent.ts";
import { violationCodeOf } from "../../support/builders/forked-nodes.ts";
import { addressOf, high, low, mark, Scene, tables, wholeCopy } from "../../support/builders/liquid-scene.ts";
import { networkOf } from "../../support/builders/next-block.ts";
import { poorKey, richKey, walletKey } from "../../support/builders/signed-transfer.ts";

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

  test("leaves the same in a block that came whole, and in a restarted node", () => {
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

  test("is forgotten with its micro-block, and does not show in a later entry", () => {
    const scene = new Scene();
    const { node } = scene;
    const before = node.database.dump(tables);
    scene.sendData([]);
    node.chain.committer.atomic(() => node.chain.committer.rollBack({ height: node.height, step: 0 }));
    expect(node.database.dump(tables)).toBe(before);
    expect(node.chain.view.hasData(addressOf(poorKey))).toBe(false);
    scene.sendData([]);
    scene.sendData([{ key: "k", value: { type: "integer", value: 1n } }]);
    expect(node.chain.view.hasStoredData(addressOf(poorKey))).toBe(true);
    expect(wholeCopy(scene).database.dump(tables)).toBe(node.database.dump(tables));
  });
});

describe("a key block with a transaction of its own", () => {
  test("finds its parent liquid, as does a node that gets it later", () => {
    const scene = new Scene();
    scene.sendData([]);
    const block = scene.checkingBlock();
    scene.node.node.append(block, { ownsTransactions: true });
    expect(scene.entry("untouched")).toBe(false);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
  });

  test("finds it stored where it replaces another block", () => {
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
    expect(scene.restarted().chain.view.isStored(3)).toBe(true);
    expect(violationCodeOf(() => node.node.append(liquid, { ownsTransactions: true }))).toBe("stateHashWrong");
    expect(untouched()).toBe(true);
  });
});

describe("a block that challenges another one", () => {
  const challenger = walletKey(2);
  const network = networkOf(Feature.BoostBlockReward, [{ key: challenger, amount: 1_000_000_000_000_000n }]);

  test.each([
    ["a key block, finds its parent liquid", false],
    ["a micro-block, finds it stored", true],
  ])("in place of %s, as does a node that gets it later or while it lacks the original", (_, isUntouched) => {
    const scene = new Scene(network);
    scene.sendData([]);
    const copy = wholeCopy(scene);
    const { node } = scene;
    // A key block is rolled back for a challenge of its micro-block.
    if (isUntouched) {
      scene.next();
      node.chain.forks.revertTo(3);
    }
    const challenge = scene.challengingBlock(challenger);
    node.node.append(challenge, { ownsTransactions: true });
    expect(scene.entry("untouched")).toBe(isUntouched);
    expect(wholeCopy(scene).database.dump(tables)).toBe(node.database.dump(tables));
    copy.nowMs = node.nowMs;
    copy.node.append(challenge, { ownsTransactions: true });
    expect(copy.database.dump(tables)).toBe(node.database.dump(tables));
  });
});

describe("keys that are the same as UTF-8", () => {
  test("are different keys in all of the block, and one from the next one on", () => {
    const scene = new Scene();
    scene.write(true, 1);
    expect(scene.read()).toBe("1 -1 -1");
    scene.write(false, 2);
    expect(scene.read()).toBe("1 -1 2");
    expect(scene.restarted().chain.view.findData(addressOf(richKey), high)?.value).toBe(1n);
    scene.next();
    // Only the second one had been read before.
    expect(scene.stored()).toEqual([1n, 1n, 1n]);
    scene.write(true, 3);
    expect([high, low, mark].map((key) => scene.entry(key))).toEqual([3n, 1n, 1n]);
    scene.call("forget", { type: "boolean", value: true });
    expect([high, low, mark].map((key) => scene.entry(key))).toEqual([undefined, 1n, 1n]);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
    scene.next();
    expect(scene.stored()).toEqual([undefined, undefined, undefined]);
  });

  test("are restored when a micro-block, or the next block, is rolled back", () => {
    const scene = new Scene();
    const { chain } = scene.node;
    scene.write(true, 1);
    const micro = scene.node.database.dump(tables);
    scene.write(true, 2);
    chain.committer.atomic(() => chain.committer.rollBack({ height: 3, step: 1 }));
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

describe("an entry that a spelling had in earlier blocks", () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
    scene.write(true, 1);
    scene.next();
    scene.write(false, 2);
    scene.next();
  });

  test.each([
    ["has run for long", {}, "1 2 2"],
    ["was started again", { since: 4 }, "2 2 2"],
    ["has read it in its pool before the last block that wrote it", { hasReadBefore: true }, "1 1 2"],
    ["has done both, in this order", { since: 4, hasReadBefore: true }, "1 1 2"],
  ] as const)("is what it is to a generator whose process %s", (_, options, read) => {
    expect(scene.readElsewhere(new DataSpellings(options))).toBe(read);
    expect(scene.readElsewhere(new DataSpellings()), "and stays it").toBe(read);
    expect(scene.restarted().chain.view.rememberedData(addressOf(richKey), low).last?.height).toBe(5);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
  });

  test("that is of no process at all makes a wrong state hash", () => {
    const wrong = new Uint8Array(32).fill(1) as Digest;
    const microBlock = scene.readingMicroBlock(new DataSpellings(), wrong);
    expect(violationCodeOf(() => scene.node.node.appendMicroBlock(microBlock))).toBe("stateHashWrong");
  });

  test("is forgotten by a rollback", () => {
    const { chain, database } = scene.node;
    const before = database.dump(tables);
    scene.readElsewhere(new DataSpellings({ since: 5 }));
    chain.committer.atomic(() => chain.committer.rollBack({ height: 5, step: 0 }));
    expect(database.dump(tables)).toBe(before);
    chain.forks.revertTo(3);
    const { last } = chain.view.rememberedData(addressOf(richKey), mark);
    expect(last).toBeUndefined();
  });

  test("keeps a call out of the pool and of own blocks", () => {
    expect(violationCodeOf(() => scene.read())).toBe("generic");
    expect(scene.node.pool.size).toBe(0);
  });
});

describe("of two spellings that a block writes", () => {
  /** @param others entries of other keys in the same block */
  function storedOf(scene: Scene, writes: readonly (readonly [half: boolean, value: number])[], others = 0): unknown {
    for (const [half, value] of writes) scene.write(half, value);
    const data = Array.from({ length: others }, (_, number) => ({
      ...{ key: `k${number}`, value: { type: "boolean", value: true } as const },
    }));
    if (others > 0) scene.sendData(data);
    expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
    return (scene.stored() as unknown[])[0];
  }

  test("the one first written last is stored", () => {
    expect(
      storedOf(new Scene(), [
        [true, 1],
        [false, 2],
        [true, 3],
      ]),
    ).toBe(2n);
    expect(
      storedOf(new Scene(), [
        [false, 1],
        [true, 2],
        [false, 3],
      ]),
    ).toBe(2n);
  });

  test("one that was written or read before comes before the others", () => {
    const scene = new Scene();
    scene.write(true, 1);
    scene.next();
    expect(
      storedOf(scene, [
        [false, 2],
        [true, 3],
      ]),
    ).toBe(2n);
  });

  test("the order is that of their hashes once the block has more than four entries", () => {
    const names = [high, mark, ...Array.from({ length: 5 }, (_, number) => `k${number}`)];
    const hashOf = (key: string) =>
      pairHash(addressHash(addressOf(key.startsWith("k") ? poorKey : richKey)), textHash(key));
    const ordered = inHashTableOrder(names, hashOf);
    const isHighLast = ordered.indexOf(high) > ordered.indexOf(mark);
    expect(
      storedOf(
        new Scene(),
        [
          [false, 1],
          [true, 2],
        ],
        5,
      ),
    ).toBe(isHighLast ? 2n : 1n);
    expect(
      storedOf(
        new Scene(),
        [
          [true, 2],
          [false, 1],
        ],
        5,
      ),
    ).toBe(isHighLast ? 2n : 1n);
  });
});

test("a read by a script, of a key that is written later by another spelling, is remembered as well", () => {
  const scene = new Scene();
  expect(scene.read()).toBe("-1 -1 -1");
  scene.next();
  scene.write(true, 1);
  scene.next();
  expect(scene.stored()).toEqual([1n, 1n, 1n]);
  expect(scene.readElsewhere(new DataSpellings())).toBe("1 -1 -1");
  expect(wholeCopy(scene).database.dump(tables)).toBe(scene.node.database.dump(tables));
});
