/** Accounts that have WAVES on a dev chain from its start, as on other chains those of the genesis block. */
import type { Address } from "../../src/crypto/identities.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import type { StateEdit } from "../chain/liquid-chain.ts";
import { balanceEdit } from "./state-edit.ts";

export interface FirstAccounts {
  /** Different from each other. */
  readonly addresses: readonly Address[];
  /** Of each of them, in wavelets. */
  readonly balance: bigint;
}

/**
 * The edit that gives them their WAVES; there are as many more then.
 * @throws RuleError generic: too many WAVES; balancesInvalid: less than one of them has leased out
 */
export function firstAccountsEdit(
  { addresses, balance }: FirstAccounts,
  { view, wavesAmount }: { readonly view: StateView; readonly wavesAmount: bigint },
): StateEdit {
  let issuedWavelets = 0n;
  const balances = addresses.flatMap((address) => {
    const edit = balanceEdit({ address, asset: null, balance }, { view, wavesAmount: wavesAmount + issuedWavelets });
    issuedWavelets += edit.issuedWavelets;
    return edit.snapshot.balances ?? [];
  });
  return { snapshot: { balances }, issuedWavelets };
}
