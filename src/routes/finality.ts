/**
 * Final blocks, and committed generators.
 * @source docs/protocol/rest-api.md 2.4, 2.5, 3.14; docs/protocol/consensus-and-finality.md 3.8, 3.14; Waves 1.6:
 *   api/http/FinalityApiRoute.scala, GeneratorsApiRoute.scala, BlocksApiRoute.scala,
 *   api/common/CommonGeneratorsApi.scala
 */
import { addressText } from "../crypto/address.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import { requestsStrings } from "../http/accept.ts";
import { ApiError } from "../http/api-error.ts";
import { json } from "../http/route-response.ts";
import { natural } from "../http/value-kinds.ts";
import { featureActivationOf } from "../network/features.ts";
import type { JsonObject } from "../protocol/json.ts";
import { finalizedAtQuery, headerQuery } from "../read-model/block.ts";
import type { Chain } from "../read-model/chain.ts";
import { activationHeightsQuery, withPreActivated } from "../read-model/feature.ts";
import { generatorsQuery, type StoredGenerator } from "../read-model/generator.ts";
import { finalizedHeight } from "../rules/finality/finalized-height.ts";
import { type GenerationPeriod, generationPeriodAt } from "../rules/finality/generation-period.ts";
import { type NodeContext, route } from "../services/context.ts";
import { asOf, upTo, withTexts } from "../services/freshness.ts";
import { storedHeaderJson } from "./json/block.ts";
import { blockHeight, header } from "./schemas/block.ts";
import { finality as finalitySchema, generators, noGenerators } from "./schemas/chain.ts";

const height = route({
  method: "GET",
  path: "/blocks/height/finalized",
  dependsOn: "height",
  description: { tag: "blocks", summary: "Height of the last final block", response: blockHeight, examples: [{}] },
  handle: async ({ model }) => {
    const { chain } = await model.read();
    return json({ height: chain.finalizedHeight }, asOf(chain));
  },
});

const headerOfFinalized = route({
  method: "GET",
  path: "/blocks/headers/finalized",
  dependsOn: "tip",
  description: {
    tag: "blocks",
    summary: "The header of the last final block",
    response: header,
    errors: ["blockUnknown"],
    examples: [{}],
  },
  handle: async ({ model, network }) => {
    const { chain, values } = await model.read(headerQuery("finalized"));
    const [stored] = values;
    if (stored === undefined) throw new ApiError({ code: "blockUnknown" });
    return json(storedHeaderJson(stored, network.blockchain).json, asOf(chain));
  },
});

const heightAt = route({
  method: "GET",
  path: "/blocks/finalized/at/:height",
  dependsOn: "final",
  params: { height: natural },
  description: {
    tag: "blocks",
    summary: "Height finalized by a block",
    notes:
      "Height up to which the block at the given height and those before it make blocks final; it must be below the tip. In force from the next block on.",
    response: blockHeight,
    errors: ["notFinalized", "blockUnknown"],
    examples: [{ params: { height: "102" } }],
  },
  handle: async ({ params: { height }, model }) => {
    const { chain, values } = await model.read(finalizedAtQuery(height));
    const [voted] = values;
    if (height >= chain.height) throw new ApiError({ code: "notFinalized" });
    // For heights before the first block, the reference reports the first one as final.
    if (voted === undefined && height > 0) throw new ApiError({ code: "blockUnknown" });
    return json({ height: finalizedHeight(height, voted) }, upTo(height, chain, "height"));
  },
});

/** The state, and its generation periods: undefined before feature 25. */
interface Periods {
  readonly chain: Chain;
  readonly at: (height: number) => GenerationPeriod | undefined;
}

async function readPeriods({ model, network: { blockchain: settings } }: NodeContext): Promise<Periods> {
  const { chain, values } = await model.read(activationHeightsQuery);
  const features = featureActivationOf(withPreActivated(values[0], settings.functionality));
  return { chain, at: (height) => generationPeriodAt(height, { ...features, settings }) };
}

/** A generator without its balance. */
function committedJson({ address, transactionId }: StoredGenerator): JsonObject {
  return { address: addressText(address), transactionId: encodeBase58(transactionId) };
}

/** Counted balance of a generator, wavelets. */
function countedBalance({ balance, conflictHeight }: StoredGenerator): bigint {
  return conflictHeight === undefined ? balance : 0n;
}

const finality = route({
  method: "GET",
  path: "/blockchain/finality",
  trailingSlash: true,
  dependsOn: "tip",
  description: {
    tag: "blockchain",
    summary: "Finality, and generators",
    notes:
      "Generators of this period with their counted balances, wavelets, and those committed to the next one. Before feature 25 there are no periods and no commitments.",
    response: finalitySchema,
    examples: [{}],
  },
  handle: async (node) => {
    const { chain, at } = await readPeriods(node);
    const { height } = chain;
    const current = at(height);
    const next = current && at(current.end + 1);
    const [currentGenerators, nextGenerators] =
      current === undefined || next === undefined
        ? [[], []]
        : (await node.model.read(generatorsQuery(current.start, height), generatorsQuery(next.start, height))).values;
    return json(
      {
        height,
        finalizedHeight: chain.finalizedHeight,
        currentGenerationPeriod: periodJson(current),
        currentGenerators: currentGenerators.map((generator) => ({
          ...committedJson(generator),
          balance: countedBalance(generator),
          conflictHeight: generator.conflictHeight ?? null,
        })),
        nextGenerationPeriod: periodJson(next),
        nextGenerators: nextGenerators.map(committedJson),
      },
      asOf(chain),
    );
  },
});

function periodJson(period: GenerationPeriod | undefined): JsonObject | null {
  return period === undefined ? null : { start: period.start, end: period.end };
}

/** For a future height the balance of a generator is unknown. */
function generatorJson(generator: StoredGenerator, isToCome: boolean, asText: boolean): JsonObject {
  const { conflictHeight } = generator;
  const balance = countedBalance(generator);
  return {
    ...committedJson(generator),
    ...(!isToCome && { balance: asText ? String(balance) : balance }),
    ...(conflictHeight !== undefined && { conflictHeight }),
  };
}

const generatorsAt = route({
  method: "GET",
  path: "/generators/at/:height",
  dependsOn: "final",
  params: { height: natural },
  description: {
    tag: "blockchain",
    summary: "Generators at a height",
    notes:
      "In the order of their indexes in votings, with counted balances, wavelets: 0 if the balance is too low, or after a conflict. Heights up to the end of the next period; future ones have no balances.",
    response: generators,
    otherError: {
      status: 404,
      about: "An empty list: feature 25 is not in force there, or the period is a later one.",
      response: noGenerators,
    },
    examples: [{ params: { height: "18" } }],
  },
  handle: async ({ params: { height }, ...node }) => {
    const { chain, at } = await readPeriods(node);
    const current = at(chain.height);
    const requested = at(height);
    if (current === undefined || requested === undefined || requested.start > current.end + 1)
      return { kind: "error", status: 404, value: [] };
    const { values } = await node.model.read(generatorsQuery(requested.start, height));
    const asText = requestsStrings(node.request.headers.get("Accept"));
    const list = values[0].map((generator) => generatorJson(generator, height > chain.height, asText));
    return json(list, withTexts(upTo(height, chain, "height"), asText));
  },
});

export const finalityRoutes = [height, headerOfFinalized, heightAt, finality, generatorsAt];
