/**
 * Weight of a block; the chain with the greatest sum of weights wins.
 * @source docs/protocol/consensus-and-finality.md 1.9; Waves: block/Block.scala blockScore
 */

/** @param baseTarget of the block, positive */
export function blockScore(baseTarget: bigint): bigint {
  return (1n << 64n) / baseTarget;
}
