/** Micro-blocks with chosen transactions, independent of the pool. */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { KeyPair } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { MicroBlock } from "../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../src/protocol/blocks/liquid-block.ts";
import { microBlockSignedBytes } from "../../src/protocol/messages/micro-block.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { BlockRun, noUsage } from "../../src/rules/blocks/block-run.ts";
import { noLimits } from "../../src/rules/consensus/block-limits.ts";
import { headerAt } from "../../src/rules/consensus/next-block.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";

export interface MicroBlockOptions {
  /** Key pair of the key block's generator. */
  readonly key: KeyPair;
  readonly transactions: readonly Transaction[];
  /** Default: that of the block. */
  readonly version?: number;
}

/**
 * A micro-block on the chain's tip, made without the check for repeated ids, as by a node that has forgotten old ones.
 */
export function microBlockAfter(
  { liquid, stored, view }: Chain,
  { key: { privateKey }, transactions, version }: MicroBlockOptions,
  random: RandomSource,
): MicroBlock {
  const { height } = view;
  const tip = stored.tip();
  const run = new BlockRun({
    overlay: new OverlayView(view, { height }),
    blockVersion: headerAt(view, height).header.version,
    generator: tip.generator,
    blockTimestamp: tip.timestamp,
    previousBlockTimestamp: stored.rowAt(height - 1).timestamp,
    ...{ limits: noLimits, usage: noUsage, verifySignatures: false },
    stateHash: tip.stateHash as BlockRun["stateHash"],
  });
  for (const transaction of transactions) run.add(transaction);
  const { microBlock } = buildMicroBlock({
    liquid: liquid.block(),
    extension: { transactions, stateHash: run.stateHash, finalizationVoting: undefined },
    ...{ privateKey, random, chainId: view.settings.chainId },
  });
  if (version === undefined) return microBlock;
  const unsigned = { ...microBlock, version };
  return { ...unsigned, signature: sign(privateKey, microBlockSignedBytes(unsigned), random(64)) };
}
