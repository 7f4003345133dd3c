/** Files of the pages that the node serves to browsers: static assets, which the Worker fetches. */

import type { RouteRequest } from "../http/route-request.ts";
import { notFound, type RouteResponse } from "../http/route-response.ts";
import type { NodeContext } from "./context.ts";

/**
 * Restricts a page to this node's own files and responses: an API key or a seed typed into it is never sent elsewhere.
 * Swagger UI has pictures in its style sheet, and React sets styles of elements.
 */
const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

/** Query parameter with which pages name the digest of a file: content under such a name never changes. */
const digestField = "v";

/** The HTML file names the others by digest, but has no digest itself. */
function isText(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** @param name name of the file among the assets */
export async function assetFile(
  name: string,
  contentType: string,
  { assets, request }: Pick<NodeContext, "assets"> & { readonly request: Pick<RouteRequest, "searchParams"> },
): Promise<RouteResponse> {
  const asset = await assets.fetch(`http://assets/${name}`);
  if (!asset.ok || asset.body === null) return notFound;
  return {
    kind: "file",
    contentType,
    bytes: asset.body,
    isForever: request.searchParams.has(digestField) && !isText(contentType),
    headers: securityHeaders,
  };
}
