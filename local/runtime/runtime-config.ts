/**
 * Configuration of the local runtime: its Workers, their bindings, and the addresses on which it listens. D1, KV and
 * the Cache API are Miniflare's simulators, Workers themselves, with the names and folders that Miniflare gives them.
 * The rest of Miniflare is not needed.
 * @source workerd.capnp (Config); miniflare: src/plugins/{core,d1,kv,do,cache}/index.ts
 */
import { collectorFlag } from "./request-garbage.ts";
import { bundleFiles, compilerModule } from "./runtime-files.ts";

/** Names of the Workers; the databases' files are named after the first one. */
export const NODE = "node";
export const OPERATOR = "operator";

/** Text of a file beside the configuration. */
class Embedded {
  readonly file: string;
  constructor(file: string) {
    this.file = file;
  }
}

type ConfigValue =
  | string
  | boolean
  | Embedded
  | readonly ConfigValue[]
  | { readonly [name: string]: ConfigValue | undefined };

export interface RuntimeConfigOptions {
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Text bindings of the node's Worker. */
  readonly bindings: Readonly<Record<string, string>>;
  /**
   * URL of the node from which a fork fetches state: the only external address that its Worker reaches through
   * `FORK_NODE`.
   */
  readonly forkUrl?: string | undefined;
  /** Token that the operator's Worker requires. */
  readonly token: string;
  /** Sockets on which the Workers listen, by their names; a Worker without one gets a free port of this machine. */
  readonly socketPaths: Readonly<Record<string, string>>;
  /** Folder with a subfolder for each of `storageFolders`. */
  readonly storagePath: string;
  /** Folder of the files for browsers. */
  readonly webPath: string;
  readonly v8Flags: readonly string[];
}

export const storageFolders = ["do", "d1", "kv", "cache"] as const;

/** The configuration in Cap'n Proto's text format. */
export function runtimeConfig(options: RuntimeConfigOptions): string {
  const config = {
    services: [
      { name: NODE, worker: nodeWorker(options) },
      { name: OPERATOR, worker: operatorWorker(options) },
      { name: "page", disk: { path: options.webPath } },
      ...(options.forkUrl === undefined ? [] : [forkNodeService(new URL(options.forkUrl))]),
      ...(hasPeers(options) ? [peerNetwork] : []),
      simulator("d1", "D1DatabaseObject"),
      simulator("kv", "KVNamespaceObject"),
      simulator("cache", "CacheObject"),
      ...storageFolders.map((folder) => {
        return { name: `${folder}:storage`, disk: { path: `${options.storagePath}/${folder}`, writable: true } };
      }),
    ],
    sockets: [NODE, OPERATOR].map((name) => {
      const path = options.socketPaths[name];
      return { name, address: path === undefined ? "127.0.0.1:0" : `unix:${path}`, http: {}, service: { name } };
    }),
    extensions: [
      {
        modules: [
          { name: "miniflare:shared", esModule: new Embedded("shared.js") },
          { name: "miniflare:zod", esModule: new Embedded("zod.js") },
        ],
      },
    ],
    structuredLogging: true,
    v8Flags: [collectorFlag, ...options.v8Flags],
  };
  return `using Workerd = import "/workerd/workerd.capnp";\n\nconst config :Workerd.Config = ${written(config)};\n`;
}

const PEERS = "peers";
/** Network of the peers, private addresses included. Other requests of the Worker reach public addresses only. */
const peerNetwork = {
  name: PEERS,
  network: { allow: ["public", "private"], tlsOptions: { trustBrowserCas: true } },
} as const;

/** Whether the node has peers: then PeerHub has a bridge to the runner. */
function hasPeers({ bindings }: Pick<RuntimeConfigOptions, "bindings">): boolean {
  return "PEER_BRIDGE" in bindings;
}

const FORK_NODE = "behind-fork";

/** Service that sends a fork's requests to the node at the URL. */
function forkNodeService({ protocol, hostname, port }: URL) {
  const isSecure = protocol === "https:";
  const address = `${hostname}:${port || (isSecure ? "443" : "80")}`;
  const secure = { options: {}, tlsOptions: { trustBrowserCas: true }, certificateHost: hostname };
  return { name: FORK_NODE, external: { address, ...(isSecure ? { https: secure } : { http: {} }) } };
}

/** Durable Objects of the node by binding. PeerHub holds connections, so it must not be evicted while it is idle. */
const objects = {
  CHAIN_STATE: { className: "ChainState" },
  PEER_HUB: { className: "PeerHub", preventEviction: true },
} as const;

