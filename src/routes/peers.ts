/**
 * Other nodes. This release connects to none: its lists are empty, and whoever wants it to connect is told.
 * @source spec/rest-api.md 2.9; Waves: api/http/PeersApiRoute.scala
 */
import { ApiError } from "../http/api-fault.ts";
import type { Description } from "../http/description.ts";
import { json, momentary } from "../http/reply.ts";
import { checkedMembers } from "../http/request-body.ts";
import type { JsonValue } from "../protocol/json.ts";
import { route } from "./context.ts";
import { keyGuard } from "./key-guard.ts";
import {
  blacklistedPeers,
  clearedBlacklist,
  connectedPeers,
  connecting,
  knownPeers,
  peerAddress,
  suspendedPeers,
} from "./schemas/owner.ts";

/** What is said to whoever asks for other nodes. */
export function noPeers(): ApiError {
  return new ApiError({ code: "requestInvalid", message: "This release of the node connects to no peers" });
}

function list(name: string, summary: string, answer: Description<never>["answer"], none: JsonValue) {
  return route({
    method: "GET",
    path: `/peers/${name}`,
    dependsOn: "node",
    description: { tag: "peers", summary, notes: "Empty: this release connects to no peers.", answer, examples: [{}] },
    handle: () => json(none, momentary),
  });
}

const maxPort = 65_535n;

const connect = route({
  method: "POST",
  path: "/peers/connect",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  body: checkedMembers(peerAddress),
  description: {
    tag: "peers",
    summary: "Connect to another node",
    notes: "Refused with error 199: this release connects to no peers.",
    answer: connecting,
    errors: ["requestInvalid"],
  },
  handle: ({ body: { port } }) => {
    if (port < 0n || port > maxPort)
      throw new ApiError({ code: "requestInvalid", message: `port out of range:${port}` });
    throw noPeers();
  },
});

const connectRest = keyGuard("ALL", "/peers/connect");

const clearBlacklist = route({
  method: "POST",
  path: "/peers/clearblacklist",
  dependsOn: "node",
  isPrivate: true,
  description: { tag: "peers", summary: "Forget which nodes are shut out", answer: clearedBlacklist, examples: [{}] },
  handle: () => json({ result: "blacklist cleared" }, momentary),
});

export const peerRoutes = [
  list("all", "Nodes that are known", knownPeers, { peers: [] }),
  list("connected", "Nodes that this one is connected to", connectedPeers, { peers: [] }),
  list("blacklisted", "Nodes that are shut out", blacklistedPeers, []),
  list("suspended", "Nodes that are left alone for a while", suspendedPeers, []),
  connect,
  connectRest,
  clearBlacklist,
];
