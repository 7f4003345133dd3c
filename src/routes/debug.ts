/** Debugging. Whatever is not public here asks for the key first. @source spec/rest-api.md 1.2, 2.6 */
import { mismatch } from "../http/kind.ts";
import { json, methodNotAllowed, notFound, type Reply } from "../http/reply.ts";
import { address, natural } from "../http/value-kinds.ts";
import { parseBlock } from "../protocol/blocks/parse-block.ts";
import { stateHashJson } from "../protocol/snapshots/state-hash-json.ts";
import { balanceHistoryQuery } from "../read-model/account.ts";
import { type StateHashKey, stateHashQuery } from "../read-model/state-hash.ts";
import { type NodeContext, route } from "./context.ts";
import { asOf, upTo } from "./freshness.ts";
import { referenceVersion } from "./node.ts";

const balanceHistory = route({
  method: "GET",
  path: "/debug/balances/history/:account",
  params: { account: address },
  handle: async ({ params: { account }, model, network }) => {
    const { chain, values } = await model.read(balanceHistoryQuery(account, { blocks: network.node.maxRollbackDepth }));
    return json(
      values[0].map(({ height, balance }) => ({ height, balance })),
      asOf(chain),
    );
  },
});

async function stateHashReply(key: StateHashKey, { model, chainId }: NodeContext): Promise<Reply> {
  const { chain, values } = await model.read(stateHashQuery(key));
  const [stored] = values;
  if (stored === undefined) return notFound;
  const { baseTarget } = parseBlock(stored.header, chainId).header;
  const freshness = key === "last" ? asOf(chain) : upTo(stored.height, chain, "height");
  return json({ ...stateHashJson({ ...stored, baseTarget }), version: referenceVersion }, freshness);
}

const stateHash = route({
  method: "GET",
  path: "/debug/stateHash/:height",
  params: { height: natural },
  handle: ({ params: key, ...node }) => stateHashReply(key, node),
});

const lastStateHash = route({
  method: "GET",
  path: "/debug/stateHash/last",
  handle: (node) => stateHashReply("last", node),
});

/** Validation is asked for with POST. */
const validateByGet = route({ method: "GET", path: "/debug/validate", handle: () => methodNotAllowed });

const privateRest = route({ method: "ALL", path: "/debug/*", isPrivate: true, handle: () => mismatch });

export const debugRoutes = [balanceHistory, lastStateHash, stateHash, validateByGet, privateRest];
