/** How deep a fork or a rollback may reach. */

/** Blocks below the tip that may still be replaced. @source Waves: settings/BlockchainSettings.scala, maxRollback */
export const maxForkDepth = 100;

/**
 * Height of the last block that no fork and no rollback takes back any more, but one that an owner forces.
 * @source spec/consensus-and-finality.md 3.8 (no generator set: tip - 100, at least the genesis block)
 */
export function finalizedHeight(tipHeight: number): number {
  return Math.max(tipHeight - maxForkDepth, 1);
}
