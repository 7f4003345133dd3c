import type { OpenedMicroBlock } from "../../../durable/chain-state/chain/liquid-chain.ts";
import { forgeMicroBlock } from "../../../durable/chain-state/miner/forge-micro-block.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { MicroBlock } from "../../../src/protocol/blocks/block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { microBlockAfter } from "../../../verification/chain-generator/micro-block-after.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { richKey } from "./signed-transfer.ts";

/** Micro-block of the node's pool, and the run in which it was packed. The tip need not accept it. */
export function packedMicroBlock(
  { chain: { view, liquid }, pool, nowMs }: SimulatedNode,
  maxTransactions = 5,
): { readonly microBlock: MicroBlock; readonly opened: OpenedMicroBlock } {
  const opened = liquid.openMicroBlock({ verifySignatures: true });
  const { microBlock } = forgeMicroBlock({
    view,
    liquid: liquid.block(),
    run: opened.run,
    pool,
    account: richKey,
    maxTransactions,
    nowMs,
    random: secureRandomBytes,
  });
  if (microBlock === undefined) throw new Error("no micro-block was made");
  return { microBlock, opened };
}

/** Micro-block by the key block's generator with exactly these transactions, without the pool's checks. */
export function microBlockOf({ chain }: SimulatedNode, transactions: readonly Transaction[]): MicroBlock {
  return microBlockAfter(chain, { key: richKey, transactions }, secureRandomBytes);
}
