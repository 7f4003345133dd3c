/** Responses are the same with stored JSON of transactions and with bytes only, as after an upgrade. */
import { beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";
import type { Exchange } from "../../support/fixtures/rest/exchange.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const storedPaths = /^\/(blocks|transactions\/(address|info|merkleProof))\b/;
const paths = new Set(
  recordedLines<Exchange>("private-a/requests.jsonl.gz").flatMap(({ method, path }) =>
    method === "GET" && storedPaths.test(path) ? [path] : [],
  ),
);

let withTexts: TestNode;
let withoutTexts: TestNode;
beforeAll(async () => {
  const network = fixtureText("private-a/network.json");
  withTexts = testNode({ database: await recordedReadModel(), network });
  const database = await recordedReadModel();
  await database.prepare("UPDATE tx SET json = NULL").run();
  withoutTexts = testNode({ database, network });
});

const forms = ["application/json", "application/json;large-significand-format=string"];

test.each(forms)("to %s", async (accept) => {
  expect(paths.size).toBeGreaterThan(500);
  for (const path of paths) {
    const [one, other] = await Promise.all(
      [withTexts, withoutTexts].map(async (node) => {
        const response = await node.fetch(path, { headers: { Accept: accept } });
        return { status: response.status, text: await response.text() };
      }),
    );
    expect(one, path).toEqual(other);
  }
});
