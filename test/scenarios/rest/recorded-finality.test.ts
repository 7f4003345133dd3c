/**
 * Responses of a Go node on the recorded chains with deterministic finality, compared with this node's: all its data
 * are here, too, except in forms of its own, entry by entry. Members that only the reference has are tested elsewhere.
 * @source docs/protocol/rest-api.md 2.4, 2.5, 3.14, 6
 */
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { notFound } from "../../../src/http/route-response.ts";
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import { commitmentDeposit } from "../../../src/rules/finality/deposit.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import {
  appendUpTo,
  type FinalityRecording,
  openRecordedChain,
  type RecordingName,
  readFinalityRecording,
  waitTimeoutMs,
} from "../../support/fixtures/finality/recorded-chain.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { findSchemaError, findUndescribedError } from "../../support/fixtures/rest/described-response.ts";
import { findOperation } from "../../support/fixtures/rest/find-operation.ts";
import { findJson } from "../../support/fixtures/rest/response-difference.ts";

interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly response: string;
}

/** Differences by group of paths and member, with the reason for the reference's form. */
const reasons: Readonly<Record<string, string>> = {
  "/debug/stateHash/N .version": "each node has its own",
  "/debug/stateHash/last .version": "each node has its own",
  "/debug/stateHash/N 404": "the reference answers without a body",
  "/debug/stateHash/N 500": "the Go node cannot read the genesis block's where feature 25 is preactivated",
  "/generators/at/N 404": "row of 3.15: the reference says 404 before feature 25, and past the next period",
  "/generators/at/N":
    "the Go node has no generators at a future height; the reference has all of its period, without balances",
  "/blockchain/rewards/N 400": "the reference has no rewards at the genesis block, nor above the tip",
  "/transactions/info/N 200": "the Go node wants ids of 32 bytes, and has genesis transactions with 64",
  "/blocks/N .desiredReward": "the reference prints no vote of blocks below version 4",
  "/blocks/N .transactionBlockLength": "only the Go node prints it",
  "/blocks/N .transactions[].version": "the reference prints no version of genesis transactions",
  "/blocks/N .finalizationVoting.conflictEndorsements[].endorsedBlockId": "only the Go node prints it",
};

/** Number of exchanges of each recording with such differences. */
const ofAll = {
  "/blockchain/rewards/N 400": 2,
  "/blocks/N .desiredReward": 5,
  "/blocks/N .transactionBlockLength": 5,
  "/blocks/N .transactions[].version": 2,
  "/debug/stateHash/N 404": 2,
  "/debug/stateHash/last .version": 1,
};
const counts: Readonly<Record<RecordingName, Readonly<Record<string, number>>>> = {
  "finality-a": {
    ...ofAll,
    "/blocks/N .finalizationVoting.conflictEndorsements[].endorsedBlockId": 9,
    "/debug/stateHash/N .version": 125,
    "/generators/at/N": 1,
    "/generators/at/N 404": 7,
    "/transactions/info/N 200": 11,
  },
  "finality-window": {
    ...ofAll,
    "/debug/stateHash/N .version": 145,
    "/debug/stateHash/N 500": 1,
    "/generators/at/N 404": 2,
    "/transactions/info/N 200": 7,
  },
  "finality-late": {
    ...ofAll,
    "/blocks/N .finalizationVoting.conflictEndorsements[].endorsedBlockId": 5,
    "/debug/stateHash/N .version": 23,
    "/debug/stateHash/N 500": 1,
    "/generators/at/N": 1,
    "/generators/at/N 404": 2,
    "/transactions/info/N 200": 8,
  },
};

async function recordedNode(name: RecordingName, recording: FinalityRecording): Promise<TestNode> {
  const { blockchain } = recording.network;
  const opened = openRecordedChain(recording);
  appendUpTo(opened, recording, recording.heights.length);
  const { stored, view } = opened.chain;
  const { d1 } = d1Double();
  const state = {
    version: `${encodeBase58(stored.tip().id)}:0`,
    height: view.height,
    finalizedHeight: stored.finalizedHeight(),
  };
  const genesis = genesisText(blockchain);
  const { chainId } = blockchain;
  await testPublisher({ store: opened.store, readModel: d1Sink(d1), state, genesis, chainId }).drain();
  return testNode({ database: d1, network: fixtureText(`${name}/network.json`) });
}

