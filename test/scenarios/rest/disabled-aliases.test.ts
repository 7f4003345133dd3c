/** Mainnet's taken-over aliases are unusable: lists, queries and validation find no account by them. */
import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { addressOfPublicKey, addressText } from "../../../src/crypto/address.ts";
import type { Digest, PublicKey } from "../../../src/crypto/identities.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import { IsolateMemory } from "../../../src/platform/isolate-memory.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { LatestState } from "../../../src/read-model/latest-state.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { PublishedState } from "../../../src/read-model/state/published-state.ts";
import { isAliasDisabled } from "../../../src/rules/transactions/checks/recipients.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { testNode } from "../../support/builders/test-node.ts";

const { blockchain } = mainnet;
const { chainId } = blockchain;
const account = addressOfPublicKey(new Uint8Array(32).fill(1) as PublicKey, chainId);
/** The patch that ended the take-overs. */
const patchHeight = 1_060_000;

function readModelAt(height: number): { readonly d1: D1Database; readonly sqlite: DatabaseSync } {
  const readModel = d1Double();
  const { sqlite } = readModel;
  putChain(sqlite, { height, genesis: genesisText(blockchain) });
  const none = new Uint8Array();
  putRows(sqlite, blockTable, [
    {
      ...{ height, id: none as BlockId, header: none, timestamp: 0n, generator: account, sizeBytes: 0 },
      ...{ transactionCount: 0, totalFee: 0n, reward: undefined, rewardVote: -1n, rewardShares: [], vrf: undefined },
      ...{ wavesAmount: 0n, hitSource: none, score: 0n, carryFee: 0n, stateHash: none as Uint8Array as Digest },
      finalizedHeight: 1,
    },
  ]);
  const alias = sqlite.prepare("INSERT INTO alias (name, address, taken_over) VALUES (?, ?, ?)");
  const listed = sqlite.prepare("INSERT INTO account_alias (address, number, name) VALUES (?, ?, ?)");
  for (const [number, name] of ["taken", "owned"].entries()) {
    alias.run(name, account, name === "taken" ? 1 : 0);
    listed.run(account, number, name);
  }
  return readModel;
}

test.each([
  [patchHeight, ["alias:W:owned", "alias:W:taken"], 200],
  [patchHeight + 1, ["alias:W:owned"], 404],
])("at height %d those that are in use are %j", async (height, names, status) => {
  const { d1 } = readModelAt(height);
  const node = testNode({ database: d1, network: "mainnet" });
  const listed = await node.fetch(`/alias/by-address/${addressText(account)}`);
  expect(await listed.json()).toEqual(names);
  expect((await node.fetch("/alias/by-alias/taken")).status).toBe(status);
  expect((await node.fetch("/alias/by-alias/owned")).status).toBe(200);
});

test("the rules find them out of use through the read model, too", async () => {
  const { d1: database } = readModelAt(patchHeight + 1);
  const facts = { settings: blockchain, nowMs: () => 0 };
  const latest = new LatestState(facts.nowMs);
  const published = new PublishedState({ ...facts, memory: new IsolateMemory(100_000) });
  const isDisabled = async (name: string) => {
    const copies = { hasCopies: false, bookmark: undefined, publish: async () => {} };
    const model = new ReadModel({ ...copies, database, settings: blockchain, latest });
    const asking = { model, newest: async () => latest.known() };
    return (await published.query(asking, (view) => isAliasDisabled({ chainId, name }, view))).value;
  };
  expect(await isDisabled("taken")).toBe(true);
  expect(await isDisabled("owned")).toBe(false);
});
