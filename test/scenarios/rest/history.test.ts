/** Responses on blocks and transactions that may be below the checkpoint with which the node began. */
import { beforeAll, describe, expect, test } from "vitest";
import { historyFromOf, identityOf } from "../../../src/tables/chain.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

const network = fixtureText("private-a/network.json");
const genesis = genesisOfFile(network);
const id = "8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG";

function nodeFrom(historyFrom: number): TestNode {
  const { d1, sqlite } = d1Double();
  putChain(sqlite, { height: 5_000, identity: identityOf(genesis, "drawn", historyFrom) });
  return testNode({ database: d1, network });
}

let node: TestNode;
beforeAll(() => {
  node = nodeFrom(3_001);
});

const responseText = async (path: string, of: TestNode = node) => {
  const response = await of.fetch(path);
  return `${response.status} ${await response.text()}`;
};
const unknown = (code: number, what: string) =>
  `404 {"error":${code},"message":"${what}, or it stands below block 3001, the first one that this node has"}`;

describe("a node that began with a checkpoint", () => {
  test.each([
    "/blocks/at/100",
    "/blocks/headers/at/100",
    `/blocks/${id}`,
    `/blocks/height/${id}`,
    `/blocks/delay/${id}/3`,
    "/blocks/seq/3000/3010",
    "/blocks/headers/seq/3000/3010",
    "/blocks/address/3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF/2990/3010",
    "/blocks/heightByTimestamp/1",
  ])("says of %s that it knows no such block, and from where on it knows them", async (path) => {
    expect(await responseText(path)).toBe(unknown(301, "block does not exist"));
  });

  test.each([`/transactions/info/${id}`, `/transactions/info?id=${id}`])(
    "says of %s that it knows no such transaction, and from where on it knows them",
    async (path) => {
      expect(await responseText(path)).toBe(unknown(311, "transactions does not exist"));
    },
  );

  test("answers of ranges that it has what any node answers", async () => {
    expect(await responseText("/blocks/headers/seq/3001/3002")).toBe("200 []");
    expect(await responseText("/blocks/seq/0/0")).toBe("200 []");
  });
});

test("any other node says no more than the reference", async () => {
  const other = nodeFrom(1);
  expect(await responseText("/blocks/at/100", other)).toBe('404 {"error":301,"message":"block does not exist"}');
  expect(await responseText(`/transactions/info/${id}`, other)).toBe(
    '404 {"error":311,"message":"transactions does not exist"}',
  );
  expect(await responseText("/blocks/headers/seq/1/2", other)).toBe("200 []");
  expect(await responseText("/blocks/heightByTimestamp/1", other)).toBe(
    '400 {"error":199,"message":"Indicated timestamp is before the start of the blockchain"}',
  );
});

test("the name of a read model says from where on it has blocks", () => {
  expect(historyFromOf(identityOf("genesis", "drawn.1", 1))).toBe(1);
  expect(historyFromOf(identityOf("genesis", "drawn.1", 3_001))).toBe(3_001);
  expect(historyFromOf(identityOf("gen@5", "drawn.1", 1))).toBe(1);
  expect(historyFromOf("")).toBe(1);
});
