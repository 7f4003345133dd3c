/**
 * Headers of this node's blocks.
 * @source docs/protocol/consensus-and-finality.md 1.3, 1.6; Waves: mining/Miner.scala (forgeBlock),
 *   mining/BlockChallenger.scala
 */
import type { PublicKey } from "../../../src/crypto/identities.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import type { HeaderFields } from "../../../src/protocol/blocks/build-block.ts";
import { featureVotesOfMiner } from "../../../src/rules/consensus/feature-voting.ts";
import { baseTargetAfter, headerAt } from "../../../src/rules/consensus/next-block.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { GeneratorDraw } from "./generator-draw.ts";

/** Votes of the node's owner. */
export type OwnVotes = Pick<NodeSettings, "supportedFeatures" | "desiredReward">;

export interface OwnHeaderOptions {
  /** State of the tip: the block's parent in the form that the block references. */
  readonly view: StateView;
  readonly version: number;
  readonly timestamp: bigint;
  readonly generator: PublicKey;
  /** The generator's draw by the same view. */
  readonly draw: GeneratorDraw;
  readonly node: OwnVotes;
}

/** Header of a block on the view's tip, without the fields that its transactions decide. */
export function ownHeader({ view, version, timestamp, generator, draw, node }: OwnHeaderOptions): HeaderFields {
  return {
    version,
    timestamp,
    reference: headerAt(view, view.height).id,
    baseTarget: baseTargetAfter(view, timestamp),
    generationSignature: draw.generationSignature(),
    generator,
    featureVotes: featureVotesOfMiner({
      supportedFeatures: node.supportedFeatures,
      approvals: approvalsAmong(node.supportedFeatures, view),
      blockVersion: version,
      functionality: view.settings.functionality,
    }),
    rewardVote: version >= BlockVersion.Reward ? (node.desiredReward ?? -1n) : -1n,
    stateHash: undefined,
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
}

/** Approvals of the features whose activation is decided. */
function approvalsAmong(features: readonly number[], view: StateView): ReadonlyMap<number, number> {
  const approvals = new Map<number, number>();
  for (const feature of features) {
    const height = view.activationHeight(feature);
    if (height !== undefined) approvals.set(feature, height);
  }
  return approvals;
}
