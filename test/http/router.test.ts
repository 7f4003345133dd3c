/** Routes and their router, with routes of the test. */
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { ApiError } from "../../src/http/api-error.ts";
import { unlisted } from "../../src/http/description.ts";
import { mismatch } from "../../src/http/kind.ts";
import { assertAtMost, textsOf } from "../../src/http/multi-ids.ts";
import { optional, repeated } from "../../src/http/query.ts";
import { checkedJson, plainJson, rawText } from "../../src/http/request-body.ts";
import { type RoutingContext, routesFor } from "../../src/http/route.ts";
import { maxBodySizeBytes, RouteRequest } from "../../src/http/route-request.ts";
import { constant, json, type RouteResponse } from "../../src/http/route-response.ts";
import { createRouter } from "../../src/http/router.ts";
import { blockId, boolean, integer, natural, naturalI64, text } from "../../src/http/value-kinds.ts";

const route = routesFor<RoutingContext>();
/** Common members of the routes. */
const ofTest = { dependsOn: "request", description: unlisted("a route of a test") } as const;
const echoed = (value: string) => json(value, constant);

const router = createRouter([
  route({
    method: "GET",
    path: "/things/at/:height",
    params: { height: natural },
    ...ofTest,
    handle: ({ params }) => echoed(`at ${params.height}`),
  }),
  route({
    method: "GET",
    path: "/things/time/:ms",
    params: { ms: naturalI64 },
    ...ofTest,
    handle: ({ params }) => echoed(`time ${params.ms}`),
  }),
  route({ method: "GET", path: "/things/:id", params: { id: blockId }, ...ofTest, handle: () => echoed("id") }),
  route({ method: "GET", path: "/things/:id/*", params: { id: blockId }, ...ofTest, handle: () => mismatch }),
  route({ method: "GET", path: "/slash", trailingSlash: true, ...ofTest, handle: () => echoed("slash") }),
  route({
    method: "GET",
    path: "/texts/:text",
    params: { text },
    ...ofTest,
    handle: ({ params }) => echoed(params.text),
  }),
  route({
    method: "GET",
    path: "/query",
    query: { flag: optional(boolean, ""), number: optional(integer, ""), names: repeated(text, "") },
    ...ofTest,
    handle: ({ query: { flag, number, names } }) => echoed(`${flag} ${number} ${names.join("+")}`),
  }),
  route({
    method: "POST",
    path: "/raw",
    body: rawText(() => z.string()),
    ...ofTest,
    handle: ({ body }) => echoed(body),
  }),
  route({
    method: "POST",
    path: "/plain",
    body: plainJson(() => z.unknown()),
    ...ofTest,
    handle: () => echoed("plain"),
  }),
  route({
    method: "POST",
    path: "/checked",
    body: checkedJson(() => z.unknown()),
    ...ofTest,
    handle: () => echoed("checked"),
  }),
  route({
    method: "ALL",
    path: "/many",
    trailingSlash: true,
    body: textsOf("id", ""),
    ...ofTest,
    handle: ({ body }) => {
      assertAtMost(3, body);
      return echoed(body.join("+"));
    },
  }),
  route({
    method: "POST",
    path: "/secret",
    isPrivate: true,
    body: checkedJson(() => z.unknown()),
    ...ofTest,
    handle: () => echoed("secret"),
  }),
  route({
    method: "POST",
    path: "/posted/:id",
    params: { id: blockId },
    isPrivate: true,
    refusesGet: true,
    body: checkedJson(() => z.unknown()),
    ...ofTest,
    handle: () => echoed("posted"),
  }),
  route({ method: "ALL", path: "/any", ...ofTest, handle: () => echoed("any") }),
]);
const context: RoutingContext = { chainId: 82, hasApiKey: (headers) => headers.get("X-API-Key") === "key" };

async function requestText(path: string, init: RequestInit = {}): Promise<string> {
  let response: RouteResponse;
  try {
    response = await router(RouteRequest.of(new Request(`http://node.test${path}`, init)) as RouteRequest, context);
  } catch (error) {
    if (error instanceof ApiError) return error.details.code;
    throw error;
  }
  if (response.kind === "json") return String(response.value);
  return response.kind === "text" ? String(response.status) : response.kind;
}
const post = (body: string, type?: string): RequestInit => ({
  method: "POST",
  body,
  headers: type === undefined ? {} : { "Content-Type": type },
});

