/**
 * Cross-origin headers. Every response to a request with an Origin has them, also an error.
 * @source docs/protocol/rest-api.md 1.7
 */
import { bookmarkHeader } from "../read-model/bookmark.ts";
import { type CorsSettings, isOrigin, originFromRequest } from "./rest-settings.ts";

/** Response headers that scripts of other origins may read, besides the safelisted ones. */
const exposedHeaders = ["ETag", bookmarkHeader].join(", ");

/** Returns the first origin that the header names. */
function originOf(request: Request): string | undefined {
  const [first = ""] = request.headers.get("Origin")?.split(" ") ?? [];
  return isOrigin(first) ? first : undefined;
}

/** Headers for the response to a request; none if the request has no origin. */
export function corsHeaders(request: Request, settings: CorsSettings): Record<string, string> {
  const origin = originOf(request);
  if (origin === undefined) return {};
  return {
    "Access-Control-Allow-Origin": settings.allowOrigin === originFromRequest ? origin : settings.allowOrigin,
    "Access-Control-Allow-Credentials": String(settings.allowCredentials),
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** Response to OPTIONS on any path, known or unknown. */
export function preflightResponse(request: Request, settings: CorsSettings): Response {
  const headers = new Headers({ "Content-Type": "text/plain; charset=UTF-8", ...corsHeaders(request, settings) });
  if (originOf(request) !== undefined) {
    headers.set("Access-Control-Allow-Headers", [...settings.allowHeaders, bookmarkHeader].join(", "));
    headers.set("Access-Control-Allow-Methods", settings.allowMethods.join(", "));
  }
  return new Response("OK", { headers });
}
