/** Files of the pages that the node serves to browsers: static assets, which the Worker asks for itself. */
import { notFound, type Reply } from "../http/reply.ts";
import type { RouteRequest } from "../http/route-request.ts";
import type { NodeContext } from "./context.ts";

/**
 * Nothing but this node's own files and answers: a page on which an API key or a seed is typed talks to nobody else. Swagger UI
 * has pictures in its style sheet, and React sets styles of elements.
 */
const securityHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
} as const;

/** The pages name their parts with a digest of what is in them: under such a name nothing ever changes. */
const digestField = "v";

/** The page's own text, which names the others, is named by nobody. */
function isText(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** @param name of the file among the assets */
export async function pageFile(
  name: string,
  contentType: string,
  { assets, request }: Pick<NodeContext, "assets"> & { readonly request: Pick<RouteRequest, "searchParams"> },
): Promise<Reply> {
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
