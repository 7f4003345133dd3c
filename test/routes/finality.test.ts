/** Generators and final blocks as clients see them. */
import { beforeAll, describe, expect, test } from "vitest";
import { decodeBase58 } from "../../src/crypto/base58.ts";
import { blsVerify } from "../../src/crypto/bls.ts";
import { notFound } from "../../src/http/route-response.ts";
import { proofOfPossessionMessage } from "../../src/protocol/transactions/proof-of-possession.ts";
import { d1Double } from "../../verification/sqlite/d1-double.ts";
import { activation, committed, finalityNode, networkWith, tip } from "../support/builders/finality-node.ts";
import { putChain } from "../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../support/builders/test-node.ts";

let node: TestNode;
beforeAll(() => {
  node = finalityNode();
});

async function responseText(path: string, of = node, headers: Record<string, string> = {}): Promise<string> {
  const response = await of.fetch(path, { headers });
  return `${response.status} ${await response.text()}`;
}
const list = (...generators: readonly object[]) => `200 ${JSON.stringify(generators)}`;

describe("generators at a height", () => {
  test("are shown in the order of their indexes, with what they counted for then", async () => {
    expect(await responseText("/generators/at/16")).toBe(
      list(
        { ...committed(1), balance: 500_000_000_000 },
        { ...committed(2), balance: 0 },
        { ...committed(3), balance: 300_000_000_000 },
      ),
    );
    expect(await responseText("/generators/at/17")).toContain(
      JSON.stringify({ ...committed(2), balance: 400_000_000_000 }),
    );
  });

  test("count for nothing once they have contradicted themselves, that block included", async () => {
    const whole = { ...committed(3), balance: 300_000_000_000 };
    const out = { ...committed(3), balance: 0, conflictHeight: 18 };
    expect(await responseText("/generators/at/17")).toContain(JSON.stringify(whole));
    expect(await responseText("/generators/at/18")).toContain(JSON.stringify(out));
    expect(await responseText("/generators/at/20")).toContain(JSON.stringify(out));
  });

  test("that are to come have no balance", async () => {
    expect(await responseText("/generators/at/25")).toBe(
      list(committed(1), committed(2), { ...committed(3), conflictHeight: 18 }),
    );
    expect(await responseText("/generators/at/26")).toBe(list(committed(3), committed(4)));
    expect(await responseText("/generators/at/35")).toBe(list(committed(3), committed(4)));
  });

  test("do not exist in the first period, to which no account can commit", async () => {
    for (const height of [activation, 15])
      expect(await responseText(`/generators/at/${height}`), `${height}`).toBe("200 []");
  });

  test.each(["-1", "+5", "1.5", "", "2147483648", "99999999999999999999999", "1e1", "%2018", "abc", "18/"])(
    "are not asked for by %j, which is no height",
    async (text) => {
      expect(await responseText(`/generators/at/${text}`)).toBe(`404 ${notFound.kind === "text" && notFound.text}`);
    },
  );

  test.each([0, activation - 1, 36, 2_147_483_647])("are not to be known at %i", async (height) => {
    expect(await responseText(`/generators/at/${height}`)).toBe("404 []");
  });

  test("are not to be known at all before feature 25 is in force", async () => {
    const before = finalityNode({ activationHeight: tip + 1 });
    for (const height of [1, tip, tip + 1])
      expect(await responseText(`/generators/at/${height}`, before)).toBe("404 []");
  });

  test("have their balances as texts if any range of Accept requests that, and as exact numbers otherwise", async () => {
    const accept = { Accept: "text/html, application/json;large-significand-format=string;q=0.5" };
    expect(await responseText("/generators/at/20", node, accept)).toContain('"balance":"9007199254740993"');
    expect(await responseText("/generators/at/20")).toContain('"balance":9007199254740993}');
  });

  test("stay what they are where the height is final", async () => {
    const cacheOf = async (height: number) =>
      (await node.fetch(`/generators/at/${height}`)).headers.get("Cache-Control") ?? "";
    expect(await cacheOf(19)).toBe(await cacheOf(20));
    expect(await cacheOf(18)).not.toBe(await cacheOf(20));
  });
});

describe("finality", () => {
  test("tells of both periods and who is in them", async () => {
    expect(await responseText("/blockchain/finality")).toBe(
      `200 ${JSON.stringify({
        height: tip,
        finalizedHeight: 18,
        currentGenerationPeriod: { start: 16, end: 25 },
        currentGenerators: [
          { ...committed(1), balance: "exact", conflictHeight: null },
          { ...committed(2), balance: 0, conflictHeight: null },
          { ...committed(3), balance: 0, conflictHeight: 18 },
        ],
        nextGenerationPeriod: { start: 26, end: 35 },
        nextGenerators: [committed(3), committed(4)],
      }).replace('"exact"', "9007199254740993")}`,
    );
  });

  test("is told with a slash at the end, too, and not again where nothing has changed", async () => {
    const response = await node.fetch("/blockchain/finality/");
    expect(`200 ${await response.text()}`).toBe(await responseText("/blockchain/finality"));
    const tag = { "If-None-Match": response.headers.get("ETag") as string };
    expect(await responseText("/blockchain/finality", node, tag)).toBe("304 ");
    expect(await responseText("/generators/at/20", node, tag)).toBe("304 ");
    // With texts for numbers it is a different response.
    const texts = { ...tag, Accept: "application/json;large-significand-format=string" };
    expect(await responseText("/generators/at/20", node, texts)).toContain("200 [");
  });
});

describe("what a block has made final", () => {
  test("is what the votes up to it say, and no lower than 100 blocks below", async () => {
    expect(await responseText("/blocks/finalized/at/18")).toBe('200 {"height":1}');
    expect(await responseText("/blocks/finalized/at/19")).toBe('200 {"height":18}');
    expect(await responseText("/blocks/finalized/at/20")).toBe('404 {"error":406,"message":"Not finalized"}');
  });

  test("is not known of blocks that the node does not have", async () => {
    expect(await responseText("/blocks/finalized/at/3")).toBe('404 {"error":301,"message":"block does not exist"}');
  });

  test("now is what the chain says", async () => {
    expect(await responseText("/blocks/height/finalized")).toBe('200 {"height":18}');
  });
});

test("a feature that the settings put in force is, whatever a database of an earlier release says", async () => {
  const { d1, sqlite } = d1Double();
  const network = networkWith({ "pre-activated-features": { 1: 0, 25: 0 }, "generation-period-length": 10 });
  putChain(sqlite, { genesis: genesisOfFile(network), height: 8 });
  const other = testNode({ database: d1, network });
  expect(await responseText("/blockchain/finality", other)).toContain('"currentGenerationPeriod":{"start":0,"end":10}');
  expect(await responseText("/activation/status", other)).toMatch(
    /"id":25,"description":"Deterministic Finality & RIDE V9","blockchainStatus":"ACTIVATED","nodeStatus":"IMPLEMENTED"/,
  );
});

test("a commitment without a period is to the next one", async () => {
  const response = await node.fetch("/transactions/sign", {
    method: "POST",
    headers: { "X-API-Key": "waves-private-node", "Content-Type": "application/json" },
    body: JSON.stringify({ type: 19, sender: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF" }),
  });
  const committed = (await response.json()) as Record<string, string>;
  expect(committed).toMatchObject({ type: 19, generationPeriodStart: 26, fee: 10_000_000 });
  const key = decodeBase58(committed["endorserPublicKey"] as string);
  const proof = decodeBase58(committed["commitmentSignature"] as string);
  expect(blsVerify(key, proofOfPossessionMessage(key, 26), proof)).toBe(true);
});
