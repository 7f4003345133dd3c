/** Recorded responses of the reference match the declared schemas, and its errors are the declared ones. */
import { describe, expect, test } from "vitest";
import { isJsonObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { findSchemaError, findUndescribedError } from "../../support/fixtures/rest/described-response.ts";
import { type Exchange, requestText } from "../../support/fixtures/rest/exchange.ts";
import { findOperation, operations } from "../../support/fixtures/rest/find-operation.ts";
import { withRequiredMembers } from "../../support/fixtures/rest/response-difference.ts";

const files = ["requests", "validate", "clock-dependent"] as const;
/** Responses recorded without their whole exchange. */
const savedResponses = [
  ...recordedLines<Pick<Exchange, "path" | "status" | "response">>("private-a/headers.jsonl.gz"),
  ...recordedLines<{ readonly id: string; readonly response: string }>("private-a/transactions.jsonl.gz").map(
    ({ id, response }) => ({ path: `/transactions/info/${id}`, status: 200, response }),
  ),
  ...recordedLines<Pick<Exchange, "body" | "status" | "response">>("private-a/broadcasts.jsonl.gz")
    // The others were only validated, and the recording has a part of those responses.
    .filter(({ response }) => response !== null && !response.startsWith('{"valid"'))
    .map((each) => ({ ...each, method: "POST", path: "/transactions/broadcast" })),
].map((each) => ({ name: "kept", method: "GET", contentType: "application/json", ...each }));
const exchanges = [
  ...files.flatMap((file) => recordedLines<Exchange>(`private-a/${file}.jsonl.gz`)),
  ...savedResponses,
];

/** Responses of the reference with numbers as numbers, by operation. */
const byOperation = Map.groupBy(
  exchanges.filter(({ contentType }) => contentType === "application/json"),
  ({ method, path }) => findOperation(method, path),
);

/** Maximum of printed errors. */
const maxPrintedErrors = 5;

const withResponses = operations.filter((operation) => byOperation.has(operation));

describe("answers of the reference", () => {
  test("there are some of nearly every operation", () => {
    const without = operations
      .filter((operation) => !byOperation.has(operation))
      .map(({ method, path }) => `${method} ${path}`);
    expect(without.sort()).toEqual([
      // Routes of releases later than the recorded one.
      "GET /addresses/bls/{address}",
      "GET /blockchain/finality",
      "GET /blocks/finalized/at/{height}",
      "GET /blocks/headers/finalized",
      "GET /blocks/height/finalized",
      "GET /generators/at/{height}",
      "GET /health",
      "GET /metrics",
      "POST /assets/nft/{address}/limit/{limit}",
      "POST /debug/checkpoint",
    ]);
  });

  test.each(withResponses.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    "%s",
    (_, operation) => {
      const { response } = operation.description;
      const faults: string[] = [];
      let checked = 0;
      for (const exchange of byOperation.get(operation) ?? []) {
        // For a failure of the reference this node responds with an error of the catalogue.
        if (exchange.status === 500) continue;
        const json = withRequiredMembers(parseJson(exchange.response));
        const fault =
          exchange.status === 200
            ? findSchemaError(response, json)
            : findUndescribedError(operation, exchange.status, json);
        if (fault !== undefined) faults.push(`${requestText(exchange)}: ${fault}`);
        checked++;
      }
      expect(faults.slice(0, maxPrintedErrors), `${faults.length} faults`).toEqual([]);
      expect(checked).toBeGreaterThan(0);
    },
  );
});

test("schemas refuse members that they do not name, save where any name is right", () => {
  const taking = withResponses.filter((operation) => {
    const answers = (byOperation.get(operation) ?? []).filter(({ status }) => status === 200);
    const json = answers.map(({ response }) => withRequiredMembers(parseJson(response))).find(isJsonObject);
    return (
      json !== undefined &&
      findSchemaError(operation.description.response, { ...json, unknownMember: 1n }) === undefined
    );
  });
  expect(taking.map(({ path }) => path)).toEqual([
    // Balances by address.
    "/assets/{assetId}/distribution",
    // With the members of the request.
    "/utils/script/evaluate/{address}",
    "/debug/state",
    "/debug/stateWaves/{height}",
  ]);
});
