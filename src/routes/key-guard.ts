/**
 * Rows that ask for the API key before it is said that there is no such route.
 * @source docs/protocol/rest-api.md 1.2
 */
import { unlisted } from "../http/description.ts";
import { mismatch } from "../http/kind.ts";
import type { Method, RouteFacts } from "../http/route.ts";
import { route } from "./context.ts";

/**
 * Leaves who has the key to the rows behind it.
 * @param params values of the path that are looked at, once the key is there
 */
export function keyGuard<Params = Record<never, never>>(
  method: Method,
  path: string,
  params?: NonNullable<RouteFacts<Params>["params"]>,
) {
  return route<Params>({
    method,
    path,
    dependsOn: "request",
    isPrivate: true,
    ...(params && { params }),
    description: unlisted("asks for the key before it is said that there is no such route"),
    handle: () => mismatch,
  });
}
