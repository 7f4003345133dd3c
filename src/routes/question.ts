/** Requests whose answers may be kept: those that only ask, by a URL or by a body as well. */
import { keyOf } from "../http/edge-cache.ts";
import type { SettledFacts } from "../http/route.ts";
import { RouteRequest } from "../http/route-request.ts";
import { allRoutes } from "./all-routes.ts";

/** Longer bodies are not worth a place in memory: nobody asks the same twice. */
const MAX_BODY_CHARACTERS = 4_096;

export interface Question {
  /** Two requests with the same key ask the same; undefined: the answer is not kept. */
  readonly key: string | undefined;
  /** Where it had to be looked into, so that its body is read once. */
  readonly routed?: RouteRequest | undefined;
}

/** Reads the body, where one belongs to the question. */
export async function questionOf(request: Request): Promise<Question> {
  const { method, url, headers } = request;
  const accept = headers.get("Accept");
  if (method === "GET") return { key: request.body === null ? keyOf(url, accept) : undefined };
  const routed = method === "POST" ? RouteRequest.of(request) : undefined;
  if (routed === undefined) return { key: undefined };
  if (!postedPaths.some((start) => routed.path.startsWith(start))) return { key: undefined, routed };
  const text = await routed.text();
  if (typeof text !== "string" || text.length > MAX_BODY_CHARACTERS) return { key: undefined, routed };
  return { key: keyOf(url, accept, `${routed.mediaType}\n${text}`), routed };
}

/** Whether what the row gives may be kept for who asks the same. */
export function isKeptRow({ method, isPrivate, isQuestion }: SettledFacts, asked: string): boolean {
  return isPrivate !== true && (asked === "GET" || (method === "POST" && isQuestion === true));
}

/** How the paths begin under which questions are posted. */
const postedPaths = allRoutes
  .filter(({ facts }) => facts.isQuestion === true)
  .map(({ facts: { path } }) => path.split(":", 1)[0] as string);
