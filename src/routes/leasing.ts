/** Leases. @source spec/rest-api.md 2.8, 3.8; Waves: api/http/leasing/LeaseApiRoute.scala */
import { ApiError } from "../http/api-fault.ts";
import { decodeIds, expectAtMost, textsOf } from "../http/multi-ids.ts";
import { json } from "../http/reply.ts";
import { leaseId } from "../http/value-kinds.ts";
import { leasesQuery } from "../read-model/lease.ts";
import { route } from "./context.ts";
import { asOf } from "./freshness.ts";
import { leaseJson } from "./json/lease.ts";

const info = route({
  method: "GET",
  path: "/leasing/info/:id",
  params: { id: leaseId },
  handle: async ({ params: { id }, model, chainId }) => {
    const { chain, values } = await model.read(leasesQuery([id]));
    const [lease] = values[0];
    if (lease === undefined) throw new ApiError({ code: "transactionUnknown" });
    return json(leaseJson(lease, chainId), asOf(chain));
  },
});

const infos = route({
  method: "ALL",
  path: "/leasing/info",
  trailingSlash: true,
  body: textsOf("id"),
  handle: async ({ body: texts, model, chainId, limits }) => {
    expectAtMost(limits.transactionsLimit, texts);
    const { chain, values } = await model.read(leasesQuery(decodeIds(texts)));
    const unknown = texts.filter((_, index) => values[0][index] === undefined);
    if (unknown.length > 0) throw new ApiError({ code: "idsInvalid", ids: unknown });
    const list = values[0].flatMap((lease) => (lease === undefined ? [] : leaseJson(lease, chainId)));
    return json(list, asOf(chain));
  },
});

export const leasingRoutes = [info, infos];