describe("paths", () => {
  const cases: readonly (readonly [path: string, answer: string])[] = [
    ["/things/at/12", "at 12"],
    ["/things/at/2147483647", "at 2147483647"],
    ["/things/at/2147483648", "blockIdInvalid"],
    ["/things/at/-1", "blockIdInvalid"],
    ["/things/at/", "blockIdInvalid"],
    ["/things/time/9223372036854775807", "time 9223372036854775807"],
    ["/things/time/9223372036854775808", "blockIdInvalid"],
    ["/things/DnK5Xfi2wXUJx9BjK9X6ZpFdTLdq2GtWH9pWrcxcmrhB", "id"],
    ["/things/DnK5Xfi2wXUJx9BjK9X6ZpFdTLdq2GtWH9pWrcxcmrhB/", "404"],
    ["/things/DnK5Xfi2wXUJx9BjK9X6ZpFdTLdq2GtWH9pWrcxcmrhB/x", "404"],
    ["/things/abc", "blockIdInvalid"],
    ["/things", "404"],
    ["/slash", "slash"],
    ["/slash/", "slash"],
    ["/slash//", "404"],
    ["/texts/a%20b%2Fc", "a b/c"],
    ["/texts/%D0%BA", "к"],
    ["/texts/%ZZ", "404"],
    ["/texts/a%ff%D0", "a\ufffd\ufffd"],
    ["/text%73/a", "a"],
    ["/%74hings/a%74/12", "at 12"],
    ["/things%2Fat/12", "404"],
    ["/things/at%2F12", "blockIdInvalid"],
    ["/texts/", "404"],
    ["/unknown", "404"],
    ["/", "404"],
    ["//", "404"],
    ["/constructor", "404"],
    ["/__proto__/x", "404"],
  ];
  test.each(cases)("GET %s answers %s", async (path, answer) => {
    expect(await requestText(path)).toBe(answer);
  });

  test("a wrong method finds no route, and any method finds one for all", async () => {
    expect(await requestText("/slash", { method: "POST" })).toBe("404");
    expect(await requestText("/any", { method: "DELETE" })).toBe("any");
    expect(await requestText("/any", { method: "PROPFIND" })).toBe("any");
  });

  test("a client that takes no JSON finds no route, but a bad id is named all the same", async () => {
    const headers = { Accept: "text/html" };
    expect(await requestText("/things/at/12", { headers })).toBe("blockIdInvalid");
    expect(await requestText("/slash", { headers })).toBe("404");
  });

  test("errors and texts are sent to clients that take no JSON", async () => {
    const headers = { Accept: "text/html" };
    expect(await requestText("/many?id=1&id=2&id=3&id=4", { headers })).toBe("tooBigSequence");
    expect(await requestText("/many?id=1", { headers })).toBe("404");
    const withKey = { headers: { ...headers, "X-API-Key": "key" } };
    expect(await requestText("/posted/DnK5Xfi2wXUJx9BjK9X6ZpFdTLdq2GtWH9pWrcxcmrhB", withKey)).toBe("405");
    expect(await requestText("/secret", { method: "POST", headers })).toBe("apiKeyNotValid");
  });
});

describe("queries", () => {
  test("values are read by their kinds", async () => {
    expect(await requestText("/query?flag=yes&number=-4&names=a&names=b")).toBe("true -4 a+b");
    expect(await requestText("/query")).toBe("undefined undefined ");
    expect(await requestText("/query?flag=&number=&names=")).toBe("undefined undefined ");
  });

  test.each(["/query?flag=maybe", "/query?number=1.5", "/query?number=99999999999"])(
    "%s finds no route",
    async (path) => {
      expect(await requestText(path)).toBe("404");
    },
  );
});

