/** Aliases. @source docs/protocol/rest-api.md 2.2; Waves: api/http/alias/AliasApiRoute.scala */

import * as z from "zod";
import { addressText } from "../crypto/address.ts";
import type { Address } from "../crypto/identities.ts";
import { ApiError } from "../http/api-error.ts";
import { json } from "../http/route-response.ts";
import { address, text } from "../http/value-kinds.ts";
import { aliasText, findAliasError } from "../protocol/transactions/alias.ts";
import { type AliasOwner, aliasesOfAddressQuery, aliasOwnerQuery } from "../read-model/alias.ts";
import type { ChainRow } from "../read-model/chain.ts";
import { areTakenOverDisabled } from "../rules/transactions/checks/duplicates.ts";
import { type NodeContext, route } from "../services/context.ts";
import { asOf } from "../services/freshness.ts";
import { address as addressSchema } from "./schemas/values.ts";

/** Whether the alias has no owner any more. */
function isOutOfUse(
  { takenOver }: Pick<AliasOwner, "takenOver">,
  { height }: Pick<ChainRow, "height">,
  { blockchain: { schemeCharacter } }: NodeContext["network"],
): boolean {
  return takenOver && areTakenOverDisabled(schemeCharacter, height);
}

const byAlias = route({
  method: "GET",
  path: "/alias/by-alias/:alias",
  dependsOn: "tip",
  params: { alias: text },
  description: {
    tag: "alias",
    summary: "Owner of an alias",
    response: () => z.strictObject({ address: addressSchema() }),
    errors: ["requestInvalid", "aliasUnknown"],
    examples: [{ params: { alias: "rgttb.b_59" } }],
  },
  handle: async ({ params: { alias: name }, model, chainId, network }) => {
    const error = findAliasError(name);
    if (error !== undefined) throw new ApiError({ code: "requestInvalid", message: error });
    const { chain, values } = await model.read(aliasOwnerQuery(name));
    const [owner] = values;
    if (owner === undefined || isOutOfUse(owner, chain, network))
      throw new ApiError({ code: "aliasUnknown", alias: aliasText({ chainId, name }) });
    return json({ address: addressText(owner.address) }, asOf(chain));
  },
});

/** Minimum of aliases in one read. */
const aliasesAtATime = 1000;

async function readBatch(account: Address, before: number | undefined, { model }: NodeContext) {
  const { chain, values } = await model.read(aliasesOfAddressQuery(account, before, aliasesAtATime));
  return { chain, aliases: values[0] };
}

async function* textsOf(
  first: Awaited<ReturnType<typeof readBatch>>,
  account: Address,
  node: NodeContext,
): AsyncGenerator<string> {
  for (let batch = first; ; batch = await readBatch(account, batch.aliases.at(-1)?.number, node)) {
    for (const alias of batch.aliases)
      if (!isOutOfUse(alias, batch.chain, node.network)) yield aliasText({ chainId: node.chainId, name: alias.name });
    if (batch.aliases.length < aliasesAtATime) return;
  }
}

const byAddress = route({
  method: "GET",
  path: "/alias/by-address/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "alias",
    summary: "Aliases of an account",
    notes: "The newest first, with their prefix.",
    response: () => z.array(z.string()),
    examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw" } }],
  },
  handle: async ({ params: { address: account }, ...node }) => {
    const first = await readBatch(account, undefined, node);
    const items = textsOf(first, account, node);
    return { kind: "jsonItems", open: "[", items, close: "]", freshness: asOf(first.chain) };
  },
});

export const aliasRoutes = [byAlias, byAddress];
