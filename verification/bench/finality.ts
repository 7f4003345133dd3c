/**
 * `npm run bench -- finality`: CPU time that finality adds to a block: the voting of a micro-block with the most
 * endorsers that mainnet allows, and a key block by the size of its generator set, next to reading the set's balances
 * alone. Either the generators' balances never change, or each changes in every block, so that its window has an entry
 * a height. The best of several runs.
 */

import { StateStore } from "../../durable/chain-state/state/state-store.ts";
import { blsPublicKeyOf, blsSecretKeyOf } from "../../src/crypto/bls.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { extendLiquidBlock } from "../../src/protocol/blocks/liquid-block.ts";
import { generatingBalanceAt } from "../../src/rules/consensus/next-block.ts";
import { verifyVoting } from "../../src/rules/finality/verify-voting.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { TableView } from "../../src/tables/view/table-view.ts";
import { addressOf, Committee, chainId, waves } from "../../test/support/builders/committee.ts";
import { printTable } from "./parts/print-table.ts";

const endorsersOfMainnet = 128;
const setSizes = [0, 1, 16, 128, 1_000] as const;
const runs = 5;
/**
 * Blocks of a period, and of the first one before the committed one: longer than the window of a generating balance.
 */
const periodBlocks = 1_050;
/** Keeps every generator above the least balance with two deposits. */
const balanceWaves = 5_000n;

/** CPU time of an action, milliseconds. */
function spentMs(act: () => unknown): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const bestOf = (times: readonly number[]): string => Math.min(...times).toFixed(2);

/**
 * A chain at the first block of a period with this number of committed generators. One more account forges until then.
 */
function committeeOf(members: number): Committee {
  const committee = new Committee({
    balances: Array.from({ length: members + 1 }, () => balanceWaves),
    functionality: { generationPeriodLength: periodBlocks, maxValidEndorsements: endorsersOfMainnet },
  });
  const start = periodBlocks + 1;
  // The most that fit in a block.
  for (let first = 0; first < members; first += 500) {
    const count = Math.min(500, members - first);
    const keys = Array.from({ length: count }, (_, index) => committee.key(first + index));
    committee.append(members, { transactions: keys.map((key) => committee.commitment(key, start)) });
  }
  while (committee.view.height < start)
    committee.append(members === 0 || committee.view.height < start - 1 ? members : 0);
  return committee;
}

/**
 * CPU time of verifying a new voting of a micro-block. The keys are known since their commitments; the message is new.
 */
function votingMs(): number[] {
  const committee = committeeOf(endorsersOfMainnet + 1);
  const endorsers = Array.from({ length: endorsersOfMainnet }, (_, index) => index + 1);
  return Array.from({ length: runs }, () => {
    committee.append(0);
    const { height } = committee.view;
    const voting = committee.voting({ endorsers, endorsedBlockId: committee.idAt(height - 1) });
    const microBlock = committee.microBlock(0, voting);
    const { block } = extendLiquidBlock(committee.chain.liquid.block(), microBlock, chainId);
    const generators = committee.chain.liquid.generators();
    return spentMs(() => verifyVoting({ header: block.header, height, generators }, committee.view));
  });
}

/** Balance history in which each generator's balance changed in every block. */
function fillHistory(committee: Committee, members: readonly Address[]): void {
  const { database } = committee.node.database;
  database.exec("BEGIN");
  const fill = database.prepare(
    `WITH RECURSIVE past (height) AS (SELECT 1 UNION ALL SELECT height + 1 FROM past WHERE height < ?2)
     INSERT OR REPLACE INTO balance_history (address, height, balance, lease_in, lease_out)
     SELECT ?1, height, ?3 + height % 7, 0, 0 FROM past`,
  );
  for (const member of members) fill.run(member, committee.view.height, Number(balanceWaves * waves));
  database.exec("COMMIT");
  committee.view.refresh();
}

/** CPU time of reading the generators' balances, and of a key block: with cold caches, and from block to block. */
function keyBlockRow(committee: Committee, members: readonly Address[]): readonly string[] {
  const generator = 0;
  const times = { balances: [], first: [], remembered: [], block: [] } as Record<string, number[]>;
  const measure = (name: string, act: () => unknown) => times[name]?.push(spentMs(act));
  const readAll = (view: StateView) => members.map((address) => generatingBalanceAt(view, address));
  for (let run = 0; run < runs; run++) {
    const { view } = committee;
    // A view of a chain that has just been opened.
    const { settings } = view;
    measure("balances", () => readAll(new TableView(new StateStore(committee.node.database), settings)));
    const first = committee.block(generator);
    view.refresh();
    measure("first", () => committee.node.append(first));
    const next = committee.block(generator);
    measure("block", () => committee.node.append(next));
    measure("remembered", () => readAll(view));
  }
  return Object.values(times).map(bestOf);
}

function keyBlockRows(size: number): readonly (readonly string[])[] {
  const committee = committeeOf(size);
  const members = committee.keys.slice(0, size).map(addressOf);
  const quiet = [String(size), "never", ...keyBlockRow(committee, members)];
  if (size === 0) return [quiet];
  fillHistory(committee, members);
  return [quiet, [String(size), "in every block", ...keyBlockRow(committee, members)]];
}

process.stdout.write(`${endorsersOfMainnet} endorsers of a micro-block, ms of CPU\n`);
printTable([
  [
    "a key, from an account's",
    bestOf(
      Array.from({ length: runs }, (_, run) =>
        spentMs(() => blsPublicKeyOf(blsSecretKeyOf(new Uint8Array(32).fill(run + 1) as never))),
      ),
    ),
  ],
  ["its voting, verified", bestOf(votingMs())],
]);
process.stdout.write("\nA key block without transactions, ms of CPU\n");
printTable([
  ["generator set", "balances change", "all read", "first block", "remembered", "next block"],
  ...setSizes.flatMap(keyBlockRows),
]);
