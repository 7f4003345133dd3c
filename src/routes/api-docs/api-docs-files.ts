/**
 * API docs for people: Swagger UI and the additions of `page/`, as static assets.
 * @source docs/protocol/rest-api.md 1.10
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { unlisted } from "../../http/description.ts";
import { type Kind, mismatch } from "../../http/kind.ts";
import { constant, json } from "../../http/route-response.ts";
import { privateNetwork } from "../../network/networks/private.ts";
import type { NetworkSettings } from "../../network/settings.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { assetFile } from "../../services/asset-file.ts";
import { route } from "../../services/context.ts";

/** Files of the API docs, with their types. */
export const apiDocsFiles = {
  "index.html": "text/html; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
} as const;

type ApiDocsFile = keyof typeof apiDocsFiles;

const fileName: Kind<ApiDocsFile> = {
  read: (name) => (Object.hasOwn(apiDocsFiles, name) ? (name as ApiDocsFile) : mismatch),
  schema: { type: "string", enum: Object.keys(apiDocsFiles) },
  errors: [],
};

const file = route({
  method: "GET",
  path: "/api-docs/:file",
  dependsOn: "request",
  params: { file: fileName },
  anyAccept: true,
  description: unlisted("the page's files"),
  handle: (node) => assetFile(node.params.file, apiDocsFiles[node.params.file], node),
});

/** Data of the node that the API docs show besides the description. */
export function apiDocsInfo(network: NetworkSettings): JsonObject {
  // Compared by content, since a settings file may have any name.
  const isPrivate = network.blockchain === privateNetwork.blockchain;
  const [master] = isPrivate ? privateNetwork.blockchain.genesis.transactions : [];
  return { network: network.name, masterAccount: master === undefined ? null : encodeBase58(master.recipient) };
}

const info = route({
  method: "GET",
  path: "/api-docs/node.json",
  dependsOn: "request",
  anyAccept: true,
  description: unlisted("data of the node for the page"),
  handle: ({ network }) => json(apiDocsInfo(network), constant),
});

export const apiDocsFileRoutes = [info, file];
