import type { OpenedMicroBlock } from "../../../durable/chain/liquid-chain.ts";
import { forgeMicroBlock } from "../../../durable/miner/forge-micro-block.ts";
import type { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import type { MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { BlockRun, noUsage } from "../../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../../src/rules/consensus/block-limits.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { richKey } from "../pool/signed-transfer.ts";

/** A micro-block of the node's pool, and the run in which it was packed. Whether the tip takes it is not asked. */
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

/** A micro-block by the key block's generator with just these transactions, as a node makes it that has forgotten old ids. */
export function microBlockOf({ chain }: SimulatedNode, transactions: readonly Transaction[]): MicroBlock {
  const { liquid, view } = chain;
  const { height } = view;
  const tip = chain.stored.tip();
  const run = new BlockRun({
    overlay: new OverlayView(view, { height }),
    blockVersion: BlockVersion.Protobuf,
    generator: tip.generator,
    blockTimestamp: tip.timestamp,
    previousBlockTimestamp: chain.stored.rowAt(height - 1).timestamp,
    ...{ limits: noLimits, usage: noUsage, verifySignatures: false },
    stateHash: tip.stateHash as BlockRun["stateHash"],
  });
  for (const transaction of transactions) run.add(transaction);
  return buildMicroBlock({
    liquid: liquid.block(),
    extension: { transactions, stateHash: run.stateHash, finalizationVoting: undefined },
    privateKey: richKey.privateKey,
    chainId: view.settings.chainId,
    random: secureRandomBytes,
  }).microBlock;
}
