/** Entry of the Worker: HTTP requests, and the classes of the Durable Objects. */

import { ChainState as ChainStateObject } from "../durable/chain-state/chain-state.ts";
import { type Env, PEER_HUB_NAME } from "./env.ts";
import { writeFinalBlocks } from "./routes/blocks/final-blocks.ts";
import { chainCalls } from "./services/chain-calls.ts";
import { peerSocket } from "./worker/peer-socket.ts";
import { refuseWithoutToken } from "./worker/runner-token.ts";
import { serve } from "./worker/serve.ts";

export { PeerHub } from "../durable/peer-hub/peer-hub.ts";

/** The object, with the Worker's function that writes final blocks for readers. */
export class ChainState extends ChainStateObject {
  protected override get writeFinalBlocks() {
    return writeFinalBlocks;
  }
}

/** Wakes the objects once a minute: those that mine or follow must run even without requests. */
async function wakeObjects(env: Env): Promise<void> {
  // The namespace type does not have the object's methods.
  const peerHub = env.PEER_HUB?.getByName(PEER_HUB_NAME) as unknown as { wake(): Promise<void> } | undefined;
  await Promise.all([chainCalls(env.CHAIN_STATE).node.wake(), peerHub?.wake()]);
}

export default {
  fetch: (request, env, execution) =>
    refuseWithoutToken(request.headers, env.RUNNER_TOKEN) ?? peerSocket(request, env) ?? serve(request, env, execution),
  scheduled: (_, env) => wakeObjects(env),
} satisfies ExportedHandler<Env>;
