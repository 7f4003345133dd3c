/**
 * Process of `startBareRuntime`: reads its responses from standard input, writes its addresses to standard output, and
 * ends with its input.
 */
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { Log, LogLevel, Miniflare } from "miniflare";
import { readCompatibility } from "../../../local/runtime/compatibility.ts";
import { findFreePort } from "../../../local/runtime/free-port.ts";
import { startFront } from "../../../local/runtime/front-server.ts";
import { projectRoot } from "../../local-node.ts";
import type { BareRuntimeAddresses, BareRuntimeOptions, ConstantResponse, WorkerAddresses } from "./bare-runtime.ts";

const host = "127.0.0.1";
const keysAtOnce = 10_000;
const constantName = "constant";
const pointName = "point";

// The same as in the product's runner.
setFlagsFromString("--semi-space-growth-factor=1");

const input = createInterface(process.stdin);
const ended = once(input, "close");
const [line] = (await once(input, "line")) as [string];
const order = JSON.parse(line) as BareRuntimeOptions;
const compatibility = readCompatibility(path.join(projectRoot, "wrangler.toml"));
const miniflare = new Miniflare({
  host,
  port: 0,
  cf: false,
  telemetry: { enabled: false },
  enableDevRegistry: false,
  log: new Log(LogLevel.ERROR),
  workers: [
    worker(constantName, constantSource(order.responses)),
    worker(pointName, pointSource(order.keys.length > 0)),
  ],
});
await miniflare.ready;
await fillTable();
const addresses: BareRuntimeAddresses = {
  constant: await addressesOf(constantName),
  point: await addressesOf(pointName),
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
await ended;
await miniflare.dispose();
process.exit(0);

function worker(name: string, contents: string) {
  return {
    config: {
      name,
      compatibilityDate: compatibility.date,
      compatibilityFlags: [...compatibility.flags],
      manifest: { mainModule: "index.js", modules: { "index.js": { type: "esm" as const, contents } } },
      env: { DB: { type: "d1" as const, id: "points" } },
    },
    dev: { unsafeDirectSockets: [{ host, port: 0 }] },
  };
}

/** Source of the constant Worker. It reads the request's body, because a real response would depend on it. */
function constantSource(responses: readonly ConstantResponse[]): string {
  const entries = responses.map(({ path: of, headers, text }) => [of, { text, init: { headers } }]);
  return `
const answers = new Map(${JSON.stringify(entries)});
export default {
  async fetch(request) {
    const { url } = request;
    const { text, init } = answers.get(url.slice(url.indexOf("/", 8)));
    if (request.method === "POST") await request.text();
    return new Response(text, init);
  },
};`;
}

function pointSource(hasKeys: boolean): string {
  if (!hasKeys) return `export default { fetch: () => new Response("no keys", { status: 404 }) };`;
  return `
const headers = { "Content-Type": "application/json" };
const fill = async (env, keys) => {
  await env.DB.prepare("CREATE TABLE IF NOT EXISTS t (id TEXT PRIMARY KEY, balance INTEGER) WITHOUT ROWID").run();
  await env.DB.prepare("INSERT INTO t SELECT value, abs(random() % 1000000) FROM json_each(?)").bind(keys).run();
};
export default {
  async fetch(request, env) {
    const { url } = request;
    if (request.method === "POST") {
      await fill(env, await request.text());
      return new Response("");
    }
    const k = url.slice(url.indexOf("/", 8) + 1);
    const row = await env.DB.prepare("SELECT balance FROM t WHERE id = ?").bind(k).first();
    return new Response('{"id":"' + k + '","balance":' + row.balance + "}", { headers });
  },
};`;
}

async function fillTable(): Promise<void> {
  for (let from = 0; from < order.keys.length; from += keysAtOnce) {
    const body = JSON.stringify(order.keys.slice(from, from + keysAtOnce));
    const filled = await fetch(await miniflare.unsafeGetDirectURL(pointName), { method: "POST", body });
    if (!filled.ok) throw new Error(`the table was not filled: ${await filled.text()}`);
  }
}

async function addressesOf(name: string): Promise<WorkerAddresses> {
  const url = await miniflare.unsafeGetDirectURL(name);
  const address = { endpoint: { host, port: Number(url.port) }, headers: {} };
  const port = await findFreePort(host, 0);
  await startFront({ host, port, findRuntime: async () => address, isKeyKnown: true, onStop: () => {} });
  return { direct: String(url), frontServer: `http://${host}:${port}` };
}
