/**
 * Extension of the node's own liquid block by a micro-block.
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: mining/microblocks/MicroBlockMinerImpl.scala
 */
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { FinalizationVoting, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock, type LiquidBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import type { BlockRun } from "../../../src/rules/blocks/block-run.ts";
import { hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { UtxPool } from "../pool/utx-pool.ts";

export interface ForgeMicroBlockOptions {
  /** State of the tip, which the account generated. */
  readonly view: StateView;
  readonly liquid: LiquidBlock;
  /** Run on top of the liquid block; it verifies signatures. */
  readonly run: BlockRun;
  readonly pool: UtxPool;
  readonly account: KeyPair;
  /**
   * Voting to carry; undefined: none. Called once there are transactions, since there is no micro-block without them.
   */
  readonly voting?: (() => FinalizationVoting | undefined) | undefined;
  readonly maxTransactions: number;
  readonly nowMs: number;
  /** Checked while transactions are packed. */
  readonly isTimeUp?: (() => boolean) | undefined;
  readonly random: RandomSource;
}

export interface ForgedMicroBlock {
  /** Undefined if no transaction of the pool fits. */
  readonly microBlock: MicroBlock | undefined;
  /** Whether the liquid block takes no more transactions. */
  readonly isBlockFull: boolean;
}

export function forgeMicroBlock(options: ForgeMicroBlockOptions): ForgedMicroBlock {
  const { view, liquid, run, pool, account, voting, maxTransactions, nowMs, isTimeUp, random } = options;
  const { functionality, chainId } = view.settings;
  const { transactions, isBlockFull } = pool.pack(run, { view, maxTransactions, nowMs, isTimeUp });
  if (transactions.length === 0) return { microBlock: undefined, isBlockFull };
  const carriesStateHash = hasLightNodeFields({ height: view.height, features: view, functionality });
  const { microBlock } = buildMicroBlock({
    liquid,
    extension: {
      transactions,
      stateHash: carriesStateHash ? run.stateHash : undefined,
      finalizationVoting: voting?.(),
    },
    privateKey: account.privateKey,
    chainId,
    random,
  });
  return { microBlock, isBlockFull };
}
