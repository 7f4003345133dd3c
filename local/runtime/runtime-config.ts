/**
 * What the local runtime is told: which Workers there are, what each may reach, and where it listens. D1, KV and the Cache API
 * are Miniflare's simulators, Workers themselves, by the names and in the folders that Miniflare gives them; all the rest of
 * Miniflare is for other Workers than this one.
 * @source workerd.capnp (Config); miniflare: src/plugins/{core,d1,kv,do,cache}/index.ts
 */
import { collectorFlag } from "./request-garbage.ts";
import { bundleFiles, compilerModule } from "./runtime-files.ts";

/** Names of the Workers; the databases' files are named after the first one. */
export const NODE = "node";
export const OPERATOR = "operator";

/** A file beside the configuration, the text of which is meant. */
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

export interface RuntimeFacts {
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Text bindings of the node's Worker. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Where a fork asks: the one place outside that its Worker reaches by this name. */
  readonly forkUrl?: string | undefined;
  /** What the operator's Worker asks for. */
  readonly token: string;
  /** Sockets on which the Workers listen, by their names; a Worker without one gets a free port of this machine. */
  readonly socketPaths: Readonly<Record<string, string>>;
  /** Holds a folder for each of `storageFolders`. */
  readonly storagePath: string;
  /** Folder of the page's files. */
  readonly pagePath: string;
  readonly v8Flags: readonly string[];
}

export const storageFolders = ["do", "d1", "kv", "cache"] as const;

/** The configuration as text, in Cap'n Proto's own form. */
export function runtimeConfig(facts: RuntimeFacts): string {
  const config = {
    services: [
      { name: NODE, worker: nodeWorker(facts) },
      { name: OPERATOR, worker: operatorWorker(facts) },
      { name: "page", disk: { path: facts.pagePath } },
      ...(facts.forkUrl === undefined ? [] : [nodeBehindFork(new URL(facts.forkUrl))]),
      ...(hasPeers(facts) ? [peerNetwork] : []),
      simulator("d1", "D1DatabaseObject"),
      simulator("kv", "KVNamespaceObject"),
      simulator("cache", "CacheObject"),
      ...storageFolders.map((folder) => {
        return { name: `${folder}:storage`, disk: { path: `${facts.storagePath}/${folder}`, writable: true } };
      }),
    ],
    sockets: [NODE, OPERATOR].map((name) => {
      const path = facts.socketPaths[name];
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
    v8Flags: [collectorFlag, ...facts.v8Flags],
  };
  return `using Workerd = import "/workerd/workerd.capnp";\n\nconst config :Workerd.Config = ${written(config)};\n`;
}

const PEERS = "peers";
/** The network that peers are in. What the Worker fetches by itself reaches no address of a house. */
const peerNetwork = {
  name: PEERS,
  network: { allow: ["public", "private"], tlsOptions: { trustBrowserCas: true } },
} as const;

/** Whether the node speaks with others: then there is a way for PeerHub to the runner. */
function hasPeers({ bindings }: Pick<RuntimeFacts, "bindings">): boolean {
  return "PEER_BRIDGE" in bindings;
}

const BEHIND_FORK = "behind-fork";

/** Whatever is asked by this name is asked there. */
function nodeBehindFork({ protocol, hostname, port }: URL) {
  const isSecure = protocol === "https:";
  const address = `${hostname}:${port || (isSecure ? "443" : "80")}`;
  const secure = { options: {}, tlsOptions: { trustBrowserCas: true }, certificateHost: hostname };
  return { name: BEHIND_FORK, external: { address, ...(isSecure ? { https: secure } : { http: {} }) } };
}

/** The objects of the node, by their bindings. PeerHub holds connections: nothing else keeps it from being dropped when it rests. */
const objects = {
  CHAIN_STATE: { className: "ChainState" },
  PEER_HUB: { className: "PeerHub", preventEviction: true },
} as const;

function objectsOf(facts: Pick<RuntimeFacts, "bindings">) {
  const { CHAIN_STATE, PEER_HUB } = objects;
  return Object.entries({ CHAIN_STATE, ...(hasPeers(facts) && { PEER_HUB }) });
}

function nodeWorker({ bindings, compatibilityDate, compatibilityFlags, forkUrl }: RuntimeFacts) {
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
      ...(forkUrl === undefined ? [] : [{ name: "FORK_NODE", service: { name: BEHIND_FORK } }]),
    ],
    durableObjectNamespaces: own.map(([, object]) => {
      return { ...object, enableSql: true, uniqueKey: `${NODE}-${object.className}` };
    }),
    durableObjectStorage: { localDisk: "do:storage" },
    cacheApiOutbound: { name: "cache" },
  };
}

function operatorWorker({ token, bindings, compatibilityDate, compatibilityFlags }: RuntimeFacts) {
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

/** The database or namespace of this id. */
function simulated(name: SimulatorName, id: string) {
  return { name, props: { json: JSON.stringify({ MINIFLARE_NAMESPACE: id }) } };
}

type SimulatorName = Exclude<(typeof storageFolders)[number], "do">;

/**
 * A simulator: a Durable Object for each database or namespace, and what finds the object. Miniflare makes two Workers of it;
 * as one they are an isolate less, and a way less for each request.
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

/** Cap'n Proto knows no escapes for code points; what is not written as it is goes by its byte. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not stand in a text
  const escaped = text.replace(/[\u0000-\u001f"\\\u007f]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `"${escaped}"`;
}
