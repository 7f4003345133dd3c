/**
 * Routes that check the API key before the 404 response for an unknown path.
 * @source docs/protocol/rest-api.md 1.2
 */
import { unlisted } from "../http/description.ts";
import { mismatch } from "../http/kind.ts";
import type { Method, RouteInfo } from "../http/route.ts";
import { route } from "./context.ts";

/**
 * Passes requests with the key on to the routes after it.
 * @param params values of the path that are parsed once the key is there
 */
export function keyGuard<Params = Record<never, never>>(
  method: Method,
  path: string,
  params?: NonNullable<RouteInfo<Params>["params"]>,
) {
  return route<Params>({
    method,
    path,
    dependsOn: "request",
    isPrivate: true,
    ...(params && { params }),
    description: unlisted("checks the key before the 404 response for an unknown path"),
    handle: () => mismatch,
  });
}
