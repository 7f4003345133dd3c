/** Entry of the Worker: HTTP requests, and the classes of the Durable Objects. */

import { ChainState as ChainStateObject } from "../durable/chain-state.ts";
import { type Env, PEER_HUB_NAME } from "./env.ts";
import { chainCalls } from "./routes/chain-calls.ts";
import { writeFinalBlocks } from "./routes/final-blocks.ts";
import { peerSocket } from "./routes/peer-socket.ts";
import { refuseStranger } from "./routes/runner-token.ts";
import { serve } from "./routes/serve.ts";

export { PeerHub } from "../durable/peer-hub.ts";

/** The object, which has from the Worker how readers find final blocks. */
export class ChainState extends ChainStateObject {
  protected override get writeFinalBlocks() {
    return writeFinalBlocks;
  }
}

/** Once a minute: objects that mine or follow must be awake even when nobody asks them anything. */
async function wakeObjects(env: Env): Promise<void> {
  // Its type does not know the object's methods.
  const peerHub = env.PEER_HUB?.getByName(PEER_HUB_NAME) as unknown as { wake(): Promise<void> } | undefined;
  await Promise.all([chainCalls(env.CHAIN_STATE).node.wake(), peerHub?.wake()]);
}

export default {
  fetch: (request, env, execution) =>
    refuseStranger(request.headers, env.RUNNER_TOKEN) ?? peerSocket(request, env) ?? serve(request, env, execution),
  scheduled: (_, env) => wakeObjects(env),
} satisfies ExportedHandler<Env>;
