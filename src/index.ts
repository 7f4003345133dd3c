/** Entry of the Worker: HTTP requests, and the classes of the Durable Objects. */

import type { Env } from "./env.ts";
import { chainCalls } from "./routes/chain-calls.ts";
import { serve } from "./routes/serve.ts";

export { ChainState } from "../durable/chain-state.ts";

/** Once a minute: an object that mines or follows must be awake even when nobody asks it anything. */
async function wakeChain(env: Env): Promise<void> {
  await chainCalls(env.CHAIN_STATE).node.wake();
}

export default { fetch: serve, scheduled: (_, env) => wakeChain(env) } satisfies ExportedHandler<Env>;
