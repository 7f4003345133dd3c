/** The accounts that have WAVES on every dev chain from its start. */
import { type DevAccount, makeAccounts } from "../testing/accounts.ts";
import type { StartOptions } from "./chain-operator.ts";

/** Default prefix of the accounts' seeds. */
export const accountsSeed = "waves dev chain";

const wavesPerAccount = 1_000n;
const waveletsPerWaves = 100_000_000n;

/** Default balance of each account: 1,000 WAVES, in wavelets. */
export const accountBalance = wavesPerAccount * waveletsPerWaves;

/** The accounts as start options of a new chain. @param balance of each, in wavelets */
export function givenAccounts(
  accounts: readonly DevAccount[],
  balance: bigint | number = accountBalance,
): NonNullable<StartOptions["accounts"]> {
  return { addresses: accounts.map(({ address }) => address), balance: String(balance) };
}

/** @param chainId of the network */
export function devAccounts(count: number, chainId: number): readonly DevAccount[] {
  return makeAccounts(accountsSeed, count, chainId);
}
