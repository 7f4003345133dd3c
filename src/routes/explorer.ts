/**
 * The explorer (`explorer/`): one page for all paths below `/explorer`, which reads everything else over the interface.
 * The reference has no such path.
 */
import { unlisted } from "../http/description.ts";
import type { Route } from "../http/route.ts";
import { assetFile } from "../services/asset-file.ts";
import { type NodeContext, route } from "../services/context.ts";

const files = {
  "explorer.js": "text/javascript; charset=utf-8",
  "explorer.css": "text/css; charset=utf-8",
  "signing.js": "text/javascript; charset=utf-8",
  "explorer.svg": "image/svg+xml",
} as const;

function fileRoute(path: string, name: string, contentType: string): Route<NodeContext> {
  return route({
    method: "GET",
    path,
    dependsOn: "request",
    trailingSlash: path === "/explorer",
    anyAccept: true,
    description: unlisted("the explorer's files"),
    handle: (node) => assetFile(name, contentType, node),
  });
}

const indexFile = ["explorer.html", "text/html; charset=utf-8"] as const;

export const explorerRoutes: readonly Route<NodeContext>[] = [
  ...Object.entries(files).map(([name, contentType]) => fileRoute(`/explorer/${name}`, name, contentType)),
  // The page itself interprets the path.
  fileRoute("/explorer", ...indexFile),
  fileRoute("/explorer/*", ...indexFile),
];
