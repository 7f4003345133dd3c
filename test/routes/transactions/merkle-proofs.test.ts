/** Queries of `/transactions/merkleProof`, and equal responses for all of them. */
import { beforeAll, describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { EMPTY_MERKLE_TREE, type MerkleTree } from "../../../src/crypto/merkle.ts";
import { Feature } from "../../../src/network/features.ts";
import { platformLimits } from "../../../src/platform/limits.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { featureTable } from "../../../src/tables/features.ts";
import { transactionTreeTable } from "../../../src/tables/transaction-trees.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { genesisOfFile, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

interface Proof {
  readonly id: string;
  readonly transactionIndex: number;
  readonly merkleProof: readonly string[];
}

const network = fixtureText("private-a/network.json");
const BLOCKS = 1_000;
const TIP = BLOCKS + 2;
/** One block has a full number of leaves, the others various numbers. */
const FULL_BLOCK = { height: 2, transactions: 6_000 };

const messageAt = (height: number, position: number) => new TextEncoder().encode(`a message ${height} ${position}`);
const idAt = (height: number, position: number) =>
  new Uint8Array(32)
    .fill(height & 255, 0, 8)
    .fill(height >> 8, 8, 16)
    .fill(position & 255, 16, 24)
    .fill(position >> 8, 24) as TransactionId;
const countAt = (height: number) => (height === FULL_BLOCK.height ? FULL_BLOCK.transactions : (height % 9) + 1);

const trees = new Map<number, MerkleTree>();
const { d1, sqlite } = d1Double();
/** Number of statements of D1, and of characters in its results. */
const queryCounts = { statements: 0, characters: 0 };

/** Bytes of a transaction as in its block: with the field of other than Ethereum transactions. */
function bytesAt(height: number, position: number): Uint8Array {
  const message = messageAt(height, position);
  return Uint8Array.of(0x0a, message.length, ...message);
}

beforeAll(() => {
  putRows(sqlite, featureTable, [{ id: Feature.BlockV5, activationHeight: 2 }]);
  const kept = {
    type: 4,
    status: "succeeded",
    spentComplexity: 0,
    snapshot: undefined,
    callRecord: undefined,
  } as const;
  for (let height = 2; height <= TIP; height++) {
    const positions = Array.from({ length: countAt(height) }, (_, position) => position);
    const rows = positions.map((position) => ({
      id: idAt(height, position),
      height,
      position,
      bytes: bytesAt(height, position),
      ...kept,
    }));
    for (let first = 0; first < rows.length; first += 1_000)
      putRows(sqlite, transactionTable, rows.slice(first, first + 1_000));
    const tree = EMPTY_MERKLE_TREE.append(rows.map(({ bytes }) => bytes));
    trees.set(height, tree);
    if (height < TIP)
      putRows(sqlite, transactionTreeTable, [{ height, leafCount: tree.leafCount, nodes: tree.nodes() }]);
  }
  putChain(sqlite, { height: TIP, genesis: genesisOfFile(network) });
});

async function proofsOf(places: readonly (readonly [height: number, position: number])[]): Promise<readonly Proof[]> {
  Object.assign(queryCounts, { statements: 0, characters: 0 });
  const session = d1.withSession();
  const counting = {
    ...session,
    getBookmark: () => "bookmark",
    prepare: (sql: string) => session.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements);
      queryCounts.statements += statements.length;
      queryCounts.characters += JSON.stringify(results.map((result) => result.results)).length;
      return results;
    },
  };
  const database = { withSession: () => counting } as unknown as D1Database;
  const ids = places.map(([height, position]) => encodeBase58(idAt(height, position)));
  const body = JSON.stringify({ ids });
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  const response = await testNode({ database, network }).fetch("/transactions/merkleProof", init);
  expect(response.status).toBe(200);
  return (await response.json()) as Proof[];
}

/** Proof from the whole tree. */
function expected(height: number, position: number): Proof {
  const merkleProof = (trees.get(height) as MerkleTree).proof(position).map(encodeBase58);
  return { id: encodeBase58(idAt(height, position)), transactionIndex: position, merkleProof };
}

describe("proofs of transactions", () => {
  test("in a thousand blocks are found by one statement beside the chain's", async () => {
    const places = Array.from({ length: BLOCKS }, (_, index) => [index + 2, index % countAt(index + 2)] as const);
    expect(await proofsOf(places)).toEqual(places.map(([height, position]) => expected(height, position)));
    expect(queryCounts.statements).toBe(2);
    expect(queryCounts.characters).toBeLessThan(1_000_000);
  });

  test("in a full block bring none of its transactions along", async () => {
    const places = Array.from({ length: 1_000 }, (_, index) => [FULL_BLOCK.height, 6 * index + (index % 6)] as const);
    expect(await proofsOf(places)).toEqual(places.map(([height, position]) => expected(height, position)));
    expect(queryCounts.statements).toBe(2);
    expect(queryCounts.characters).toBeLessThan(1_100_000);
  });

  test("are right at every place of trees of every shape", async () => {
    const places = Array.from({ length: 30 }, (_, index) => index + 3).flatMap((height) =>
      Array.from({ length: countAt(height) }, (__, position) => [height, position] as const),
    );
    expect(await proofsOf(places)).toEqual(places.map(([height, position]) => expected(height, position)));
  });

  test("in the tip, whose tree is not kept yet, read the tip once", async () => {
    const places = [
      [TIP, 1],
      [3, 2],
      [TIP, 0],
      [TIP, 1],
    ] as const;
    expect(await proofsOf(places)).toEqual(places.map(([height, position]) => expected(height, position)));
    expect(queryCounts.statements).toBe(4);
  });
});

test("the tree of a full block fits into a row, as text too", () => {
  const nodes = (trees.get(FULL_BLOCK.height) as MerkleTree).nodes();
  expect(nodes.length).toBe(384_032);
  expect(2 * nodes.length).toBeLessThan(platformLimits.valueBytes);
});
