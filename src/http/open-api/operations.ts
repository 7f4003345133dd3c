/** Operations of routes for the document, one per method, with everything that follows from the route definition. */
import type { Description, Example } from "../description.ts";
import { type DocumentedError, type ErrorInfo, errorInfos } from "../errors.ts";
import type { Kind } from "../kind.ts";
import type { QueryParameter } from "../query.ts";
import type { BodyReader } from "../request-body.ts";
import type { AnyRouteInfo } from "../route.ts";

export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  /** OpenAPI form: `/blocks/at/{height}`. */
  readonly path: string;
  /** Name for clients and examples. */
  readonly id: string;
  readonly isPrivate: boolean;
  readonly description: Description<Record<string, unknown>>;
  readonly params: Readonly<Record<string, Kind<unknown>>>;
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly body: BodyReader<unknown> | undefined;
  /** Without duplicates, by id. */
  readonly errors: readonly ErrorInfo[];
  readonly examples: readonly Example<Record<string, unknown>>[];
}

/** Operations of a route; none for an unlisted one. */
export function operationsOf(route: AnyRouteInfo): readonly Operation[] {
  const { description } = route;
  if ("unlisted" in description) return [];
  const path = route.path.replace(/:(\w+)/g, "{$1}");
  return methodsOf(route).map((method) => {
    const body = method === "POST" ? route.body : undefined;
    const bodyQuery = method === "DELETE" ? undefined : route.body?.query?.[method];
    const query = { ...route.query, ...bodyQuery };
    const params = route.params ?? {};
    const codes: readonly DocumentedError[] = [
      ...Object.values(params).flatMap(({ errors }) => errors),
      ...Object.values(query).flatMap(({ kind }) => kind.errors),
      ...(body?.errors ?? []),
      ...(route.isPrivate ? (["apiKeyNotValid"] as const) : []),
      ...(description.errors ?? []),
    ];
    return {
      method,
      path,
      id: operationId(method, path),
      isPrivate: route.isPrivate === true,
      description,
      params,
      query,
      body,
      errors: distinctErrors(codes.flatMap(errorInfos)),
      examples: (description.examples ?? []).filter((example) => methodOf(example, route) === method),
    };
  });
}

/** Methods of a route. A route for any method is listed with those that clients use. */
function methodsOf({ method, body }: AnyRouteInfo): readonly Operation["method"][] {
  if (method !== "ALL") return [method];
  if (body === undefined) return ["GET"];
  return body.query?.GET === undefined ? ["POST"] : ["GET", "POST"];
}

function methodOf(example: Example<unknown>, route: AnyRouteInfo): Operation["method"] {
  return example.method ?? (methodsOf(route)[0] as Operation["method"]);
}

/** `getBlocksAtHeight` for `GET /blocks/at/{height}`. */
function operationId(method: Operation["method"], path: string): string {
  const words = path.match(/\w+/g) ?? [];
  const tail = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return `${method.toLowerCase()}${tail}`;
}

/** Removes duplicates. Errors may share an id, as in the reference; the document has a line for each text. */
function distinctErrors(errors: readonly ErrorInfo[]): readonly ErrorInfo[] {
  const byText = new Map(errors.map((error) => [`${error.id} ${error.about}`, error]));
  return [...byText.values()].sort((left, right) => left.id - right.id);
}

/** Path and query of an example. */
export function exampleUrl({ path }: Operation, { params = {}, query = {} }: Example<Record<string, unknown>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((item) => [name, item] as [string, string]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** Schemas of the operation's bodies and responses, by key. */
export function schemasOf({ id, body, description: { response, otherError } }: Operation) {
  const bodies = Object.entries(body?.content ?? {}).map(([type, schema]) => [bodyKey(id, type), schema] as const);
  return [
    ...bodies,
    ...(typeof response === "function" ? [[responseKey(id), response] as const] : []),
    ...(otherError === undefined ? [] : [[otherErrorKey(id), otherError.response] as const]),
  ];
}

export const responseKey = (operation: string): string => `answer of ${operation}`;
export const otherErrorKey = (operation: string): string => `other error of ${operation}`;
export const bodyKey = (operation: string, type: string): string => `${type} of ${operation}`;
