/**
 * Cross-origin headers. Every answer to a request with an Origin carries them, errors too.
 * @source spec/rest-api.md 1.7
 */
import type { CorsSettings } from "./rest-settings.ts";

/** The word that stands for the origin of each request. */
const originFromRequest = "origin-from-request";

/** Headers for the answer to a request; none when the request names no origin. */
export function corsHeaders(request: Request, settings: CorsSettings): Record<string, string> {
  const origin = request.headers.get("Origin");
  if (origin === null) return {};
  return {
    "Access-Control-Allow-Origin": settings.allowOrigin === originFromRequest ? origin : settings.allowOrigin,
    "Access-Control-Allow-Credentials": String(settings.allowCredentials),
  };
}

/** Answer to OPTIONS, on any path, known or not. */
export function preflightResponse(request: Request, settings: CorsSettings): Response {
  const headers = new Headers({ "Content-Type": "text/plain; charset=UTF-8", ...corsHeaders(request, settings) });
  if (request.headers.has("Origin")) {
    headers.set("Access-Control-Allow-Headers", settings.allowHeaders.join(", "));
    headers.set("Access-Control-Allow-Methods", settings.allowMethods.join(", "));
  }
  return new Response("OK", { headers });
}
