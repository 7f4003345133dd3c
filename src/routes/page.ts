/**
 * The page on which people read and try the interface. Its files are static assets: Swagger UI, and what `page/` adds to it.
 * @source spec/rest-api.md 1.10
 */
import { encodeBase58 } from "../crypto/base58.ts";
import { unlisted } from "../http/description.ts";
import { type Kind, mismatch } from "../http/kind.ts";
import { constant, json, notFound, type Reply } from "../http/reply.ts";
import { privateNetwork } from "../network/networks/private.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { JsonObject } from "../protocol/json.ts";
import { route } from "./context.ts";

/** The page's files, with their types. */
export const pageFiles = {
  "index.html": "text/html; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
} as const;

type PageFile = keyof typeof pageFiles;

const pageFile: Kind<PageFile> = {
  read: (name) => (Object.hasOwn(pageFiles, name) ? (name as PageFile) : mismatch),
  schema: { type: "string", enum: Object.keys(pageFiles) },
  errors: [],
};

/**
 * Nothing but this node's own files and answers: a page on which an API key is typed talks to nobody else. Swagger UI has
 * pictures in its style sheet, and React sets styles of elements.
 */
const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

/** The page names its parts with a digest of what is in them: under such a name nothing ever changes. */
const digestField = "v";

const file = route({
  method: "GET",
  path: "/api-docs/:file",
  dependsOn: "request",
  params: { file: pageFile },
  anyAccept: true,
  description: unlisted("the page's files"),
  handle: async ({ params, assets, request }): Promise<Reply> => {
    const asset = await assets.fetch(`http://assets/${params.file}`);
    if (!asset.ok || asset.body === null) return notFound;
    return {
      kind: "file",
      contentType: pageFiles[params.file],
      bytes: asset.body,
      isForever: request.searchParams.has(digestField),
      headers: securityHeaders,
    };
  },
});

/** What the page shows of the node, beside the description. */
export function pageFacts(network: NetworkSettings): JsonObject {
  // Not by its name: a file of settings may have any.
  const [master] = network === privateNetwork ? privateNetwork.blockchain.genesis.transactions : [];
  return { network: network.name, masterAccount: master === undefined ? null : encodeBase58(master.recipient) };
}

const facts = route({
  method: "GET",
  path: "/api-docs/node.json",
  dependsOn: "request",
  anyAccept: true,
  description: unlisted("what the page shows of the node"),
  handle: ({ network }) => json(pageFacts(network), constant),
});

export const pageRoutes = [facts, file];
