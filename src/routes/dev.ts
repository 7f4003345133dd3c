/** The controls of a dev chain: its router has these rows, and no other chain's has. */
import { addressText } from "../crypto/address.ts";
import type { Address } from "../crypto/identities.ts";
import { mismatch } from "../http/kind.ts";
import { json, momentary, type Reply } from "../http/reply.ts";
import { checkedMembers } from "../http/request-body.ts";
import { address } from "../http/value-kinds.ts";
import { type NodeContext, route } from "./context.ts";
import { devEditRoutes } from "./dev-edits.ts";
import { devStatus, impersonation } from "./schemas/dev.ts";

/** How the chain is set up. */
async function statusReply(chainState: NodeContext["chainState"]): Promise<Reply> {
  const { height, timeMs, impersonated } = await chainState.dev.status();
  const shown = { height, time: timeMs, impersonated: impersonated.map((account) => addressText(account as Address)) };
  return json(shown, momentary);
}

const status = route({
  method: "GET",
  path: "/dev/status",
  dependsOn: "node",
  isPrivate: true,
  description: { tag: "dev", summary: "How the chain is set up", answer: devStatus },
  handle: ({ chainState }) => statusReply(chainState),
});

const impersonate = route({
  method: "POST",
  path: "/dev/impersonate",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  body: checkedMembers(impersonation),
  description: {
    tag: "dev",
    summary: "Accept what is sent in the name of an account",
    notes:
      "Its transactions need no proofs, and its script is not asked; of orders in exchanges the same holds. It stays so until it is said otherwise, restarts included.",
    answer: devStatus,
    errors: ["addressInvalid", "requestInvalid"],
  },
  handle: async ({ body, chainId, chainState }) => {
    const account = address.read(body.address, chainId);
    if (account === mismatch) return mismatch;
    await chainState.dev.impersonate(account, body.enabled ?? true);
    return statusReply(chainState);
  },
});

export const devRoutes = [status, impersonate, ...devEditRoutes];
