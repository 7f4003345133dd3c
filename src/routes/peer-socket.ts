/** Other nodes that connect by WebSocket: handed on to PeerHub. */
import { type Env, P2P_PATH, PEER_HUB_NAME } from "../env.ts";
import { clientAddressHeader } from "../http/client-host.ts";
import { hasPeers } from "../network/missing-peers.ts";
import { servicesOf } from "./node-services.ts";

/** @returns undefined: the request is none of another node's, or this one speaks with none */
export function peerSocket(request: Request, env: Env): Promise<Response> | undefined {
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") return undefined;
  const { pathname, origin } = new URL(request.url);
  if (pathname !== P2P_PATH || env.PEER_HUB === undefined || !hasPeers(servicesOf(env).network)) return undefined;
  // Whoever reaches the local runtime's own port can claim any address, and have its host shut out: the runner takes connections.
  if (env.PEER_BRIDGE !== undefined) return undefined;
  // Nothing else of the request goes on: the object has other paths.
  const headers = { Upgrade: "websocket", [clientAddressHeader]: request.headers.get(clientAddressHeader) ?? "" };
  return env.PEER_HUB.getByName(PEER_HUB_NAME).fetch(new Request(`${origin}${P2P_PATH}`, { headers }));
}
