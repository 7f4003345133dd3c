/** State overrides by the owner of a dev chain: checked like a transaction with the same effect. */
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { I64_MAX } from "../../../src/protocol/codec/i64.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Asset } from "../../../src/protocol/transactions/asset.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { DataEntry, Script } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { checkActivation } from "../../../src/rules/transactions/checks/activation.ts";
import { checkBalances } from "../../../src/rules/transactions/checks/balances.ts";
import { applySetScript } from "../../../src/rules/transactions/set-script.ts";
import type { StateOverride } from "../chain/liquid-chain.ts";

/**
 * Maximum of wavelets after an override: rewards are added to them, and a chain halts when its WAVES exceed a 64-bit
 * number.
 */
const MAX_SUPPLY_WAVELETS = I64_MAX / 2n;

/** Changes nothing. */
export const noOverride: StateOverride = { snapshot: {}, issuedWavelets: 0n };

/** @param entries in a form that Data transactions accept; those without a value are deleted */
export function dataOverride(address: Address, entries: readonly DataEntry[]): StateOverride {
  return { snapshot: { accountData: [{ address, entries }] }, issuedWavelets: 0n };
}

/**
 * Sets the script like a SetScript transaction of the account.
 * @param script null removes the script
 * @throws RuleError, FormatError for which such a transaction would be refused
 */
export function scriptOverride(publicKey: PublicKey, script: Script | null, view: StateView): StateOverride {
  const transaction = buildTransaction({
    type: TransactionType.SetScript,
    version: 2,
    chainId: view.settings.chainId,
    sender: publicKey,
    feeAsset: null,
    fee: 1n,
    timestamp: 0n,
    script,
    proofs: [],
  });
  checkActivation(transaction, view);
  const { accountScripts = [] } = applySetScript(transaction, view);
  return { snapshot: { accountScripts }, issuedWavelets: 0n };
}

/**
 * Sets the balance without a counterpart: the amount of WAVES changes with it; the quantity of an asset stays as its
 * transactions have set it.
 * @param balance in the smallest unit, from 0
 * @throws RuleError assetUnknown; balancesInvalid: less than the account has leased out; generic: more WAVES than leave
 * room for future rewards
 */
export function balanceOverride(
  { address, asset, balance }: { readonly address: Address; readonly asset: Asset; readonly balance: bigint },
  { view, wavesAmount }: { readonly view: StateView; readonly wavesAmount: bigint },
): StateOverride {
  const snapshot = { balances: [{ address, asset, balance }] };
  if (asset !== null) {
    if (view.findAsset(asset) === undefined) throw new RuleError({ code: "assetUnknown", asset });
    return { snapshot, issuedWavelets: 0n };
  }
  const issuedWavelets = balance - view.balance(address, null);
  if (issuedWavelets > 0n && wavesAmount + issuedWavelets > MAX_SUPPLY_WAVELETS) throw tooManyWaves();
  checkBalances(snapshot, view);
  return { snapshot, issuedWavelets };
}

function tooManyWaves(): RuleError {
  const message = `there would be more than ${MAX_SUPPLY_WAVELETS} wavelets, half the maximum of a 64-bit number`;
  return new RuleError({ code: "generic", message });
}
