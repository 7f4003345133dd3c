import { beforeAll, describe, expect, test } from "vitest";
import type { PeerCalls } from "../../../../durable/chain-state/peers/peer-calls.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { parseBlockSnapshot } from "../../../../src/protocol/messages/block-snapshot.ts";
import {
  hasValidMicroBlockInvSignature,
  parseMicroBlockInv,
} from "../../../../src/protocol/messages/micro-block-inv.ts";
import { parseTransactionSnapshot } from "../../../../src/protocol/snapshots/transaction-snapshot.ts";
import type { ChainEvents } from "../../../../src/rpc/chain-for-peers.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { transactionTable } from "../../../../src/tables/blocks.ts";
import { forgeChain, type GeneratedChain } from "../../../../verification/chain-generator/forge-chain.ts";
import { chainVariants } from "../../../../verification/chain-generator/generated-network.ts";
import {
  type Follower,
  follower,
  followerOf,
  listener,
  receivedBlocks,
  synchronize,
} from "../../../support/builders/follower.ts";

/** Tables that depend on the commits in which a node has grown: forms of the tip and numbers in lists. */
const ofSteps = [
  "micro_block",
  "counter",
  "account_number",
  "asset_balance_history",
  "account_nft",
  "account_lease",
  "account_alias",
];
const tables = stateTables.map(({ name }) => name).filter((name) => !ofSteps.includes(name));

describe.each(chainVariants)("two nodes of a chain whose features are %s", (variant) => {
  const { notifications, onChainEvents } = listener();
  let made: GeneratedChain;
  let source: PeerCalls;
  let chainId: number;

  beforeAll(() => {
    made = forgeChain({ variant, seed: 14, blocks: 30, peers: { onChainEvents } });
    source = followerOf(made.node).calls;
    ({ chainId } = made.network.settings.blockchain);
  });

  function newFollower(): Follower {
    const { blockchain, node } = made.network.settings;
    return follower({ blockchain, node, startMs: made.node.nowMs });
  }

  function expectSame({ node }: Follower): void {
    expect(node.height).toBe(made.node.height);
    expect(node.database.dump(tables)).toBe(made.node.database.dump(tables));
  }

  const microBlocksHeard = (): readonly NonNullable<ChainEvents["microBlock"]>[] =>
    notifications.flatMap(({ microBlock }) => (microBlock === undefined ? [] : [microBlock]));

  test("make the same chain when one follows the other's blocks and micro-blocks", async () => {
    const other = newFollower();
    for (const { block, microBlock, tip } of notifications) {
      // Voting rounds are no part of the chain.
      if (block === undefined && microBlock === undefined) continue;
      const verdict =
        block === undefined
          ? await other.calls.applyMicroBlock((microBlock as NonNullable<typeof microBlock>).microBlock)
          : await other.calls.applyBlock(receivedBlocks([block]));
      expect(verdict).toEqual({ kind: "applied", tip });
    }
    expect(microBlocksHeard()).toHaveLength(made.microBlocks);
    expectSame(other);
  });

  test("announce micro-blocks with the signature of their generator", () => {
    for (const { inv: bytes, totalId } of microBlocksHeard()) {
      const inv = parseMicroBlockInv(bytes);
      expect(inv.totalBlockId).toEqual(totalId);
      expect(hasValidMicroBlockInvSignature(inv, chainId)).toBe(true);
    }
  });

  test.each([
    ["extensions of ten blocks", { count: 10 }],
    ["an extension in parts of three blocks", { partOf: 3 }],
  ])("make the same chain of %s", async (_, sizes) => {
    const other = newFollower();
    const verdict = await synchronize(other, source, sizes);
    expect(verdict).toEqual({ kind: "applied", tip: made.node.node.chainTip() });
    expectSame(other);
  });

  test("serve every block as it was forged, and the state snapshots of its transactions", async () => {
    const { chain, node } = made.node;
    let [changeSets, missing] = [0, 0];
    for (let height = 1; height <= chain.view.height; height++) {
      const block = chain.stored.findBlock(height) as Block;
      expect(await source.findBlock(block.id)).toEqual(encodeBlock(block, chainId));
      const rows = node.store.query(transactionTable, "WHERE height = ? ORDER BY position", height);
      const payload = await source.findBlockSnapshot(block.id);
      if (payload === undefined) {
        expect(rows.some(({ snapshot }) => snapshot === undefined)).toBe(true);
        missing += 1;
        continue;
      }
      const { blockId, snapshots } = parseBlockSnapshot(payload);
      expect(blockId).toEqual(block.id);
      expect(snapshots).toEqual(rows.map(({ snapshot }) => snapshot));
      for (const [index, { id: transactionId }] of rows.entries())
        expect(() =>
          parseTransactionSnapshot(snapshots[index] as Uint8Array, { transactionId, chainId }),
        ).not.toThrow();
      changeSets += snapshots.length;
    }
    expect(changeSets + missing).toBeGreaterThan(10);
  });
});
