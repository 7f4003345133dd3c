/**
 * Which blocks are final, and who has committed to generate. This release does not have feature 25: what is 100 blocks below
 * the highest tip is final, as it is where nobody has committed.
 * @source spec/rest-api.md 2.4, 2.5, 3.14; spec/consensus-and-finality.md 3.8, 3.14
 */
import { ApiError } from "../http/api-fault.ts";
import { json } from "../http/reply.ts";
import { natural } from "../http/value-kinds.ts";
import { headerQuery } from "../read-model/block.ts";
import { finalizedHeight } from "../rules/finality/finalized-height.ts";
import { route } from "./context.ts";
import { asOf, upTo } from "./freshness.ts";
import { storedHeaderJson } from "./json/block.ts";
import { blockHeight, header } from "./schemas/block.ts";
import { finality as finalitySchema, generators } from "./schemas/chain.ts";

const height = route({
  method: "GET",
  path: "/blocks/height/finalized",
  dependsOn: "height",
  description: { tag: "blocks", summary: "Height of the last final block", answer: blockHeight, examples: [{}] },
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
    answer: header,
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
    summary: "What was final at a height",
    notes: "The height that was final when the block at the height, which is below the tip, was the last one.",
    answer: blockHeight,
    errors: ["notFinalized"],
    examples: [{ params: { height: "102" } }],
  },
  handle: async ({ params, model }) => {
    const { chain } = await model.read();
    if (params.height < 1 || params.height >= chain.height) throw new ApiError({ code: "notFinalized" });
    return json({ height: finalizedHeight(params.height) }, upTo(params.height, chain, "height"));
  },
});

const finality = route({
  method: "GET",
  path: "/blockchain/finality",
  dependsOn: "tip",
  description: {
    tag: "blockchain",
    summary: "Finality, and who generates",
    notes: "Without feature 25 there are no periods, and nobody commits to generate.",
    answer: finalitySchema,
    examples: [{}],
  },
  handle: async ({ model }) => {
    const { chain } = await model.read();
    return json(
      {
        height: chain.height,
        finalizedHeight: chain.finalizedHeight,
        currentGenerationPeriod: null,
        currentGenerators: [],
        nextGenerationPeriod: null,
        nextGenerators: [],
      },
      asOf(chain),
    );
  },
});

const generatorsAt = route({
  method: "GET",
  path: "/generators/at/:height",
  dependsOn: "tip",
  params: { height: natural },
  description: {
    tag: "blockchain",
    summary: "Who has committed to generate at a height",
    notes: "Without feature 25: an empty list with status 404.",
    answer: generators,
  },
  handle: () => ({ kind: "error", status: 404, value: [] }),
});

export const finalityRoutes = [height, headerOfFinalized, heightAt, finality, generatorsAt];
