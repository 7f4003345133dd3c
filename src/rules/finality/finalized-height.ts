/** How deep a fork or a rollback may reach. */

/** Blocks below the tip that may still be replaced. @source Waves: settings/BlockchainSettings.scala, maxRollback */
export const maxForkDepth = 100;

/**
 * Height of the last block that nothing takes back any more: no fork, no rollback by hand.
 * @source spec/consensus-and-finality.md 3.8 (no generator set: tip - 100, at least the genesis block)
 */
export function finalizedHeight(tipHeight: number): number {
  return Math.max(tipHeight - maxForkDepth, 1);
}
