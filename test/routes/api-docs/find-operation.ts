/** Operation of the document for a request. */
import { ApiError } from "../../../src/http/api-fault.ts";
import { mismatch } from "../../../src/http/kind.ts";
import { type Operation, operationsOf } from "../../../src/http/open-api/operations.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";

export type { Operation };

export const operations: readonly Operation[] = allRoutes.flatMap(({ facts }) => operationsOf(facts));

/** Finds it in the order of the routes, like the router. @param path may have a query */
export function findOperation(method: string, path: string): Operation | undefined {
  const pathname = path.split("?", 1)[0] as string;
  return operations.find((operation) => operation.method === method && takes(operation, pathname));
}

/** A slash at the end is ignored: the router's tests cover it. */
function takes({ path, params }: Operation, pathname: string): boolean {
  const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`);
  const match = pattern.exec(pathname);
  if (match === null) return false;
  return Object.entries(match.groups ?? {}).every(([name, text]) => !isMismatch(params[name], text));
}

/** A value that is refused with an error of its own is not a mismatch. */
function isMismatch(kind: Operation["params"][string] | undefined, text: string): boolean {
  try {
    return kind?.read(text, chainId) === mismatch;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

const chainId = 82;
