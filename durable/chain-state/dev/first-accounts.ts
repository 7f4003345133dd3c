/** Accounts with WAVES on a dev chain from its start, like those of the genesis block on other chains. */
import type { Address } from "../../../src/crypto/identities.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import type { StateOverride } from "../chain/liquid-chain.ts";
import { balanceOverride } from "./state-override.ts";

export interface FirstAccounts {
  /** Distinct addresses. */
  readonly addresses: readonly Address[];
  /** Balance of each address, wavelets. */
  readonly balance: bigint;
}

/**
 * State override that sets the balances and issues the WAVES for them.
 * @throws RuleError generic: too many WAVES; balancesInvalid: less than one of them has leased out
 */
export function firstAccountsOverride(
  { addresses, balance }: FirstAccounts,
  { view, wavesAmount }: { readonly view: StateView; readonly wavesAmount: bigint },
): StateOverride {
  let issuedWavelets = 0n;
  const balances = addresses.flatMap((address) => {
    const override = balanceOverride(
      { address, asset: null, balance },
      { view, wavesAmount: wavesAmount + issuedWavelets },
    );
    issuedWavelets += override.issuedWavelets;
    return override.snapshot.balances ?? [];
  });
  return { snapshot: { balances }, issuedWavelets };
}
