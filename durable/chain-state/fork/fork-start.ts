/** First rows of a fork: the block that it continues, features, and its own account for block production. */

import type { Address } from "../../../src/crypto/identities.ts";
import type { ForkSource } from "../../../src/network/fork-source.ts";
import { accountStateKey, remoteStateKeyName } from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { accountTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import { blockTable } from "../../../src/tables/blocks.ts";
import { featureTable } from "../../../src/tables/features.ts";
import { added, type RowChange } from "../../../src/tables/schema/row-change.ts";
import type { KnownRemoteState } from "./known-remote-state.ts";
import { remoteBlockRow } from "./remote-header.ts";
import { headerResponse } from "./remote-responses.ts";

/**
 * Some hundred times the supply of any network: at the live network's difficulty the account's turn comes at once, and
 * the chain's clock does not run ahead.
 */
export const FORK_ACCOUNT_WAVELETS = 4_000_000_000_000_000_000n;
/** Blocks of a generating balance. */
const GENERATING_BLOCKS = 1_000;

export interface ForkStartOptions {
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
  readonly known: KnownRemoteState;
  /** Account that produces the fork's blocks; undefined: none. */
  readonly generator: Address | undefined;
}

/**
 * To be called in the SQLite transaction that writes the rows.
 * @throws RemoteNodeError: the header has fields that this release does not know
 */
export function forkStartRows({ source, settings, known, generator }: ForkStartOptions): readonly RowChange[] {
  const block = remoteBlockRow(headerResponse.parse(parseJson(source.header)), settings);
  const rows: RowChange[] = [added(blockTable, { ...block, wavesAmount: BigInt(source.wavesAmount) })];
  for (const [id, activationHeight] of source.features) rows.push(added(featureTable, { id, activationHeight }));
  if (generator === undefined) return rows;
  const account = { address: generator, balance: FORK_ACCOUNT_WAVELETS, leaseIn: 0n, leaseOut: 0n };
  rows.push(added(accountTable, account));
  rows.push(added(balanceHistoryTable, { ...account, height: Math.max(source.height - GENERATING_BLOCKS, 1) }));
  known.add(remoteStateKeyName(accountStateKey("account", generator)));
  return rows;
}
