/** The rows with which a fork begins: the block that it goes on from, features, and an account of its own that makes blocks. */

import type { Address } from "../../src/crypto/identities.ts";
import type { ForkSource } from "../../src/network/fork-source.ts";
import { factName, ofAccount } from "../../src/network/remote-fact.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import { parseJson } from "../../src/protocol/parse-json.ts";
import { accountTable, balanceHistoryTable } from "../../src/tables/accounts.ts";
import { blockTable } from "../../src/tables/blocks.ts";
import { featureTable } from "../../src/tables/features.ts";
import { added, type RowChange } from "../../src/tables/schema/row-change.ts";
import type { KnownFacts } from "./known-facts.ts";
import { headerAnswer } from "./remote-answers.ts";
import { remoteBlockRow } from "./remote-header.ts";

/**
 * Some hundred times as much as any network has in all: by that network's difficulty its account then has its turn at once, and the
 * chain's clock does not run ahead.
 */
export const FORK_ACCOUNT_WAVELETS = 4_000_000_000_000_000_000n;
/** How far generating balances look back. */
const GENERATING_BLOCKS = 1_000;

export interface ForkStartFacts {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly known: KnownFacts;
  /** Of the account that makes the fork's blocks; undefined: nobody does. */
  readonly generator: Address | undefined;
}

/** To be called in the SQLite transaction that writes them. @throws RemoteFault: the header is of a kind that this release does not know */
export function forkStartRows({ source, settings, known, generator }: ForkStartFacts): readonly RowChange[] {
  const block = remoteBlockRow(headerAnswer.parse(parseJson(source.header)), settings);
  const rows: RowChange[] = [added(blockTable, { ...block, wavesAmount: BigInt(source.wavesAmount) })];
  for (const [id, activationHeight] of source.features) rows.push(added(featureTable, { id, activationHeight }));
  if (generator === undefined) return rows;
  const account = { address: generator, balance: FORK_ACCOUNT_WAVELETS, leaseIn: 0n, leaseOut: 0n };
  rows.push(added(accountTable, account));
  rows.push(added(balanceHistoryTable, { ...account, height: Math.max(source.height - GENERATING_BLOCKS, 1) }));
  known.add(factName(ofAccount("account", generator)));
  return rows;
}
