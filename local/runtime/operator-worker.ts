/**
 * A second Worker beside the node's, only for the runner: it reaches the private paths of ChainState and PeerHub. It is
 * bundled on its own, listens on a port of this machine and requires the token of this start.
 */
import { CHAIN_STATE_NAME, PEER_HUB_NAME } from "../../src/env.ts";
import { refuseWithoutToken } from "../../src/worker/runner-token.ts";
import { RequestGarbage } from "./request-garbage.ts";

const garbage = new RequestGarbage();

interface OperatorEnv {
  readonly CHAIN_STATE: DurableObjectNamespace;
  /** Present if the node has peers. */
  readonly PEER_HUB?: DurableObjectNamespace;
  readonly TOKEN: string;
}

export default {
  async fetch(request, { CHAIN_STATE, PEER_HUB, TOKEN }) {
    garbage.add(request);
    const refusal = refuseWithoutToken(request.headers, TOKEN);
    if (refusal !== undefined) return refusal;
    const isAboutPeers = new URL(request.url).pathname.startsWith("/operator/peers/");
    if (isAboutPeers && PEER_HUB !== undefined) return PEER_HUB.getByName(PEER_HUB_NAME).fetch(request);
    try {
      return await CHAIN_STATE.getByName(CHAIN_STATE_NAME).fetch(request);
    } catch (error) {
      // Only the text of an error from an object's constructor reaches this Worker.
      const text = /SchemaRefused: (.*)/.exec(String(error))?.[1];
      if (text === undefined) throw error;
      return new Response(text, { status: 409 });
    }
  },
} satisfies ExportedHandler<OperatorEnv>;
