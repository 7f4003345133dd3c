/** Names of the files that the runtime's configuration expects beside it. */

/** File names of the bundles. */
export const bundleFiles = {
  /** The node's Worker with its Durable Object, bundled as the deployment does. */
  node: "node.js",
  /** The runner's own Worker. */
  operator: "operator.js",
  /** Module added to each simulator: `request-garbage.ts`. */
  garbage: "request-garbage.js",
  /** The API docs' script (`web/api-docs/api-docs.ts`), for browsers. */
  page: "page.js",
  /** The explorer's script and style sheet (`explorer/`), for browsers. */
  explorer: "explorer.js",
  explorerStyle: "explorer.css",
  /** Module that the explorer loads when a user signs. */
  signing: "signing.js",
  /** The script compiler, a CommonJS module: `compilerModule`. */
  compiler: "ride-lang.cjs",
} as const;

/** Bundles for browsers. */
export const webBundles = [
  bundleFiles.page,
  bundleFiles.explorer,
  bundleFiles.explorerStyle,
  bundleFiles.signing,
] as const;

/**
 * Name under which the node's module imports the compiler. It is a module of its own because the runtime reads one only
 * when it is first imported; as a part of the node it would double the time of every start.
 */
export const compilerModule = bundleFiles.compiler;

/** Modules of the simulators of D1, KV and the Cache API, with their paths in Miniflare's folder of Workers. */
export const simulatorModules = {
  "d1-entry.js": "d1/entry.worker.js",
  "d1.js": "d1/database.worker.js",
  "kv-entry.js": "shared/object-entry.worker.js",
  "kv.js": "kv/namespace.worker.js",
  "cache-entry.js": "cache/cache-entry.worker.js",
  "cache.js": "cache/cache.worker.js",
  "shared.js": "shared/index.worker.js",
  "zod.js": "shared/zod.worker.js",
} as const;

/** Folder of the files for browsers. */
export const webFilesFolder = "page";
