/** Requests whose scripts cost their sender nothing: the budget of a host, and the response when it is spent. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Env, PoolSubmission, SubmissionResult } from "../../../src/env.ts";
import { DEV_CHAIN_ON } from "../../../src/network/dev-settings.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { signedCall } from "../../support/builders/signed-call.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const _evaluatePath = "/utils/script/evaluate/3M2hyhPfHRonEzoaAKxESfA5DFoq718UFA7";
const key = { "X-API-Key": privateNetworkSecrets.apiKey };
const at = (ip: string) => ({ "CF-Connecting-IP": ip });

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

async function post(node: TestNode, path: string, body: string, headers: Record<string, string> = {}) {
  const sent = { "Content-Type": "application/json", ...headers };
  const response = await node.fetch(path, { method: "POST", headers: sent, body });
  const json = (await response.json()) as Record<string, unknown>;
  return { status: response.status, retryAfter: response.headers.get("Retry-After"), json };
}

describe("broadcasts", () => {
  const call = jsonText(transactionJson(signedCall({ timestamp: 1n })));
  const transfer = jsonText(transactionJson(signedTransfer({ timestamp: 1n })));
  let offers: PoolSubmission[];
  let result: SubmissionResult;
  let node: TestNode;
  beforeEach(() => {
    offers = [];
    result = { accepted: false, exceeded: "sender", retryAfterMs: 4_001 };
    node = nodeWith();
  });
  function nodeWith(variables: Partial<Env> = {}): TestNode {
    const broadcastAll = async (offered: PoolSubmission[]) => {
      offers.push(...offered);
      return offered.map(() => result);
    };
    return testNode({
      database,
      network: fixtureText("private-a/network.json"),
      chainState: { broadcastAll },
      variables,
    });
  }
  const broadcast = (body: string, headers?: Record<string, string>) =>
    post(node, "/transactions/broadcast", body, headers);

  test("of calls end with 503 where ChainState does not run them, and do not reach it again before the interval ends", async () => {
    expect(await broadcast(call, at("198.51.100.1"))).toMatchObject({
      status: 503,
      retryAfter: "5",
      json: { error: 5031, exceeded: expect.stringContaining("of the sender") },
    });
    expect(await broadcast(call, at("198.51.100.1"))).toMatchObject({ status: 503 });
    expect(offers.map(({ host }) => host)).toEqual(["198.51.100.1"]);
  });

  test("of another host, or of transactions that call nothing, do reach it", async () => {
    await broadcast(call, at("198.51.100.1"));
    result = { accepted: true, isNew: true };
    expect(await broadcast(call, at("198.51.100.2"))).toMatchObject({ status: 200 });
    expect(await broadcast(transfer, at("198.51.100.1"))).toMatchObject({ status: 200 });
  });

  test.each([
    ["with the API key", key, {}],
    ["on a dev chain", {}, { DEV_CHAIN: DEV_CHAIN_ON }],
  ])("%s name no host", async (_, headers, variables) => {
    result = { accepted: true, isNew: true };
    node = nodeWith(variables);
    await broadcast(call, { ...headers, ...at("198.51.100.1") });
    expect(offers).toHaveLength(1);
    expect(offers[0]).not.toHaveProperty("host");
  });
});
