/** Recorded requests to the reference, replayed: what the routes answer must be what it answered. */
import { beforeAll, describe, expect, test } from "vitest";
import { findDifference } from "../../scripts/tools/compare-answers.ts";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../src/protocol/parse-json.ts";
import { fixtureText, recordedLines } from "../recorded-lines.ts";
import { recordedReadModel } from "./recorded-chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

interface Exchange {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly response: string;
  readonly ignore?: readonly string[];
}

/** Groups of requests whose routes exist. */
const groups = new Set([
  "blocks/at",
  "blocks/headers/at",
  "blocks/headers/last",
  "blocks/headers/seq",
  "blocks/headers/id",
  "blocks/id",
  "blocks/last",
  "blocks/seq",
  "blocks/height",
  "blocks/height/id",
  "blocks/delay",
  "blocks/address",
  "blocks/heightByTimestamp",
  "http",
  "addresses/balance",
  "addresses/balance/details",
  "addresses/balance/confirmations",
  "addresses/balance?",
  "addresses/effectiveBalance",
  "addresses/effectiveBalance/confirmations",
  "addresses/data",
  "addresses/data?",
  "addresses/data/key",
  "addresses/validate",
  "addresses/publicKey",
  "alias/by-alias",
  "alias/by-address",
  "assets/details",
  "assets/balance",
  "assets/balance?",
  "assets/balance/asset",
  "assets/distribution",
  "assets/distribution/height",
  "assets/nft",
  "leasing/active",
  "leasing/info",
  "transactions/info",
  "transactions/merkleProof",
  "transactions/snapshot",
  "transactions/status",
  "transactions/status/id",
  "transactions/address",
  "transactions/unconfirmed",
  "blockchain/rewards",
  "blockchain/rewards/height",
  "activation/status",
  "node/status",
  "node/version",
  "debug/balances/history",
  "debug/state",
  "debug/stateHash",
  "debug/stateWaves",
  "utils/hash/fast",
  "utils/hash/secure",
  "utils/script/compileCode",
  "utils/script/compileWithImports",
  "utils/script/decompile",
  "utils/script/estimate",
  "addresses/scriptInfo",
  "addresses/scriptInfo/meta",
]);

/** Members that come with scripts, and those that differ from the reference on purpose. */
const skipped = new Set(["scriptComplexity", "tokenBuybackAddress"]);

/** Why a recorded request is not replayed. */
function reasonToSkip({ path }: Exchange): string | undefined {
  if (/^\/transactions\/address\/.*after=[1-9A-HJ-NP-Za-km-z]{32,100}$/.test(path)) {
    return "a reference without a liquid block ignores `after`, against the requirements";
  }
  return undefined;
}

/** Lists whose order follows a hash table of the reference. */
const unordered = /^\/addresses\/balance(\?|$)/;

const exchanges = recordedLines<Exchange>("private-a/requests.jsonl.gz")
  .filter(({ name }) => groups.has(name.split("#")[0] as string))
  .filter((exchange) => reasonToSkip(exchange) === undefined);

/** Identities of objects in memory, which the reference prints with the trees of scripts. */
const objectIdentity = /\bByteString@[0-9a-f]+/g;

function parsed(text: string): ParsedJson | undefined {
  try {
    return parseJson(text.replace(objectIdentity, "ByteString"));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

function inOrder(path: string, answer: ParsedJson | undefined): ParsedJson | undefined {
  if (!unordered.test(path) || !Array.isArray(answer)) return answer;
  return [...(answer as readonly ParsedJson[])].sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}
const idOf = (item: ParsedJson) => (isJsonObject(item) ? String(item["id"]) : "");

let node: TestNode;
beforeAll(async () => {
  node = testNode({ database: await recordedReadModel(), network: fixtureText("private-a/network.json") });
}, 60_000);

async function replay({
  method,
  path,
  headers,
  body,
  status,
  response,
  ignore,
}: Exchange): Promise<string | undefined> {
  const answer = await node.fetch(path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
  const text = await answer.text();
  // What the reference breaks on, this node refuses.
  const expectedStatus = status === 500 ? 400 : status;
  if (answer.status !== expectedStatus)
    return `status: ${expectedStatus} expected, got ${answer.status} ${text.slice(0, 200)}`;
  if (status === 500) return undefined;
  const expected = inOrder(path, parsed(response));
  if (expected === undefined) return text === response ? undefined : `text: ${text.slice(0, 200)}`;
  return findDifference(expected, inOrder(path, parsed(text)), new Set([...skipped, ...(ignore ?? [])]));
}

describe("recorded requests", () => {
  test.each([...Map.groupBy(exchanges, ({ name }) => name.split("#")[0] as string)])("%s", async (_, list) => {
    const differences: string[] = [];
    for (const exchange of list) {
      const difference = await replay(exchange);
      if (difference !== undefined)
        differences.push(
          `${exchange.name} ${exchange.method} ${exchange.path.slice(0, 150)} ${exchange.body?.slice(0, 100) ?? ""} ${JSON.stringify(exchange.headers)}: ${difference}`,
        );
    }
    expect(differences.slice(0, 5).concat(differences.length > 5 ? [`${differences.length} in all`] : [])).toEqual([]);
  });
});
