/** No request, however malformed, gets a 500, an untyped error, or a response outside the catalogue. */
import fc from "fast-check";
import { beforeAll, expect, test, vi } from "vitest";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

let node: TestNode;
beforeAll(async () => {
  const facts = { database: await recordedReadModel(), network: fixtureText("private-a/network.json") };
  const { height } = (await (await testNode(facts).fetch("/blocks/height")).json()) as { height: number };
  // A working node: otherwise /health responds with 503.
  node = testNode({
    ...facts,
    node: {
      status: async () => ({
        height,
        tipTimestampMs: Date.now(),
        isStopped: false,
        unpublishedMs: 0,
        unconfirmed: 0,
      }),
    },
  });
});

/** Values of segments, parameters and members: valid, nearly valid, and arbitrary ones. */
const value = fc.oneof(
  fc.constantFrom(
    "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
    "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxG",
    "3DQKBnmYwPWegYAzejmGo2RZxMBkq42eYZnYqwmRK5Nm",
    "54khNhktScDNhhQrheN6HpVPWBq3gNmZXLuzsnUUZq4dXni9sibN3XbShKVLz6ZDEuKZYN9ddcme2xLMyNaFXKBc",
    "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV",
    "0",
    "1",
    "105",
    "-1",
    "2147483648",
    "9223372036854775808",
    "1e3",
    "NaN",
    "%00",
    "%ZZ",
    "%E0%A4%A",
    "..",
    "alias:R:abcd",
    "constructor",
    "__proto__",
    "WAVES",
    "",
  ),
  fc.nat(200).map(String),
  fc.string({ unit: "binary", maxLength: 12 }).map(encodeURIComponentSafely),
  fc.base64String({ maxLength: 300 }),
);
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "?"));
}

const knownPath = fc
  .tuple(fc.constantFrom(...allRoutes.map(({ info }) => info.path)), fc.array(value, { minLength: 5, maxLength: 5 }))
  .map(([path, values]) => path.replace(/:\w+|\*/g, () => values.pop() ?? ""));
const anyPath = fc.array(value, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`);
const parameters = fc.array(
  fc.tuple(fc.constantFrom("id", "address", "height", "asset", "after", "full", "trace", "limit", "x"), value),
  { maxLength: 4 },
);
const query = parameters.map((pairs) =>
  pairs.length === 0 ? "" : `?${pairs.map((pair) => pair.join("=")).join("&")}`,
);

const jsonBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .record(
      {
        ids: fc.oneof(fc.array(value, { maxLength: 4 }), fc.jsonValue()),
        addresses: fc.oneof(fc.array(value, { maxLength: 4 }), fc.jsonValue()),
        height: fc.jsonValue(),
        asset: fc.jsonValue(),
        type: fc.oneof(fc.integer({ min: -1, max: 21 }), fc.jsonValue()),
        version: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.jsonValue()),
        senderPublicKey: fc.oneof(value, fc.jsonValue()),
        recipient: fc.oneof(value, fc.jsonValue()),
        amount: fc.oneof(fc.integer(), fc.jsonValue()),
        fee: fc.oneof(fc.integer(), fc.jsonValue()),
        timestamp: fc.oneof(fc.integer(), fc.jsonValue()),
        proofs: fc.oneof(fc.array(value, { maxLength: 9 }), fc.jsonValue()),
        transfers: fc.jsonValue(),
        data: fc.jsonValue(),
        order1: fc.jsonValue(),
        call: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((body) => JSON.stringify(body)),
);
const body = fc.oneof(
  jsonBody,
  parameters.map((pairs) => pairs.map((pair) => pair.join("=")).join("&")),
  fc.string({ maxLength: 40 }),
  fc.constant("[".repeat(10_000)),
);

const request = fc.record({
  method: fc.constantFrom("GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "PROPFIND"),
  path: fc.oneof(knownPath, knownPath, anyPath),
  query,
  body,
  type: fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data",
    "",
  ),
  accept: fc.constantFrom(undefined, "*/*", "application/json;large-significand-format=string", "text/html", ",;=q"),
});

const catalogue = new Set([
  1, 2, 10, 101, 102, 108, 111, 112, 113, 114, 115, 116, 117, 199, 301, 302, 304, 305, 306, 307, 308, 311, 312, 313,
  314, 403, 404, 405, 406, 4001, 4002, 4007, 4008, 4009,
]);

/** Responses without JSON: for unknown routes, and preflights. */
const texts = [
  { status: 404, text: "The requested resource could not be found but may be available again in the future." },
  {
    status: 405,
    text: "A request was made of a resource using a request method not supported by that resource;",
  },
  { status: 200, text: "OK" },
];

test("malformed requests get an answer of the catalogue", async () => {
  const reported = vi.spyOn(console, "error");
  const counts = { texts: 0, errors: 0, others: 0 };
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query: search, body: text, type, accept }) => {
      const response = await node.fetch(`${path}${search}`, {
        method,
        headers: { ...(type !== "" && { "Content-Type": type }), ...(accept !== undefined && { Accept: accept }) },
        ...(method !== "GET" && method !== "HEAD" && { body: text }),
      });
      const answered = await response.text();
      expect(response.status).toBeLessThan(502);
      expect(response.status).not.toBe(500);
      if (response.headers.get("Content-Type")?.startsWith("text/plain")) {
        expect(texts).toContainEqual({ status: response.status, text: answered });
        counts.texts++;
        return;
      }
      // The description of the interface, and redirects to its page.
      if (response.status === 308 || path.startsWith("/api-docs/")) return;
      // An account without functions has no interface for Ethereum wallets: an empty response.
      if (answered === "" && response.status === 200 && path.startsWith("/eth/abi/")) return;
      const json = parseJson(answered) as { readonly error?: bigint };
      // Without feature 25 there are no generators: an empty list with this status.
      if (Array.isArray(json) && response.status === 404 && path.startsWith("/generators/at/")) return;
      if (response.status >= 400) expect(catalogue).toContain(Number(json.error));
      counts[response.status >= 400 ? "errors" : "others"]++;
    }),
    { numRuns: 3000 },
  );
  expect(reported).not.toHaveBeenCalled();
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});
