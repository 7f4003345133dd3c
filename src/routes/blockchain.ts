/** The block reward. @source docs/protocol/rest-api.md 2.5, 3.14; Waves: api/http/RewardApiRoute.scala */
import { addressText } from "../crypto/address.ts";
import type { Address } from "../crypto/identities.ts";
import { ApiError } from "../http/api-error.ts";
import { json, type RouteResponse } from "../http/route-response.ts";
import { natural } from "../http/value-kinds.ts";
import { featureActivationOf } from "../network/features.ts";
import { type BlockReward, rewardQuery, rewardVotesQuery } from "../read-model/block.ts";
import { firstHeight } from "../read-model/chain.ts";
import { activationHeightsQuery } from "../read-model/feature.ts";
import { rewardVoting } from "../rules/consensus/block-reward.ts";
import { rewardBoost } from "../rules/consensus/reward-shares.ts";
import { type NodeContext, route } from "../services/context.ts";
import { asOf, upTo } from "../services/freshness.ts";
import { rewards as rewardsSchema } from "./schemas/chain.ts";

const refuse = (message: string) => new ApiError({ code: "requestInvalid", message });

/** @param atHeight undefined: the tip */
async function rewardResponse(atHeight: number | undefined, { model, network }: NodeContext): Promise<RouteResponse> {
  const { functionality, rewards } = network.blockchain;
  const first = await model.read(
    activationHeightsQuery,
    rewardQuery(atHeight === undefined ? "tip" : { height: atHeight }),
  );
  const { chain, values } = first;
  const height = atHeight ?? chain.height;
  const features = featureActivationOf(values[0]);
  if (height > chain.height) throw refuse(`Invalid height: ${height}`);
  const voting = rewardVoting(height, features, rewards);
  if (voting === undefined) throw refuse("Block reward feature is not activated yet");
  const { reward, wavesAmount } = values[1] ?? ({} as Partial<BlockReward>);
  if (reward === undefined || wavesAmount === undefined) {
    throw refuse(`No information about rewards at height = ${height}`);
  }
  const { from } = voting.interval;
  if (from <= height && Math.max(from, 1) < firstHeight(chain))
    throw refuse(
      `No information about votes at height = ${height}: it stands too close to the first block of this node`,
    );
  const votes = await model.read(rewardVotesQuery({ from: voting.interval.from, to: height, reward }));
  const xtnBuybackAddress = textOf(functionality.xtnBuybackAddress);
  return json(
    {
      height,
      totalWavesAmount: wavesAmount,
      currentReward: reward * rewardBoost(height, features, functionality),
      minIncrement: rewards.minIncrement,
      term: voting.term,
      nextCheck: voting.termEnd,
      votingIntervalStart: voting.interval.from,
      votingInterval: rewards.votingInterval,
      votingThreshold: voting.threshold,
      votes: { ...votes.values[0] },
      daoAddress: textOf(functionality.daoAddress),
      xtnBuybackAddress,
      // Name of the same address in the requirements (docs/protocol/rest-api.md 6, row 1).
      tokenBuybackAddress: xtnBuybackAddress,
    },
    atHeight === undefined ? asOf(chain) : upTo(height, chain, "height"),
  );
}

function textOf(address: Address | undefined): string | null {
  return address === undefined ? null : addressText(address);
}

const rewardsAtTip = route({
  method: "GET",
  path: "/blockchain/rewards",
  dependsOn: "tip",
  trailingSlash: true,
  description: {
    tag: "blockchain",
    summary: "The block reward, and the votes on it",
    response: rewardsSchema,
    errors: ["requestInvalid"],
    examples: [{}],
  },
  handle: (node) => rewardResponse(undefined, node),
});

const rewardsAtHeight = route({
  method: "GET",
  path: "/blockchain/rewards/:height",
  dependsOn: "final",
  params: { height: natural },
  description: {
    tag: "blockchain",
    summary: "The block reward at a height",
    response: rewardsSchema,
    errors: ["requestInvalid"],
    examples: [{ params: { height: "50" } }],
  },
  handle: ({ params: { height }, ...node }) => rewardResponse(height, node),
});

export const blockchainRoutes = [rewardsAtTip, rewardsAtHeight];