describe("bodies", () => {
  test("raw text is taken whatever its type", async () => {
    expect(await requestText("/raw", post("{text", "application/json"))).toBe("{text");
    expect(await requestText("/raw", post(""))).toBe("");
    expect(await requestText("/raw", post("", "text/plain; charset=nonsense"))).toBe("");
    expect(await requestText("/raw", post("a", "text/plain; charset=nonsense"))).toBe("404");
  });

  test("JSON of class plain that cannot be read finds no route", async () => {
    expect(await requestText("/plain", post("{}", "application/json"))).toBe("plain");
    expect(await requestText("/plain", post("{}", "application/json; charset=utf-8"))).toBe("plain");
    for (const request of [post("{", "application/json"), post("{}", "text/plain"), post("", "application/json")]) {
      expect(await requestText("/plain", request)).toBe("404");
    }
  });

  test("JSON of class checked that cannot be read is an error", async () => {
    expect(await requestText("/checked", post("[1]", "application/json"))).toBe("checked");
    expect(await requestText("/checked", post("{", "application/json"))).toBe("jsonUnreadable");
    expect(await requestText("/checked", post("{", "text/plain"))).toBe("404");
    expect(await requestText("/checked", post("", "application/json"))).toBe("404");
  });

  test("a body over the limit finds no route, with and without a length", async () => {
    const body = "x".repeat(maxBodySizeBytes + 1);
    expect(await requestText("/raw", post(body))).toBe("404");
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    });
    // Node requires `duplex` for a stream body; the type does not have it.
    const streamed = { method: "POST", body: stream, duplex: "half" } as unknown as RequestInit;
    expect(await requestText("/raw", streamed)).toBe("404");
    expect(await requestText("/raw", post("x".repeat(maxBodySizeBytes)))).toHaveLength(maxBodySizeBytes);
  });

  test("bytes that are not UTF-8 are replaced, across the parts of the body too", async () => {
    const parts = [new Uint8Array([0xd0]), new Uint8Array([0xba, 0xff])];
    const stream = new ReadableStream({
      pull: (controller) => {
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const streamed = { method: "POST", body: stream, duplex: "half" } as unknown as RequestInit;
    expect(await requestText("/raw", streamed)).toBe("к\ufffd");
  });
});

describe("many ids", () => {
  const form = "application/x-www-form-urlencoded";
  test("come by query, form or JSON, in order and with repetitions", async () => {
    expect(await requestText("/many?id=b&id=a&id=b")).toBe("b+a+b");
    expect(await requestText("/many/", post("id=b&id=a&id=b", form))).toBe("b+a+b");
    expect(await requestText("/many", post('{"ids":["b","a","b"]}', "application/json"))).toBe("b+a+b");
    expect(await requestText("/many")).toBe("");
    expect(await requestText("/many", { method: "POST" })).toBe("");
  });

  test("JSON over the limit of bodies is refused by name, since the reference breaks on it", async () => {
    const tooLarge = `{"ids":["${"1".repeat(maxBodySizeBytes)}"]}`;
    expect(await requestText("/many", post(tooLarge, "application/json"))).toBe("tooBigSequence");
    expect(await requestText("/many", post(`id=${"1".repeat(maxBodySizeBytes)}`, form))).toBe("404");
  });

  test("more than the limit are refused", async () => {
    expect(await requestText("/many?id=1&id=2&id=3&id=4")).toBe("tooBigSequence");
  });

  const cases: readonly (readonly [body: string, type: string, answer: string])[] = [
    ["{}", "application/json", "jsonInvalid"],
    ['{"ids":"x"}', "application/json", "jsonInvalid"],
    ['{"ids":[1]}', "application/json", "jsonInvalid"],
    ["[]", "application/json", "404"],
    ["{", "application/json", "404"],
    ["text", "text/plain", "404"],
  ];
  test.each(cases)("the body %s of type %s answers %s", async (body, type, answer) => {
    expect(await requestText("/many", post(body, type))).toBe(answer);
  });
});

describe("private routes", () => {
  test("ask for the key before the body is looked at", async () => {
    expect(await requestText("/secret", post("{", "text/plain"))).toBe("apiKeyNotValid");
    const headers = { "Content-Type": "application/json", "X-API-Key": "key" };
    expect(await requestText("/secret", { method: "POST", body: "{}", headers })).toBe("secret");
    expect(await requestText("/secret", { method: "POST", body: "{", headers })).toBe("jsonUnreadable");
  });

  test("GET of a path that refuses it is 405, once the key is there; other methods find no route", async () => {
    const path = `/posted/${"1".repeat(32)}`;
    const headers = { "Content-Type": "application/json", "X-API-Key": "key" };
    expect(await requestText(path)).toBe("apiKeyNotValid");
    expect(await requestText(path, { headers })).toBe("405");
    expect(await requestText(path, { method: "PUT", headers })).toBe("404");
    expect(await requestText(path, { method: "POST", headers: { "X-API-Key": "key" } })).toBe("404");
    expect(await requestText(path, { method: "POST", body: "{}", headers })).toBe("posted");
    expect(await requestText("/posted/0", { headers })).toBe("blockIdInvalid");
  });

  test("another method on a private path is an unknown route", async () => {
    expect(await requestText("/secret")).toBe("404");
  });
});
