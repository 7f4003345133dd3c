import { beforeEach, describe, expect, test } from "vitest";
import { ServedBlocks } from "../../../../durable/chain-state/chain/served-blocks.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block, BlockId } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { parseBlockSnapshot } from "../../../../src/protocol/messages/block-snapshot.ts";
import { transactionTable } from "../../../../src/tables/blocks.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { blockAt, extend, nodeNamed, startMs } from "../../../support/builders/forked-nodes.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { chainId } = privateNetwork.blockchain;
const transfers = [1n, 2n, 3n, 4n].map((amount) => signedTransfer({ timestamp: BigInt(startMs), amount }));

/** Content of a form of the tip while it was the last one. */
interface SeenForm {
  readonly id: BlockId;
  readonly bytes: Uint8Array;
  /** State snapshots of all of its transactions. */
  readonly stateSnapshots: readonly Uint8Array[];
}

describe("of a chain whose tip has three micro-blocks, the last of them with two transactions,", () => {
  let node: SimulatedNode;
  let served: ServedBlocks;
  let forms: SeenForm[];

  beforeEach(() => {
    node = nodeNamed("served");
    node.mineTo(4);
    served = new ServedBlocks(node.chain.stored, node.node.store);
    forms = [seen(node)];
    for (const transfer of transfers.slice(0, 2)) {
      extend(node, [transfer]);
      forms.push(seen(node));
    }
    node.nowMs = Number(node.chain.stored.tip().timestamp);
    for (const transfer of transfers.slice(2)) node.broadcast(transfer);
    while (node.pool.size > 0) node.step();
    forms.push(seen(node));
    expect(forms.map(({ stateSnapshots }) => stateSnapshots.length)).toEqual([0, 1, 2, 4]);
  });

  const lastForm = () => forms[3] as SeenForm;

  test("each form of the tip is found by its id, as it was", () => {
    for (const { id, bytes } of forms) expect(served.findBlock(id)).toEqual(bytes);
  });

  test("and so are its state snapshots, all of them and those of its last micro-block", () => {
    for (const [index, { id, stateSnapshots }] of forms.entries()) {
      expect(parseBlockSnapshot(served.findSnapshot(id) as Uint8Array)).toEqual({
        blockId: id,
        snapshots: stateSnapshots,
      });
      const before = forms[index - 1];
      const ofMicroBlock = served.findMicroBlockSnapshot(id);
      if (before === undefined) expect(ofMicroBlock).toBeUndefined();
      else
        expect(parseBlockSnapshot(ofMicroBlock as Uint8Array)).toEqual({
          blockId: id,
          snapshots: stateSnapshots.slice(before.stateSnapshots.length),
        });
    }
  });

  test("only the last form remains once a block follows, and no block has micro-blocks any more", () => {
    node.mineTo(5);
    const { reference } = blockAt(node, 5).header;
    for (const { id, bytes } of forms) {
      const isLeft = id.every((byte, at) => byte === reference[at]);
      expect(served.findBlock(id)).toEqual(isLeft ? bytes : undefined);
      expect(served.findSnapshot(id) !== undefined).toBe(isLeft);
      expect(served.findMicroBlockSnapshot(id)).toBeUndefined();
    }
    expect(reference).toEqual(lastForm().id);
  });

  test("state snapshots that are not stored are not served", () => {
    node.node.store.rows("UPDATE tx SET snapshot = NULL WHERE height = 4 AND position = 1");
    expect(forms.map(({ id }) => served.findSnapshot(id) !== undefined)).toEqual([true, true, false, false]);
    expect(forms.map(({ id }) => served.findMicroBlockSnapshot(id) !== undefined)).toEqual([false, true, false, true]);
  });

  test("the last ids come newest first, with the tip's as it is now", () => {
    const ids = [4, 3, 2, 1].map((height) => blockAt(node, height).id);
    expect(served.lastIds(2)).toEqual(ids.slice(0, 2));
    expect(served.lastIds(100)).toEqual(ids);
    expect(ids[0]).toEqual(lastForm().id);
  });

  test("ids after the first known one begin with it, or with the tip if it was one of its forms", () => {
    const [first, second, third, fourth] = [1, 2, 3, 4].map((height) => blockAt(node, height).id) as BlockId[];
    const unknown = new Uint8Array(32).fill(7);
    expect(served.idsAfter([unknown, second as BlockId, first as BlockId], 1)).toEqual([second, third]);
    expect(served.idsAfter([second as BlockId, third as BlockId], 100)).toEqual([second, third, fourth]);
    expect(served.idsAfter([forms[1]?.id as BlockId, second as BlockId], 100)).toEqual([fourth]);
    expect(served.idsAfter([unknown], 100)).toEqual([]);
    expect(served.idsAfter([], 100)).toEqual([]);
  });

  test("the genesis block is served like every other", () => {
    const genesis = blockAt(node, 1);
    expect(served.findBlock(genesis.id)).toEqual(encodeBlock(genesis, chainId));
  });
});

function seen({ chain, node }: SimulatedNode): SeenForm {
  const { height } = chain.view;
  const block = chain.stored.findBlock(height) as Block;
  const rows = node.store.query(transactionTable, "WHERE height = ? ORDER BY position", height);
  return {
    id: block.id,
    bytes: encodeBlock(block, chainId),
    stateSnapshots: rows.map(({ snapshot }) => snapshot as Uint8Array),
  };
}