/** Members of the recorded JSON that differ here or are missing. */
function* differingMembers(recorded: ParsedJson, ours: ParsedJson | undefined, path = ""): Iterable<string> {
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    if (recorded.length !== ours.length) yield path;
    else
      for (const [index, item] of (recorded as readonly ParsedJson[]).entries())
        yield* differingMembers(item, ours[index] as ParsedJson, `${path}[]`);
  } else if (isJsonObject(recorded) && ours !== undefined && isJsonObject(ours)) {
    for (const [name, member] of Object.entries(recorded))
      yield* differingMembers(member, ours[name], `${path}.${name}`);
  } else if (!isDeepStrictEqual(recorded, ours)) yield path;
}

/**
 * Group of a path: blocks by any key, and lists of them, are one group; so are paths that differ in heights and ids.
 */
function groupOf(path: string): string {
  return path
    .replace(/[1-9A-HJ-NP-Za-km-z]{30,}|\b\d+\b/g, "N")
    .replace(/^\/blocks\/(headers\/)?(at\/|seq\/N\/)?(N|last|finalized)$/, "/blocks/N");
}

/** The Go node counts burnt amounts as if they still existed. */
function withoutBurnt(path: string, json: ParsedJson, { heights }: FinalityRecording): ParsedJson {
  if (!path.startsWith("/blockchain/rewards") || !isJsonObject(json)) return json;
  const burnt = heights
    .filter(({ height }) => BigInt(height) < (json["height"] as bigint))
    .reduce((sum, { finalizationVoting }) => sum + (finalizationVoting?.conflictEndorsements?.length ?? 0), 0);
  const totalWavesAmount = (json["totalWavesAmount"] as bigint) - BigInt(burnt) * commitmentDeposit;
  return { ...json, totalWavesAmount };
}

/** Differences of a response from the recorded one, as in `reasons`. */
async function differences(
  { path, status, response }: Exchange,
  node: TestNode,
  recording: FinalityRecording,
): Promise<ReadonlySet<string>> {
  const answer = await node.fetch(path);
  const group = groupOf(path);
  if (status === 500) return new Set([`${group} 500`]);
  if (answer.status !== status) return new Set([`${group} ${answer.status}`]);
  const recorded = findJson(response);
  if (recorded === undefined) return new Set();
  const ours = findJson(await answer.text());
  if (ours === undefined) return new Set([`${group} ${status}`]);
  // Members of a list are those of its items.
  const members = [...differingMembers(withoutBurnt(path, recorded, recording), ours)];
  return new Set(members.map((member) => `${group} ${member.replace(/^\[\]/, "")}`.trimEnd()));
}

/** Mismatch of this node's response and its description. */
async function findDescriptionError(path: string, node: TestNode): Promise<string | undefined> {
  const response = await node.fetch(path);
  const text = await response.text();
  // Requests that no route takes.
  if (response.status === 404 && notFound.kind === "text" && text === notFound.text) return undefined;
  const operation = findOperation("GET", path);
  if (operation === undefined) return "the document does not have it";
  const json = findJson(text);
  if (json === undefined) return `no JSON: ${text}`;
  return response.status === 200
    ? findSchemaError(operation.description.response, json)
    : findUndescribedError(operation, response.status, json);
}

describe.each([
  { name: "finality-a", exchanges: 2_072 },
  { name: "finality-window", exchanges: 1_366 },
  { name: "finality-late", exchanges: 739 },
] as const)("$name", ({ name, exchanges: count }) => {
  const recording = readFinalityRecording(name);
  const exchanges = recordedLines<Exchange>(`${name}/requests.jsonl.gz`);
  let node: TestNode;
  beforeAll(async () => {
    node = await recordedNode(name, recording);
  }, waitTimeoutMs);

  test(
    "every recorded request is answered as recorded, save what has a reason",
    async () => {
      const found = new Map<string, number>();
      for (const { path, status, response } of exchanges) {
        for (const kind of await differences({ path, status, response }, node, recording))
          found.set(kind, (found.get(kind) ?? 0) + 1);
      }
      expect(exchanges).toHaveLength(count);
      expect([...found.keys()].filter((kind) => reasons[kind] === undefined)).toEqual([]);
      expect(Object.fromEntries(found)).toEqual(counts[name]);
    },
    waitTimeoutMs,
  );

  test(
    "every answer to a recorded request is one that the description has",
    async () => {
      const faults: string[] = [];
      for (const path of new Set(exchanges.map((exchange) => exchange.path))) {
        const fault = await findDescriptionError(path, node);
        if (fault !== undefined) faults.push(`${path}: ${fault}`);
      }
      expect(faults).toEqual([]);
    },
    waitTimeoutMs,
  );
});
