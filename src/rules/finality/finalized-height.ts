/** How deep a fork or a rollback may reach. */

/** Blocks below the tip that may still be replaced. @source Waves: settings/BlockchainSettings.scala, maxRollback */
export const maxForkDepth = 100;

/**
 * Height of the last block that no fork and no rollback takes back any more, but one that an owner forces.
 * @param tipHeight of the chain
 * @param voted what the votings below the tip have finalized; where none has, a block is final a hundred blocks later
 * @source docs/protocol/consensus-and-finality.md 3.8
 */
export function finalizedHeight(tipHeight: number, voted = 1): number {
  return Math.max(tipHeight - maxForkDepth, voted, 1);
}

/**
 * What a block leaves to the next one: the height that is final once that one is appended.
 * @param before what its parent has left to it
 * @param isParentFinalized whether its own voting finalizes its parent
 * @source docs/protocol/consensus-and-finality.md 3.8; Waves 1.6: state/FinalizationState.scala
 */
export function finalizedAfter(height: number, before: number, isParentFinalized: boolean): number {
  return isParentFinalized ? height - 1 : finalizedHeight(height, before);
}
