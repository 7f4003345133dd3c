/**
 * OpenAPI document of the interface, for tools and for the API docs.
 * @source docs/protocol/rest-api.md 1.10
 */
import { unlisted } from "../../http/description.ts";
import { openApiDocument } from "../../http/open-api/document.ts";
import { operationsOf } from "../../http/open-api/operations.ts";
import type { Route } from "../../http/route.ts";
import type { RouteResponse } from "../../http/route-response.ts";
import { referenceVersion } from "../../network/reference-version.ts";
import type { NetworkSettings } from "../../network/settings.ts";
import { type JsonObject, jsonText } from "../../protocol/json.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { exampleResponses } from "./example-responses.ts";

const indexPath = "/api-docs/index.html";

/** Letter of a chain id, or its number. */
function chainName(chainId: number): string {
  const letter = String.fromCharCode(chainId);
  return /^\p{L}$/u.test(letter) ? letter : `#${chainId}`;
}

/** Builds the document of these routes on one network. */
export function describeRoutes(routes: readonly Route<NodeContext>[], chainId: number): JsonObject {
  const operations = routes.flatMap(({ info }) => operationsOf(info));
  const info = {
    title: `Waves node (${chainName(chainId)})`,
    version: referenceVersion,
    description: `The REST interface of a node of the chain ${chainName(chainId)}. Amounts are in the smallest units (1 WAVES is 10^8 wavelets), times in milliseconds since the epoch. 64-bit integers are bare digits; with \`Accept: application/json;large-significand-format=string\` amounts come as strings. Operations with a lock need the API key.`,
  };
  return openApiDocument(operations, info, exampleResponses);
}

interface Description {
  readonly json: Uint8Array;
  readonly yaml: () => Promise<Uint8Array>;
}

/** Built at the first request and cached: a process has one network, tests have several. */
const descriptions = new WeakMap<NetworkSettings, Description>();

function descriptionFor(routes: readonly Route<NodeContext>[], { network }: NodeContext): Description {
  const known = descriptions.get(network);
  if (known !== undefined) return known;
  const document = describeRoutes(routes, network.blockchain.chainId);
  const encoder = new TextEncoder();
  let yaml: Promise<Uint8Array> | undefined;
  const description = {
    json: encoder.encode(jsonText(document)),
    yaml: () => {
      // PERF: the library is evaluated at the first request for YAML, not at each start of a Worker.
      yaml ??= import("./yaml-text.ts").then(({ yamlText }) => encoder.encode(yamlText(document)));
      return yaml;
    },
  };
  descriptions.set(network, description);
  return description;
}

function redirect(path: string): Route<NodeContext> {
  return route({
    method: "ALL",
    path,
    dependsOn: "request",
    trailingSlash: path === "/" || path === "/api-docs",
    anyAccept: true,
    description: unlisted("leads to the page"),
    handle: (): RouteResponse => ({ kind: "redirect", location: indexPath }),
  });
}

/** @param routes routes in the document */
export function apiDocsRoutes(routes: readonly Route<NodeContext>[]): readonly Route<NodeContext>[] {
  const json = route({
    method: "GET",
    path: "/api-docs/openapi.json",
    dependsOn: "request",
    anyAccept: true,
    description: unlisted("the description itself"),
    handle: (node): RouteResponse => ({
      kind: "file",
      contentType: "application/json",
      bytes: descriptionFor(routes, node).json,
    }),
  });
  const yaml = route({
    method: "GET",
    path: "/api-docs/openapi.yaml",
    dependsOn: "request",
    anyAccept: true,
    description: unlisted("the description itself"),
    handle: async (node): Promise<RouteResponse> => ({
      kind: "file",
      contentType: "text/x-yaml",
      bytes: await descriptionFor(routes, node).yaml(),
    }),
  });
  return [json, yaml, ...["/", "/swagger", "/api-docs"].map(redirect)];
}
