/** Every block of the recorded chains: bytes, ids, signatures, roots, and the JSON of the REST API. */

import { describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { EMPTY_MERKLE_TREE } from "../../../src/crypto/merkle.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { blockJson, type HeaderInfo, headerJson, votingJson } from "../../../src/protocol/blocks/block-json.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { merkleMessage } from "../../../src/protocol/blocks/transactions-root.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { type JsonObject, jsonText, RawJson } from "../../../src/protocol/json.ts";
import { isJsonObject, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { findSharedBytes, fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { blockchain } from "../../support/fixtures/recorded-private-a.ts";

interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly response: string;
}

/** Recorded responses whose large integers are exact. */
const parsedResponses = (exchanges: readonly Exchange[], prefix: string): [Exchange, ParsedObject][] =>
  exchanges
    .filter(({ path, status }) => status === 200 && path.startsWith(prefix))
    .map((exchange) => [exchange, parseJson(exchange.response)] as const)
    .filter((pair): pair is [Exchange, ParsedObject] => isJsonObject(pair[1]));

function sharedExchanges(path: string): Exchange[] | undefined {
  const bytes = findSharedBytes(path);
  return (
    bytes &&
    new TextDecoder()
      .decode(bytes)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Exchange)
  );
}

const chains = [
  { name: "private-a", chainId: "R".charCodeAt(0), count: 104 },
  { name: "finality-a", chainId: "F".charCodeAt(0), count: 124 },
  { name: "finality-window", chainId: "P".charCodeAt(0), count: 145 },
  { name: "finality-late", chainId: "Q".charCodeAt(0), count: 23 },
];

describe.each(chains)("blocks of $name", ({ name, chainId, count }) => {
  const records = recordsOf(fixtureBytes(`${name}/blocks.bin.gz`));
  const blocks = records.map((bytes) => parseBlock(bytes, chainId));

  test("all are there", () => expect(blocks).toHaveLength(count));

  test("each is encoded to the bytes that it was read from", () => {
    for (const [index, block] of blocks.entries()) {
      expect(equalBytes(encodeBlock(block, chainId), records[index] as Uint8Array)).toBe(true);
    }
  });

  test("each is the parent that the next one names", () => {
    const references = blocks.slice(1).map(({ header }) => encodeBase58(header.reference));
    expect(references).toEqual(blocks.slice(0, -1).map(({ id }) => encodeBase58(id)));
  });

  test("each has the form of its version, and its transactions the root that the header names", () => {
    for (const block of blocks) expect(() => validateBlockForm(block)).not.toThrow();
  });

  test("each is signed by its generator", () => {
    for (const block of blocks) expect(hasValidBlockSignature(block, chainId)).toBe(true);
  });
});

describe("JSON of private-a", () => {
  const { chainId } = blockchain;
  const records = recordsOf(fixtureBytes("private-a/blocks.bin.gz"));
  const blocks = [genesisBlock(blockchain), ...records.map((bytes) => parseBlock(bytes, chainId))];

  const blockAt = (height: unknown) => blocks[Number(height) - 1] as Block;

  /** Values that are not in the block come from the response itself. */
  function infoOf(json: ParsedObject): HeaderInfo {
    const block = blockAt(json["height"]);
    return {
      height: Number(json["height"]),
      sizeBytes: encodeBlock(block, chainId).length,
      transactionCount: block.transactions.length,
      totalFee: json["totalFee"] as bigint,
      reward: json["reward"] as bigint,
      rewardShares: Object.entries(json["rewardShares"] as Record<string, bigint>).toReversed(),
      vrf: json["VRF"] === undefined ? undefined : decodeBase58(json["VRF"] as string),
      addressOf: (publicKey) => addressText(addressOfPublicKey(publicKey, chainId)),
    };
  }

  test("each header is printed as the reference prints it", () => {
    const responses = parsedResponses(recordedLines<Exchange>("private-a/headers.jsonl.gz"), "/blocks/headers/at/");
    expect(responses).toHaveLength(105);
    for (const [{ response }, json] of responses) {
      expect(jsonText(headerJson(blockAt(json["height"]), infoOf(json)))).toBe(response);
    }
  });

  const exchanges = recordedLines<Exchange>("private-a/requests.jsonl.gz");

  test("each block is printed as the reference prints it", () => {
    const all = parsedResponses(exchanges, "/blocks/at/");
    const responses = all.filter(([, { totalFee }]) => typeof totalFee === "bigint");
    // The other responses have numbers as text.
    expect([all.length, responses.length]).toEqual([140, 105]);
    for (const [{ response }, json] of responses) {
      const header = headerJson(blockAt(json["height"]), infoOf(json));
      const transactions = (json["transactions"] as JsonObject[]).map((item) => new RawJson(jsonText(item)));
      expect(jsonText(blockJson(header, transactions))).toBe(response);
    }
  });

  test("each proof is the one that the reference gives", () => {
    const byId = new Map(
      blocks.flatMap(({ transactions }) =>
        transactions.map(({ id }, index) => [encodeBase58(id), { transactions, index }] as const),
      ),
    );
    const proofs = exchanges
      .filter(({ path, status }) => status === 200 && path.startsWith("/transactions/merkleProof"))
      .flatMap(
        ({ response }) => JSON.parse(response) as { id: string; transactionIndex: number; merkleProof: string[] }[],
      );
    expect(proofs).toHaveLength(940);
    for (const { id, transactionIndex, merkleProof } of proofs) {
      const { transactions, index } = byId.get(id) ?? { transactions: [], index: -1 };
      expect(index).toBe(transactionIndex);
      const tree = EMPTY_MERKLE_TREE.append(transactions.map(merkleMessage));
      expect(tree.proof(index).map(encodeBase58)).toEqual(merkleProof);
    }
  });
});

describe("JSON of finality-a", () => {
  const chainId = "F".charCodeAt(0);
  const exchanges = sharedExchanges("finality-a/requests.jsonl");

  test.skipIf(exchanges === undefined)(
    "header fields have the values that the other implementation prints (needs the recorded responses beside the project)",
    () => {
      const blocks = recordsOf(fixtureBytes("finality-a/blocks.bin.gz")).map((bytes) => parseBlock(bytes, chainId));
      const responses = parsedResponses(exchanges ?? [], "/blocks/at/");
      expect(responses).toHaveLength(125);
      let votings = 0;
      for (const [{ path }, json] of responses) {
        const height = Number(path.split("/").at(-1));
        if (height === 1) continue;
        const block = blocks[height - 2] as Block;
        const { header } = block;
        expect(json["id"]).toBe(encodeBase58(block.id));
        expect(json["stateHash"]).toBe(header.stateHash && encodeBase58(header.stateHash));
        const voting = json["finalizationVoting"];
        expect(voting === undefined).toBe(header.finalizationVoting === undefined);
        if (header.finalizationVoting === undefined || !isJsonObject(voting)) continue;
        votings++;
        // The Go node prints an additional member in conflicting endorsements, and a different order of members.
        const printed = parseJson(jsonText(votingJson(header.finalizationVoting)));
        expect(voting).toMatchObject(printed as object);
      }
      expect(votings).toBe(78);
    },
  );

  const mutations = sharedExchanges("finality-a/mutations.jsonl") as unknown as
    | { readonly accepted: boolean; readonly block: string; readonly blockId: string }[]
    | undefined;

  test.skipIf(mutations === undefined)(
    "changed blocks that were accepted have their recorded ids (needs the recorded mutations beside the project)",
    () => {
      const accepted = (mutations ?? []).filter((mutation) => mutation.accepted);
      expect([mutations?.length, accepted.length]).toEqual([196, 76]);
      for (const { block: hex, blockId } of accepted) {
        const bytes = new Uint8Array(Buffer.from(hex, "hex"));
        const block = parseBlock(bytes, chainId);
        expect(encodeBase58(block.id)).toBe(blockId);
        expect(hasValidBlockSignature(block, chainId)).toBe(true);
        expect(equalBytes(encodeBlock(block, chainId), bytes)).toBe(true);
      }
    },
  );
});

describe("blocks of mainnet", () => {
  const file = findSharedBytes("mainnet/blocks-2-5000.bin");

  test.skipIf(file === undefined)(
    "each is read and encoded, names its parent and is signed (needs the recorded blocks beside the project)",
    () => {
      const chainId = "W".charCodeAt(0);
      const records = recordsOf(file ?? new Uint8Array(0));
      expect(records).toHaveLength(4999);
      let parent = "FSH8eAAzZNqnG8xgTZtz5xuLqXySsXgAjmFEC25hXMbEufiGjqWPnGCZFt6gLiVLJny16ipxRNAkkzjjhqTjBE2";
      for (const [index, bytes] of records.entries()) {
        const block = parseBlock(bytes, chainId);
        validateBlockForm(block);
        expect(encodeBase58(block.header.reference)).toBe(parent);
        expect(equalBytes(encodeBlock(block, chainId), bytes)).toBe(true);
        // Signatures take most of the time: only the first thousand and every tenth are verified.
        if (index < 1000 || index % 10 === 0) expect(hasValidBlockSignature(block, chainId)).toBe(true);
        parent = encodeBase58(block.id);
      }
    },
  );
});

describe("encodeBlockRecord", () => {
  test("puts the length before the block, most significant byte first", () => {
    expect(encodeBlockRecord(new Uint8Array(258).fill(9)).subarray(0, 5)).toEqual(Uint8Array.of(0, 0, 1, 2, 9));
  });
});
