/** Depth limit of forks and rollbacks. */

/** Blocks below the tip that may still be replaced. @source Waves: settings/BlockchainSettings.scala, maxRollback */
export const maxForkDepth = 100;

/**
 * Height of the last final block: no fork and no rollback removes it, except one that an owner forces.
 * @param tipHeight of the chain
 * @param voted height finalized by the votings below the tip; without one, a block is final a hundred blocks later
 * @source docs/protocol/consensus-and-finality.md 3.8
 */
export function finalizedHeight(tipHeight: number, voted = 1): number {
  return Math.max(tipHeight - maxForkDepth, voted, 1);
}

/**
 * Height that is final once the next block is appended.
 * @param before the same height, from the parent
 * @param isParentFinalized whether the block's own voting finalizes its parent
 * @source docs/protocol/consensus-and-finality.md 3.8; Waves 1.6: state/FinalizationState.scala
 */
export function finalizedAfter(height: number, before: number, isParentFinalized: boolean): number {
  return isParentFinalized ? height - 1 : finalizedHeight(height, before);
}
