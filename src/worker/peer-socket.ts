/** WebSocket connections of peers: forwarded to PeerHub. */
import { type Env, P2P_PATH, PEER_HUB_NAME } from "../env.ts";
import { clientAddressHeader } from "../http/client-host.ts";
import { hasPeers } from "../network/missing-peers.ts";
import { servicesOf } from "../services/node-services.ts";

/** @returns undefined: the request is not from a peer, or this node has no peers */
export function peerSocket(request: Request, env: Env): Promise<Response> | undefined {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") return undefined;
  const { pathname, origin } = new URL(request.url);
  if (pathname !== P2P_PATH || env.PEER_HUB === undefined || !hasPeers(servicesOf(env).network)) return undefined;
  // A client on the local runtime's own port could claim any address, and have its host blacklisted: the runner accepts
  // the connections.
  if (env.PEER_BRIDGE !== undefined) return undefined;
  // Only these headers are forwarded, and only to this path: the object has others.
  const headers = { Upgrade: "websocket", [clientAddressHeader]: request.headers.get(clientAddressHeader) ?? "" };
  return env.PEER_HUB.getByName(PEER_HUB_NAME).fetch(new Request(`${origin}${P2P_PATH}`, { headers }));
}
