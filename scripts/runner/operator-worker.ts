/**
 * A second Worker beside the node's, for the runner alone: it reaches ChainState's private paths and the schema of the
 * read model. Bundled on its own; it listens on a port of this machine and asks for the token of this start.
 */
import { CHAIN_STATE_NAME } from "../../src/env.ts";
import { applyMigrations, type Migration } from "./database-migrations.ts";

interface OperatorEnv {
  readonly CHAIN_STATE: DurableObjectNamespace;
  readonly DB: D1Database;
  readonly TOKEN: string;
}

export default {
  async fetch(request, { CHAIN_STATE, DB, TOKEN }) {
    if (request.headers.get("authorization") !== TOKEN) return new Response("not for you", { status: 403 });
    if (new URL(request.url).pathname === "/migrations") {
      await applyMigrations(DB, await request.json<Migration[]>());
      return new Response();
    }
    return CHAIN_STATE.get(CHAIN_STATE.idFromName(CHAIN_STATE_NAME)).fetch(request);
  },
} satisfies ExportedHandler<OperatorEnv>;
