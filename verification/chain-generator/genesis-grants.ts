/** Initial balances of a generated network. */
import { addressText } from "../../src/crypto/address.ts";
import type { GeneratedAccounts } from "./generated-accounts.ts";

/** All of the 100,000,000 WAVES, in wavelets. */
export const supply = 10_000_000_000_000_000n;

/** @param generatorShares the supply's hundredths that each generator gets; users and wallets share the rest */
export function genesisGrants(
  { generators, users, wallets }: GeneratedAccounts,
  generatorShares: readonly bigint[],
): { recipient: string; amount: bigint }[] {
  const granted = generators.map(({ address }, index) => ({
    recipient: addressText(address),
    amount: (supply * (generatorShares[index] ?? 0n)) / 100n,
  }));
  const rest = [...users, ...wallets].map(({ address }) => addressText(address));
  const left = supply - granted.reduce((sum, { amount }) => sum + amount, 0n);
  const share = left / BigInt(rest.length);
  const remainder = left - share * BigInt(rest.length);
  return [
    ...granted,
    ...rest.map((recipient, index) => ({ recipient, amount: index === 0 ? share + remainder : share })),
  ];
}
