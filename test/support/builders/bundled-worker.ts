/** Worker of a test with one Durable Object, bundled and run in the runtime like the node's. */
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { readCompatibility } from "../../../local/runtime/compatibility.ts";
import { projectRoot } from "../../../verification/local-node.ts";

export interface BundledWorker {
  readonly url: URL;
  readonly dispose: () => Promise<void>;
}

/**
 * Starts a Worker.
 * @param contents module that exports the Worker and the object's class
 * @param object name of the class; its binding is the name in capitals
 */
export async function startBundledWorker(contents: string, object: string): Promise<BundledWorker> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: projectRoot },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:*", "node:*"],
  });
  const { date, flags } = readCompatibility(path.join(projectRoot, "wrangler.toml"));
  const name = "bundled";
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    cf: false,
    telemetry: { enabled: false },
    enableDevRegistry: false,
    workers: [
      {
        config: {
          name,
          compatibilityDate: date,
          compatibilityFlags: [...flags],
          manifest: {
            mainModule: "index.js",
            modules: { "index.js": { type: "esm", contents: outputFiles[0]?.text ?? "" } },
          },
          exports: { [object]: { type: "durable-object", storage: "sqlite" } },
          env: { [object.toUpperCase()]: { type: "durable-object", worker: name, exportName: object } },
        },
        dev: { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] },
      },
    ],
  });
  await miniflare.ready;
  return { url: await miniflare.unsafeGetDirectURL(name), dispose: () => miniflare.dispose() };
}

/** Client that requests a path, and can disconnect. */
export async function disconnectableClient(url: URL, requested: string): Promise<net.Socket> {
  const socket = net.connect(Number(url.port), url.hostname);
  await once(socket, "connect");
  socket.on("error", () => {});
  socket.write(`GET ${requested} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  return socket;
}

/** Waits for the time within which the runtime mostly notices that a client has disconnected. */
export const disconnectNoticed = () => new Promise((resolve) => setTimeout(resolve, 200));
