/**
 * Promise 6 of the design: no cost in the request path grows with the chain. So every statement finds its rows by an
 * index.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/crypto/identities.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import {
  accountQuery,
  accountsQuery,
  balanceHistoryQuery,
  balancesAtQuery,
  balancesQuery,
  depositsQuery,
  effectiveBalanceQuery,
  lowestBalanceQuery,
} from "../../../src/read-model/account.ts";
import { accountScriptQuery } from "../../../src/read-model/account-script.ts";
import { aliasesOfAddressQuery, aliasOwnerQuery, ownedAliasesQuery } from "../../../src/read-model/alias.ts";
import {
  assetBalanceQuery,
  assetBalancesQuery,
  assetsOfTokensQuery,
  assetsQuery,
  balancesOfAssetQuery,
  holdingsQuery,
  nftsQuery,
  tokensQuery,
} from "../../../src/read-model/asset.ts";
import {
  distanceQuery,
  finalizedAtQuery,
  firstHeadersQuery,
  headerQuery,
  headersQuery,
  heightAtTimeQuery,
  heightQuery,
  rewardQuery,
  rewardVotesQuery,
  tipIdQuery,
  tipTimestampQuery,
} from "../../../src/read-model/block.ts";
import { chainQuery, withChain } from "../../../src/read-model/chain.ts";
import {
  dataEntriesOfKeysQuery,
  dataEntriesQuery,
  dataEntryQuery,
  entriesAtQuery,
} from "../../../src/read-model/data-entry.ts";
import {
  accountsPageAtQuery,
  accountsPageQuery,
  balancesOfAssetAtQuery,
  holdersOfAssetAtQuery,
  holdersOfAssetQuery,
} from "../../../src/read-model/distribution.ts";
import { activationHeightsQuery, newestFeatureVotesQuery } from "../../../src/read-model/feature.ts";
import { generatorsQuery } from "../../../src/read-model/generator.ts";
import { activeLeasesQuery, leasesQuery } from "../../../src/read-model/lease.ts";
import type { Query, Statement } from "../../../src/read-model/query.ts";
import { snapshotsQuery } from "../../../src/read-model/snapshot.ts";
import { stateHashQuery } from "../../../src/read-model/state-hash.ts";
import {
  locationsQuery,
  smallTransactionsOfAddressQuery,
  transactionBytesOfBlockQuery,
  transactionQuery,
  transactionsOfAddressQuery,
  transactionsOfBlockQuery,
  transactionsOfFirstBlocksQuery,
  transactionsQuery,
  wholeTransactionsQuery,
} from "../../../src/read-model/transaction.ts";
import { proofsQuery } from "../../../src/read-model/transaction-tree.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";

const address = new Uint8Array(26) as Uint8Array as Address;
const blockId = new Uint8Array(32) as Uint8Array as BlockId;
const assetId = new Uint8Array(32) as Uint8Array as AssetId;
const transactionId = new Uint8Array(32) as Uint8Array as TransactionId;
const range = { from: 1, to: 100 };
const window = { blocks: 1000 };

const queries: Readonly<Record<string, Query<unknown>>> = {
  chain: chainQuery,
  "header at a height": headerQuery({ height: 1 }),
  "header by id": headerQuery({ id: blockId }),
  "header of the tip": headerQuery("tip"),
  "header of the last final block": headerQuery("finalized"),
  headers: headersQuery(range),
  "headers of a generator": headersQuery({ ...range, generator: address }),
  "first headers": firstHeadersQuery(range, 1000),
  "height of a block": heightQuery(blockId),
  distance: distanceQuery(blockId, 100),
  "height at a time": heightAtTimeQuery(1n),
  "tip timestamp": tipTimestampQuery,
  "what is final at a height": finalizedAtQuery(1),
  generators: generatorsQuery(1, 1),
  "tip id": tipIdQuery,
  reward: rewardQuery("tip"),
  "reward votes": rewardVotesQuery({ from: 1, to: 100, reward: 1n }),
  "transactions of a block": transactionsOfBlockQuery({ id: blockId }),
  "bytes of the transactions of a block": transactionBytesOfBlockQuery(1),
  "transactions of first blocks": transactionsOfFirstBlocksQuery(range, 1000),
  transaction: transactionQuery(transactionId),
  "whole transactions": wholeTransactionsQuery([transactionId]),
  transactions: transactionsQuery([transactionId], 1000),
  places: locationsQuery([transactionId]),
  proofs: proofsQuery([transactionId]),
  snapshots: snapshotsQuery([transactionId], 1000),
  "state hash at a height": stateHashQuery({ height: 1 }),
  "last state hash": stateHashQuery("last"),
  "transactions of an address": transactionsOfAddressQuery({ address, limit: 10, after: undefined }, 1000),
  "transactions of an address after one": transactionsOfAddressQuery(
    { address, limit: 10, after: transactionId },
    1000,
  ),
  "small transactions of an address": smallTransactionsOfAddressQuery({ address, limit: 10, after: undefined }, 1000),
  "small transactions of an address after one": smallTransactionsOfAddressQuery(
    { address, limit: 10, after: transactionId },
    1000,
  ),
  account: accountQuery(address),
  accounts: accountsQuery([address]),
  balances: balancesQuery([address]),
  "balances at a height": balancesAtQuery([address], 1),
  deposits: depositsQuery([address], 1000),
  "effective balance": effectiveBalanceQuery(address, 1000),
  "lowest balance": lowestBalanceQuery(address, "effective", window, 1000),
  "balance history": balanceHistoryQuery(address),
  "votes of the newest windows": newestFeatureVotesQuery,
  "account script": accountScriptQuery(address),
  leases: leasesQuery([transactionId]),
  "alias owner": aliasOwnerQuery("name"),
  "owned aliases": ownedAliasesQuery(address, ["name"]),
  assets: assetsQuery([assetId]),
  "assets of tokens": assetsOfTokensQuery([assetId.subarray(0, 20)]),
  tokens: tokensQuery([assetId.subarray(0, 20)]),
  "asset balance": assetBalanceQuery(address, assetId),
  "asset balances": assetBalancesQuery(address, [assetId]),
  "balances of an asset": balancesOfAssetQuery([address], assetId),
  holdings: holdingsQuery(address, undefined, 10),
  "aliases of an address": aliasesOfAddressQuery(address, undefined, 10),
  "active leases": activeLeasesQuery(address, undefined, 10),
  nfts: nftsQuery(address, undefined, 10),
  "nfts after one": nftsQuery(address, assetId, 10),
  "data entry": dataEntryQuery(address, "key"),
  "data entries of accounts": entriesAtQuery([{ address, key: "key" }]),
  "data entries": dataEntriesQuery(address, undefined, { entries: 10, bytes: 1000 }),
  "data entries after one": dataEntriesQuery(address, "key", { entries: 10, bytes: 1000 }),
  "data entries of keys": dataEntriesOfKeysQuery(address, ["key"], 1000),
  "holders of an asset": holdersOfAssetQuery(assetId, { after: undefined, limit: 10 }),
  "holders of an asset at a height": holdersOfAssetAtQuery(assetId, 1, { after: address, limit: 10 }),
  "balances of an asset at a height": balancesOfAssetAtQuery([address], assetId, 1),
};

/**
 * Tables that may be scanned: one row (`asked` is that of a point query), a list bound to the statement, or a few dozen
 * rows at any height.
 */
