/** Acts of a node with its chain and its pool. */

import { equalBytes } from "../../../../src/crypto/bytes.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { followerOf } from "../follower.ts";
import type { PreparedChain } from "./prepared-chain.ts";

export interface Act {
  readonly title: string;
  /** Whether all table changes are in one SQLite transaction: there is nothing between before and after. */
  readonly isOneChange: boolean;
  readonly run: (node: SimulatedNode, prepared: PreparedChain) => unknown;
}

/** Blocks and micro-blocks that the node makes in a run of an act. */
const OWN_STEPS = 3;

function oneChange(title: string, run: Act["run"]): Act {
  return { title, isOneChange: true, run };
}

export const acts: readonly Act[] = [
  oneChange("a key block on the tip", ({ node }, { next }) => node.append(next)),
  oneChange("a key block on an earlier form of the tip", ({ node }, { onEarlierForm }) => node.append(onEarlierForm)),
  oneChange("a competitor of the tip", ({ node }, { competitor }) => node.append(competitor)),
  // A failure after the commit leaves it applied; a peer that sends it again gets a known block.
  oneChange("a micro-block", ({ chain, node }, { microBlock }) =>
    equalBytes(chain.stored.tip().id, microBlock.totalBlockId) ? undefined : node.appendMicroBlock(microBlock),
  ),
  oneChange("a branch", ({ node }, { branch }) => node.appendBranch(branch)),
  oneChange("an extension of a peer", (node, { file }) =>
    followerOf(node).calls.applyExtension({ blocks: file, verified: "", name: "x", isLast: true }),
  ),
  oneChange("a revert", ({ node }) => node.revert(4)),
  oneChange("a revert that is forced", ({ node }) => node.revert(1, { isForced: true })),
  oneChange("an import", ({ node }, { file }) => node.importBlocks(file)),
  oneChange("a transaction", ({ node }, { transfer }) =>
    node.poolCalls.broadcastAll([{ signedTransaction: encodeProtobuf(transfer) }]),
  ),
  {
    title: "transactions that come together",
    // A transaction whose query fails does not affect the others.
    isOneChange: false,
    run: ({ node }, { transfers }) =>
      node.poolCalls.broadcastAll(transfers.map((each) => ({ signedTransaction: encodeProtobuf(each) }))),
  },
  {
    title: "own blocks",
    isOneChange: false,
    run: (node) => {
      for (let count = 0; count < OWN_STEPS; count++) node.step();
    },
  },
  {
    title: "own blocks, by alarm",
    isOneChange: false,
    run: async (node) => {
      for (let count = 0; count < OWN_STEPS; count++) {
        node.nowMs = Math.max(node.nowMs, node.miner.nextWakeMs(node.nowMs) ?? 0);
        await node.node.work();
      }
    },
  },
];
