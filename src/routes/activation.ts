/**
 * Features and their activation.
 * @source docs/protocol/rest-api.md 2.5, 3.14; Waves: features/api/ActivationApiRoute.scala
 */

import { json } from "../http/route-response.ts";
import { featureDescriptions, implementedFeatures } from "../network/features.ts";
import { parseBlock } from "../protocol/blocks/parse-block.ts";
import type { JsonObject } from "../protocol/json.ts";
import { headerQuery } from "../read-model/block.ts";
import { activationHeightsQuery, newestFeatureVotesQuery, withPreActivated } from "../read-model/feature.ts";
import {
  reportedVotes,
  sumOfVotes,
  votingThreshold,
  votingWindow,
  votingWindowSize,
} from "../rules/consensus/feature-voting.ts";
import { type NodeContext, route } from "../services/context.ts";
import { asOf } from "../services/freshness.ts";
import { activationStatus } from "./schemas/chain.ts";

interface FeatureInfo {
  readonly id: number;
  readonly height: number;
  /** Height from the settings or after approval; undefined while the feature is voted on. */
  readonly activationHeight: number | undefined;
  readonly votes: number;
}

/** Status of a feature on this node. */
function nodeStatus(id: number, isDecided: boolean, { network }: NodeContext): string {
  if (!implementedFeatures.has(id)) return "NOT_IMPLEMENTED";
  return network.node.supportedFeatures.includes(id) && !isDecided ? "VOTED" : "IMPLEMENTED";
}

function featureJson({ id, height, activationHeight, votes }: FeatureInfo, node: NodeContext): JsonObject {
  const isActive = activationHeight !== undefined && activationHeight <= height;
  // A feature preactivated by the settings counts as voted on until its activation.
  const isPreactivated = node.network.blockchain.functionality.preActivatedFeatures.has(id);
  const isApproved = activationHeight !== undefined && !isPreactivated;
  const isVotedOn = !isActive && !isApproved;
  return {
    id,
    description: (featureDescriptions as Readonly<Record<number, string>>)[id] ?? "Unknown feature",
    blockchainStatus: isActive ? "ACTIVATED" : isApproved ? "APPROVED" : "VOTING",
    nodeStatus: nodeStatus(id, isActive || isPreactivated, node),
    ...(activationHeight !== undefined && { activationHeight }),
    ...(isVotedOn && { supportingBlocks: votes }),
  };
}

const status = route({
  method: "GET",
  path: "/activation/status",
  dependsOn: "tip",
  description: {
    tag: "activation",
    summary: "Features, and the votes for them",
    response: activationStatus,
    examples: [{}],
  },
  handle: async (node) => {
    const { network, model, chainId } = node;
    const { functionality } = network.blockchain;
    const { chain, values } = await model.read(activationHeightsQuery, newestFeatureVotesQuery, headerQuery("tip"));
    const { height } = chain;
    const window = votingWindow(height, functionality);
    const [decided, newest, tip] = values;
    const activations = withPreActivated(decided, functionality);
    const counted = sumOfVotes(
      newest.filter(({ windowStart }) => windowStart >= window.from && windowStart <= window.to),
    );
    const votes = reportedVotes(counted, tip === undefined ? [] : parseBlock(tip.header, chainId).header.featureVotes);
    const ids = new Set([
      ...implementedFeatures,
      ...network.node.supportedFeatures,
      ...activations.keys(),
      ...votes.keys(),
    ]);
    const features = [...ids]
      .sort((left, right) => left - right)
      .map((id) => ({ id, height, activationHeight: activations.get(id), votes: votes.get(id) ?? 0 }));
    return json(
      {
        height,
        votingInterval: votingWindowSize(height, functionality),
        votingThreshold: votingThreshold(height, functionality),
        nextCheck: window.to,
        features: features.map((feature) => featureJson(feature, node)),
      },
      asOf(chain),
    );
  },
});

export const activationRoutes = [status];
