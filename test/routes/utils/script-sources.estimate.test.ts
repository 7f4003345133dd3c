import { beforeAll, expect, test } from "vitest";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Expression, FunctionDeclaration, Script } from "../../../src/ride/script/expression.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const tipHeight = 105;
const dAppAddress = decodeBase58("3M4oVUEsK9TCAhxyjXqVZJ23LJkCEYLzgCt");
const network = fixtureText("private-a/network.json");
const something: Expression = { kind: "constant", value: true };
const invoke: Expression = { kind: "call", function: 1020, args: [something, something, something, something] };

let database: D1Database;
let node: TestNode;

beforeAll(async () => {
  database = await recordedReadModel();
  node = testNode({ database, network });
});

async function estimateOf(script: Script): Promise<unknown> {
  const body = Buffer.from(encodeScript(script)).toString("base64");
  const response = await node.fetch("/utils/script/estimate", { method: "POST", body });
  return response.json();
}

test("an expression that calls a dApp is estimated, though no verifier may", async () => {
  const script: Script = { content: "expression", libraryVersion: 5, expression: invoke };
  expect(await estimateOf(script)).toMatchObject({ complexity: 75, verifierComplexity: 75, callableComplexities: {} });
});

test("before feature 17 a dApp with a verifier calls no dApp, not even in an unused function", async () => {
  const unused: FunctionDeclaration = { kind: "function", name: "unused", parameters: [], body: invoke };
  const verify: FunctionDeclaration = { kind: "function", name: "verify", parameters: [], body: something };
  const script: Script = {
    content: "dApp",
    libraryVersion: 5,
    dApp: {
      meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
      declarations: [unused],
      callables: [],
      verifier: { argument: "tx", function: verify },
    },
  };
  const later = database.prepare("UPDATE feature SET activation_height = ?1 WHERE id = 17");
  await later.bind(tipHeight + 1).run();
  expect(await estimateOf(script)).toMatchObject({
    message: "DApp-to-dApp invocations are not allowed from verifier",
  });
  await later.bind(1).run();
  expect(await estimateOf(script)).toMatchObject({ verifierComplexity: 1 });
});

test("a script of the chain whose estimate takes too long is refused, and delays no other request", async () => {
  const named = (name: string, index: number): FunctionDeclaration => ({
    kind: "function",
    name: `${name}${index}`,
    parameters: [],
    body: something,
  });
  const count = 1_500;
  const script: Script = {
    content: "dApp",
    libraryVersion: 6,
    dApp: {
      meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
      declarations: Array.from({ length: count }, (_, index) => named("own", index)),
      callables: Array.from({ length: count }, (_, index) => ({ argument: "i", function: named("call", index) })),
      verifier: undefined,
    },
  };
  const put = database.prepare("UPDATE account_script SET script = ?2 WHERE address = ?1");
  await put.bind(dAppAddress, encodeScript(script)).run();
  const response = await node.fetch(`/addresses/scriptInfo/${encodeBase58(dAppAddress)}`);
  expect({ status: response.status, json: await response.json() }).toEqual({
    status: 400,
    json: { error: 199, message: "The request took too long to complete" },
  });
});
