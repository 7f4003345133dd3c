/**
 * Examples of the document: a node on the recorded chain gets the requests of the routes' examples. Its responses are
 * stored in `src/routes/api-docs/example-responses.ts`; `npx vitest run FILE -u` with this file rewrites it.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { PeersRpc } from "../../../src/env.ts";
import { exampleName } from "../../../src/http/open-api/document.ts";
import { exampleUrl, type Operation } from "../../../src/http/open-api/operations.ts";
import { encodeIdList } from "../../../src/protocol/codec/id-list.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { signedTransactionOf } from "../../../src/routes/json/signed-transaction.ts";
import { exampleTransfer, exampleTransferId } from "../../../src/routes/transactions/example-transfer.ts";
import { finalityNode } from "../../support/builders/finality-node.ts";
import type { TestNode } from "../../support/builders/test-node.ts";
import { validatingNode } from "../../support/builders/validating-node.ts";
import { idlePeers } from "../../support/fakes/idle-peers.ts";
import { operations } from "../../support/fixtures/rest/find-operation.ts";

/** Time of the example's validation, ms: it is not too old. */
const validatedMs = 1_795_223_920_829;
const apiKey = "waves-private-node";
const transfer = signedTransactionOf(
  parseJson(jsonText(exampleTransfer as unknown as JsonValue)),
  exampleTransfer.chainId,
);

const timestampMs = validatedMs - 60_000;
/** Peers of a node with one peer and one blacklisted host. */
const peers: PeersRpc = {
  ...idlePeers,
  known: async () => [{ address: "192.0.2.5:6868", lastSeenMs: timestampMs }],
  connected: async () => [
    {
      ...{ address: "192.0.2.5:51234", declaredAddress: "192.0.2.5:6868", name: "Node", nonce: 1_438_674n },
      ...{ applicationName: "wavesR", applicationVersion: "1.5.7" },
    },
  ],
  blacklisted: async () => [{ host: "192.0.2.7", timestampMs, reason: "Debug API request" }],
  suspended: async () => [{ host: "192.0.2.8", timestampMs }],
  progress: async () => ({ height: 105, blocksAhead: 0, connectedPeers: 1 }),
};

/** Examples of another chain, since the recorded one has no committed generators. */
const ofFinality: readonly string[] = ["/blockchain/finality", "/generators/at/{height}"];
const committee = finalityNode();

let node: TestNode;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: validatedMs });
  const bytes = encodeProtobuf(transfer);
  node = await validatingNode({
    // A pool with the transfer.
    chainState: {
      unconfirmedIds: async () => encodeIdList([transfer.id]),
      unconfirmedCount: async () => 1,
      someUnconfirmed: async (ids) => ids.map(() => bytes),
      findUnconfirmed: async () => bytes,
    },
    peers,
    node: {
      status: async () => ({
        height: 105,
        tipTimestampMs: 1_795_223_867_062,
        isStopped: false,
        unpublishedMs: 0,
        unconfirmed: 0,
      }),
    },
  });
});
afterAll(() => {
  vi.useRealTimers();
});

type Example = Operation["examples"][number];

async function responseTo(operation: Operation, example: Example): Promise<{ status: number; text: string }> {
  const { body } = example;
  const isText = typeof body === "string";
  const asked = ofFinality.includes(operation.path) ? committee : node;
  const response = await asked.fetch(exampleUrl(operation, example), {
    method: operation.method,
    headers: {
      ...(body !== undefined && { "Content-Type": isText ? "text/plain" : "application/json" }),
      ...(operation.isPrivate && { "X-API-Key": apiKey }),
    },
    ...(body !== undefined && { body: isText ? body : jsonText(body) }),
  });
  return { status: response.status, text: await response.text() };
}

test("every operation has an example, save those that answer by chance, count requests, or refuse whatever is asked", () => {
  const without = operations.filter(({ examples }) => examples.length === 0);
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /metrics",
    "GET /utils/seed",
    "GET /utils/seed/{length}",
  ]);
});

test("the transfer of the examples has the id of the examples", () => {
  expect(encodeBase58(transfer.id)).toBe(exampleTransferId);
});

test("the answers of the document are those of a node, each of its schema", async () => {
  const lines: string[] = [];
  for (const operation of operations) {
    for (const example of operation.examples) {
      const name = exampleName(operation, example);
      const { status, text } = await responseTo(operation, example);
      expect(status, `${name}: ${text}`).toBe(200);
      const { response } = operation.description;
      if (typeof response === "function") expect(response().safeParse(parseJson(text)).error, name).toBeUndefined();
      lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(text)},`);
    }
  }
  const head = [
    "// Responses of a node to the examples of the routes; generated by test/routes/api-docs/example-responses.test.ts.",
    "export const exampleResponses: Readonly<Record<string, string>> = {",
  ];
  const kept = join(import.meta.dirname, "../../../src/routes/api-docs/example-responses.ts");
  await expect([...head, ...lines, "};", ""].join("\n")).toMatchFileSnapshot(kept);
});
