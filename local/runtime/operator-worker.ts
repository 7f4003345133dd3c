/**
 * A second Worker beside the node's, for the runner alone: it reaches the private paths of ChainState and PeerHub. Bundled on its own; it
 * listens on a port of this machine and asks for the token of this start.
 */
import { CHAIN_STATE_NAME, PEER_HUB_NAME } from "../../src/env.ts";
import { refuseStranger } from "../../src/worker/runner-token.ts";
import { RequestGarbage } from "./request-garbage.ts";

const garbage = new RequestGarbage();

interface OperatorEnv {
  readonly CHAIN_STATE: DurableObjectNamespace;
  /** Of a node that has peers. */
  readonly PEER_HUB?: DurableObjectNamespace;
  readonly TOKEN: string;
}

export default {
  async fetch(request, { CHAIN_STATE, PEER_HUB, TOKEN }) {
    garbage.add(request);
    const refusal = refuseStranger(request.headers, TOKEN);
    if (refusal !== undefined) return refusal;
    const isAboutPeers = new URL(request.url).pathname.startsWith("/operator/peers/");
    if (isAboutPeers && PEER_HUB !== undefined) return PEER_HUB.getByName(PEER_HUB_NAME).fetch(request);
    try {
      return await CHAIN_STATE.getByName(CHAIN_STATE_NAME).fetch(request);
    } catch (error) {
      // Of what an object's constructor threw only the text comes across.
      const text = /SchemaRefused: (.*)/.exec(String(error))?.[1];
      if (text === undefined) throw error;
      return new Response(text, { status: 409 });
    }
  },
} satisfies ExportedHandler<OperatorEnv>;
