/**
 * Known, connected and blacklisted peers, and the owner's actions on them. A node without peers has empty lists, and
 * refuses to connect.
 * @source docs/protocol/rest-api.md 2.9; Waves: api/http/PeersApiRoute.scala
 */
import { MAX_LISTED_PEERS, type PeersRpc } from "../env.ts";
import { ApiError } from "../http/api-error.ts";
import type { Description } from "../http/description.ts";
import { unknownErrorResponse } from "../http/errors.ts";
import { checkedMembers } from "../http/request-body.ts";
import { json, momentary } from "../http/route-response.ts";
import type { JsonValue } from "../protocol/json.ts";
import { type NodeContext, route } from "../services/context.ts";
import { keyGuard } from "../services/key-guard.ts";
import { javaAddress, javaHostName } from "./json/java-address.ts";
import {
  blacklistedPeers,
  clearedBlacklist,
  connectedPeers,
  connecting,
  knownPeers,
  peerAddress,
  suspendedPeers,
} from "./schemas/owner.ts";

const MAX_PORT = 65_535n;

/** @throws ApiError if the node has no peers */
export function peersFor({ peers, network }: Pick<NodeContext, "peers" | "network">): PeersRpc {
  if (peers !== undefined) return peers;
  const message = network.isDevChain ? "A dev chain connects to no peers" : "This node connects to no peers";
  throw new ApiError({ code: "requestInvalid", message });
}

interface ListDefinition {
  readonly name: string;
  readonly summary: string;
  readonly notes?: string;
  readonly response: Description<never>["response"];
  /** @param peers undefined: the node has none */
  readonly read: (peers: PeersRpc | undefined) => Promise<JsonValue>;
}

function list({ name, summary, notes, response, read }: ListDefinition) {
  return route({
    method: "GET",
    path: `/peers/${name}`,
    dependsOn: "node",
    description: { tag: "peers", summary, ...(notes && { notes }), response, examples: [{}] },
    handle: async ({ peers }) => json(await read(peers), momentary),
  });
}

const all = list({
  name: "all",
  summary: "Known nodes",
  notes: `The ${MAX_LISTED_PEERS} seen last, without blacklisted ones.`,
  response: knownPeers,
  read: async (peers) => ({
    peers: ((await peers?.known()) ?? [])
      .slice(0, MAX_LISTED_PEERS)
      .map(({ address, lastSeenMs }) => ({ address: javaAddress(address), lastSeen: lastSeenMs })),
  }),
});

const connected = list({
  name: "connected",
  summary: "Connected nodes",
  notes: "`declaredAddress`: address that the node declares for incoming connections; `N/A` if it declares none.",
  response: connectedPeers,
  read: async (peers) => ({
    peers: ((await peers?.connected()) ?? []).map((peer) => ({
      address: javaAddress(peer.address),
      declaredAddress: peer.declaredAddress === undefined ? "N/A" : javaAddress(peer.declaredAddress),
      peerName: peer.name,
      peerNonce: peer.nonce,
      applicationName: peer.applicationName,
      applicationVersion: peer.applicationVersion,
    })),
  }),
});

const blacklisted = list({
  name: "blacklisted",
  summary: "Blacklisted nodes",
  notes: "With start and reason.",
  response: blacklistedPeers,
  read: async (peers) =>
    ((await peers?.blacklisted()) ?? [])
      .slice(0, MAX_LISTED_PEERS)
      .map(({ host, timestampMs, reason }) => ({ hostname: javaAddress(host), timestamp: timestampMs, reason })),
});

const suspended = list({
  name: "suspended",
  summary: "Suspended nodes",
  response: suspendedPeers,
  read: async (peers) =>
    ((await peers?.suspended()) ?? [])
      .slice(0, MAX_LISTED_PEERS)
      .map(({ host, timestampMs }) => ({ hostname: javaAddress(host), timestamp: timestampMs })),
});

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
    notes: "The response does not wait for the connection. A node without peers refuses with error 199.",
    response: connecting,
    errors: ["requestInvalid"],
    examples: [{ body: { host: "127.0.0.1", port: 6868 } }],
  },
  handle: async (context) => {
    const { port } = context.body;
    // The reference treats an empty host as the machine itself.
    const host = context.body.host || "localhost";
    if (port < 0n || port > MAX_PORT)
      throw new ApiError({ code: "requestInvalid", message: `port out of range:${port}` });
    // The reference has no error for an unknown host name.
    if (!(await peersFor(context).connect(host, Number(port)))) return unknownErrorResponse;
    return json({ hostname: javaHostName(host), status: "Trying to connect" }, momentary);
  },
});

const connectGuard = keyGuard("ALL", "/peers/connect");

const clearBlacklist = route({
  method: "POST",
  path: "/peers/clearblacklist",
  dependsOn: "node",
  isPrivate: true,
  description: { tag: "peers", summary: "Clear the blacklist", response: clearedBlacklist, examples: [{}] },
  handle: async ({ peers }) => {
    await peers?.clearBlacklist();
    return json({ result: "blacklist cleared" }, momentary);
  },
});

export const peerRoutes = [all, connected, blacklisted, suspended, connect, connectGuard, clearBlacklist];
