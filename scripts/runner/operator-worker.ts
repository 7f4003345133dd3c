/**
 * A second Worker beside the node's, for the runner alone: it reaches ChainState's private paths. Bundled on its own; it
 * listens on a port of this machine and asks for the token of this start.
 */
import { CHAIN_STATE_NAME } from "../../src/env.ts";

interface OperatorEnv {
  readonly CHAIN_STATE: DurableObjectNamespace;
  readonly TOKEN: string;
}

export default {
  async fetch(request, { CHAIN_STATE, TOKEN }) {
    if (request.headers.get("authorization") !== TOKEN) return new Response("not for you", { status: 403 });
    try {
      return await CHAIN_STATE.get(CHAIN_STATE.idFromName(CHAIN_STATE_NAME)).fetch(request);
    } catch (error) {
      // Of what an object's constructor threw only the text comes across.
      const refusal = /SchemaRefused: (.*)/.exec(String(error))?.[1];
      if (refusal === undefined) throw error;
      return new Response(refusal, { status: 409 });
    }
  },
} satisfies ExportedHandler<OperatorEnv>;
