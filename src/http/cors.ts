/**
 * Cross-origin headers. Every answer to a request with an Origin carries them, errors too.
 * @source spec/rest-api.md 1.7
 */
import { bookmarkHeader } from "../read-model/bookmark.ts";
import { type CorsSettings, originFromRequest } from "./rest-settings.ts";

/** What scripts of other origins may read of an answer, besides what they may read of any. */
const exposedHeaders = ["ETag", bookmarkHeader].join(", ");

/** Headers for the answer to a request; none when the request names no origin. */
export function corsHeaders(request: Request, settings: CorsSettings): Record<string, string> {
  const origin = request.headers.get("Origin");
  if (origin === null) return {};
  return {
    "Access-Control-Allow-Origin": settings.allowOrigin === originFromRequest ? origin : settings.allowOrigin,
    "Access-Control-Allow-Credentials": String(settings.allowCredentials),
    "Access-Control-Expose-Headers": exposedHeaders,
  };
}

/** Answer to OPTIONS, on any path, known or not. */
export function preflightResponse(request: Request, settings: CorsSettings): Response {
  const headers = new Headers({ "Content-Type": "text/plain; charset=UTF-8", ...corsHeaders(request, settings) });
  if (request.headers.has("Origin")) {
    headers.set("Access-Control-Allow-Headers", [...settings.allowHeaders, bookmarkHeader].join(", "));
    headers.set("Access-Control-Allow-Methods", settings.allowMethods.join(", "));
  }
  return new Response("OK", { headers });
}
