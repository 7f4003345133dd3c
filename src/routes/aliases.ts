/** Aliases. @source spec/rest-api.md 2.2; Waves: api/http/alias/AliasApiRoute.scala */
import { addressText } from "../crypto/address.ts";
import { ApiError } from "../http/api-fault.ts";
import { json } from "../http/reply.ts";
import { text } from "../http/value-kinds.ts";
import { aliasText, findAliasFault } from "../protocol/transactions/alias.ts";
import { aliasOwnerQuery } from "../read-model/alias.ts";
import { route } from "./context.ts";
import { asOf } from "./freshness.ts";

const byAlias = route({
  method: "GET",
  path: "/alias/by-alias/:name",
  params: { name: text },
  handle: async ({ params: { name }, model, chainId }) => {
    const fault = findAliasFault(name);
    if (fault !== undefined) throw new ApiError({ code: "requestInvalid", message: fault });
    const { chain, values } = await model.read(aliasOwnerQuery(name));
    const [owner] = values;
    if (owner === undefined) throw new ApiError({ code: "aliasUnknown", alias: aliasText({ chainId, name }) });
    return json({ address: addressText(owner) }, asOf(chain));
  },
});

export const aliasRoutes = [byAlias];