function objectsOf(facts: Pick<RuntimeConfigOptions, "bindings">) {
  const { CHAIN_STATE, PEER_HUB } = objects;
  return Object.entries({ CHAIN_STATE, ...(hasPeers(facts) && { PEER_HUB }) });
}

function nodeWorker({ bindings, compatibilityDate, compatibilityFlags, forkUrl }: RuntimeConfigOptions) {
  const own = objectsOf({ bindings });
  return {
    compatibilityDate,
    compatibilityFlags,
    modules: [
      { name: "index.js", esModule: new Embedded(bundleFiles.node) },
      { name: compilerModule, commonJsModule: new Embedded(bundleFiles.compiler) },
    ],
    bindings: [
      ...Object.entries(bindings).map(([name, text]) => ({ name, text })),
      ...own.map(([name, { className }]) => ({ name, durableObjectNamespace: { className } })),
      ...(hasPeers({ bindings }) ? [{ name: "PEER_NETWORK", service: { name: PEERS } }] : []),
      {
        name: "DB",
        wrapped: {
          moduleName: "cloudflare-internal:d1-api",
          innerBindings: [{ name: "fetcher", service: simulated("d1", "read-model") }],
        },
      },
      { name: "FINAL", kvNamespace: simulated("kv", "final") },
      { name: "ASSETS", service: { name: "page" } },
      ...(forkUrl === undefined ? [] : [{ name: "FORK_NODE", service: { name: FORK_NODE } }]),
    ],
    durableObjectNamespaces: own.map(([, object]) => {
      return { ...object, enableSql: true, uniqueKey: `${NODE}-${object.className}` };
    }),
    durableObjectStorage: { localDisk: "do:storage" },
    cacheApiOutbound: { name: "cache" },
  };
}

function operatorWorker({ token, bindings, compatibilityDate, compatibilityFlags }: RuntimeConfigOptions) {
  return {
    compatibilityDate,
    compatibilityFlags,
    modules: [{ name: "index.js", esModule: new Embedded(bundleFiles.operator) }],
    bindings: [
      ...objectsOf({ bindings }).map(([name, { className }]) => {
        return { name, durableObjectNamespace: { className, serviceName: NODE } };
      }),
      { name: "TOKEN", text: token },
    ],
  };
}

/** Reference to the database or namespace with the id. */
function simulated(name: SimulatorName, id: string) {
  return { name, props: { json: JSON.stringify({ MINIFLARE_NAMESPACE: id }) } };
}

type SimulatorName = Exclude<(typeof storageFolders)[number], "do">;

/**
 * A simulator: a Durable Object for each database or namespace, and the Worker that finds the object. Miniflare makes
 * two Workers of it; one saves an isolate, and a hop for each request.
 */
function simulator(name: SimulatorName, className: string) {
  const main = `
    import { ${className} as Simulated } from "./object.js";
    import { RequestGarbage } from "./garbage.js";
    const garbage = new RequestGarbage();
    export { default } from "./entry.js";
    export class ${className} extends Simulated {
      fetch(request) {
        garbage.add(request);
        return super.fetch(request);
      }
    }`;
  return {
    name,
    worker: {
      compatibilityDate: "2023-07-24",
      compatibilityFlags: ["nodejs_compat", "experimental", "enhanced_error_serialization"],
      modules: [
        { name: "index.js", esModule: main },
        { name: "entry.js", esModule: new Embedded(`${name}-entry.js`) },
        { name: "object.js", esModule: new Embedded(`${name}.js`) },
        { name: "garbage.js", esModule: new Embedded(bundleFiles.garbage) },
      ],
      bindings: [
        { name: "MINIFLARE_OBJECT", durableObjectNamespace: { className } },
        { name: "MINIFLARE_BLOBS", service: { name: `${name}:storage` } },
      ],
      durableObjectNamespaces: [{ className, uniqueKey: `miniflare-${className}` }],
      durableObjectStorage: { localDisk: `${name}:storage` },
    },
  };
}

function written(value: ConfigValue): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return String(value);
  if (value instanceof Embedded) return `embed ${quoted(value.file)}`;
  if (isList(value)) return `[${value.map(written).join(", ")}]`;
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : `${name} = ${written(field)}`,
  );
  return `(${fields.join(", ")})`;
}

function isList(value: ConfigValue): value is readonly ConfigValue[] {
  return Array.isArray(value);
}

/** A string literal. Cap'n Proto has no escapes for code points: escaped characters are written as bytes. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be in a string literal
  const escaped = text.replace(/[\u0000-\u001f"\\\u007f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `"${escaped}"`;
}
