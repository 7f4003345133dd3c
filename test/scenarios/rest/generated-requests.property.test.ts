/** Requests generated from the document: every response is a documented one. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OpenApiDocument } from "../../../scripts/types/open-api-document.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { findResponseError, textsWithin } from "../../../verification/fuzz/rest/response-error.ts";
import { type RestRequest, RestRequestGenerator } from "../../../verification/fuzz/rest/rest-requests.ts";
import type { TestNode } from "../../support/builders/test-node.ts";
import { validatingNode } from "../../support/builders/validating-node.ts";
import { findOperation } from "../../support/fixtures/rest/find-operation.ts";

const apiKey = "waves-private-node";
const tipMs = 1_795_223_867_062;

let node: TestNode;
let document: OpenApiDocument;
let knownTexts: readonly string[];
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: tipMs + 60_000 });
  node = await validatingNode({
    node: {
      status: async () => ({
        height: 105,
        tipTimestampMs: tipMs,
        isStopped: false,
        unpublishedMs: 0,
        unconfirmed: 0,
      }),
    },
  });
  document = (await (await node.fetch("/api-docs/openapi.json")).json()) as OpenApiDocument;
  knownTexts = [...new Set(textsWithin(document.paths))];
});
afterAll(() => {
  vi.useRealTimers();
});

async function send({ method, path, headers, body }: RestRequest) {
  const response = await node.fetch(path, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, contentType: response.headers.get("Content-Type"), text: await response.text() };
}

function requestOf(seed: number): RestRequest {
  return new RestRequestGenerator(document, { random: new SeededRandom(`rest ${seed}`), knownTexts, apiKey }).next();
}

test("no request gets an answer that the document does not list, nor anything private without the key", async () => {
  const counts = new Map<number, number>();
  let right = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const request = requestOf(seed);
      const answer = await send(request);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      if (request.isRight) right++;
      const asked = `${request.method} ${request.path.slice(0, 300)}`;
      expect(findResponseError(request, answer), `${asked}: ${answer.text.slice(0, 300)}`).toBeUndefined();
      if (answer.status !== 200 || !request.isRight || request.headers["Accept"]?.includes("string")) return;
      // The response to a valid request matches the schema.
      const shown = findOperation(request.method, request.path)?.description.response;
      const problem =
        typeof shown === "function" ? shown().safeParse(parseJson(answer.text)).error?.message : undefined;
      expect(problem, asked).toBeUndefined();
    }),
    { numRuns: 1_500, seed: 11 },
  );
  // There are some of each kind.
  expect(right).toBeGreaterThan(300);
  expect([...counts.keys()].sort()).toEqual(expect.arrayContaining([200, 400, 403, 404]));
});

test("the same seed makes the same request", () => {
  expect(requestOf(7)).toEqual(requestOf(7));
  expect(requestOf(7)).not.toEqual(requestOf(8));
});
