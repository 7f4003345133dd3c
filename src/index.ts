/** Entry of the Worker: HTTP requests, and the classes of the Durable Objects. */

import { askDApp } from "../durable/evaluation/ask-dapp.ts";
import { askReadModel } from "../durable/evaluation/ask-read-model.ts";
import type { Env } from "./env.ts";
import { chainCalls } from "./routes/chain-calls.ts";
import { serveWith } from "./routes/serve.ts";

export { ChainState } from "../durable/chain-state.ts";

/** Once a minute: an object that mines or follows must be awake even when nobody asks it anything. */
async function wakeChain(env: Env): Promise<void> {
  await chainCalls(env.CHAIN_STATE).wake();
}

const serve = serveWith(
  (database, settings) => (question) => askReadModel(database, settings, (view) => askDApp(question, view)),
);

export default { fetch: serve, scheduled: (_, env) => wakeChain(env) } satisfies ExportedHandler<Env>;