const smallTables =
  /^SCAN (chain|asked|json_each|json_each VIRTUAL TABLE.*|feature|voted|\(?subquery.*|found|listed|page|measured|wanted|way|neighbour|transfer VIRTUAL TABLE.*|CONSTANT ROW)\b/i;

/** Private queries on all accounts, read in pages: the scan ends with the page. */
const inParts: Readonly<Record<string, Query<unknown>>> = {
  accounts: accountsPageQuery({ after: address, limit: 10 }),
  "accounts at a height": accountsPageAtQuery(1, { after: address, limit: 10 }),
};

const { sqlite } = d1Double();

test("every question that the read model exports is looked at here", () => {
  const folder = path.join(import.meta.dirname, "../../../src/read-model");
  const files = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const exported = files.flatMap((file) => {
    const text = readFileSync(path.join(folder, file), "utf8");
    return [...text.matchAll(/^export (?:const|function) (\w+Query)\b/gm)].map((match) => match[1]);
  });
  const here = readFileSync(import.meta.filename, "utf8");
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(here))).toEqual([]);
  expect(exported.length).toBeGreaterThan(40);
});

const points = Object.entries(queries)
  .filter(([, { isPoint }]) => isPoint)
  .map(([name, query]) => [`${name}, with the chain`, withChain(query)] as const);
const all: readonly (readonly [string, Statement])[] = [...Object.entries({ ...queries, ...inParts }), ...points];

describe("every statement of the read model finds its rows by an index", () => {
  test.each([...all, ["activation heights", activationHeightsQuery] as const])("%s", (_, { sql, bindings }) => {
    const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bindings) as { detail: string }[];
    const scans = plan
      .map(({ detail }) => detail)
      .filter((detail) => detail.startsWith("SCAN") && !smallTables.test(detail));
    expect(scans).toEqual([]);
  });
});

describe("a list that is read in parts is found in its order, so that a part costs no more than its rows", () => {
  test.each([
    "holders of an asset",
    "holders of an asset at a height",
    "aliases of an address",
    "nfts",
    "nfts after one",
    "accounts",
    "accounts at a height",
  ])("%s", (name) => {
    const { sql, bindings } = { ...queries, ...inParts }[name] as Query<unknown>;
    const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bindings) as { detail: string }[];
    expect(plan.map(({ detail }) => detail).filter((detail) => detail.includes("TEMP B-TREE"))).toEqual([]);
  });

  test.each(["data entries of keys", "balances of an asset at a height"])("%s: each by its whole key", (name) => {
    const { sql, bindings } = queries[name] as Query<unknown>;
    const plan = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bindings) as { detail: string }[];
    const partial = /SEARCH \w+ USING PRIMARY KEY \((address|asset)=\?\)$/;
    const ofNumber = "SEARCH account USING PRIMARY KEY (address=?)";
    expect(plan.filter(({ detail }) => partial.test(detail) && detail !== ofNumber)).toEqual([]);
  });
});
