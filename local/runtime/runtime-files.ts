/** Names of the files that the runtime's configuration expects beside it. */

/** Bundles, by what they hold. */
export const bundleFiles = {
  /** The node's Worker with its Durable Object, bundled as the deployment does. */
  node: "node.js",
  /** The runner's own Worker. */
  operator: "operator.js",
  /** What each simulator is given besides: `request-garbage.ts`. */
  garbage: "request-garbage.js",
  /** The page's script (`web/api-docs/api-docs.ts`), for browsers. */
  page: "page.js",
  /** The explorer's script and style sheet (`explorer/`), for browsers. */
  explorer: "explorer.js",
  explorerStyle: "explorer.css",
  /** What the explorer loads where somebody signs, a module. */
  signing: "signing.js",
  /** The script compiler, a CommonJS module: `compilerModule`. */
  compiler: "ride-lang.cjs",
} as const;

/** Those for browsers. */
export const pageBundles = [
  bundleFiles.page,
  bundleFiles.explorer,
  bundleFiles.explorerStyle,
  bundleFiles.signing,
] as const;

/**
 * Under this name the node's module finds the compiler. It is a module of its own because the runtime reads such a one
 * when it is first asked for; as a part of the node it would double the time that every start takes.
 */
export const compilerModule = bundleFiles.compiler;

/** Simulators of D1, KV and the Cache API, each with its place in Miniflare's folder of Workers. */
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

/** Folder of the pages' files. */
export const pageFilesFolder = "page";
