/**
 * Token of a start of the local runner. Where the runtime listens on a port of the machine, any program and any web
 * page reaches that port; only the front server knows the token.
 */
import { timingSafeEqual } from "node:crypto";
import { blake2b256 } from "../crypto/hash.ts";

export const runnerTokenHeader = "X-Runner-Token";

/** Response to a request that does not come from the runner; undefined: it does, or the node has no token. */
export function refuseWithoutToken(
  headers: Pick<Headers, "get">,
  token: string | undefined,
  name: string = runnerTokenHeader,
): Response | undefined {
  if (token === undefined || isEqual(headers.get(name) ?? "", token)) return undefined;
  return new Response("Ask the node at the address that it shows.", { status: 403 });
}

/** Compares in a time that depends on neither text. */
function isEqual(text: string, other: string): boolean {
  const encoder = new TextEncoder();
  return timingSafeEqual(blake2b256(encoder.encode(text)), blake2b256(encoder.encode(other)));
}
