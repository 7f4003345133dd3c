/**
 * Limits of calls, by the library version of the called dApp.
 * @source Waves: lang/v1/ContractLimits.scala; requirements "Script limits"
 */

/** Calls by dApps in one transaction. */
export const maxCalls = 100;
export const maxDataEntries = 100;
/** Size of the entries of all calls of a transaction. */
export const maxTotalDataBytes = 15 * 1024;
/** Size of the entries of one call. */
export const maxCallDataBytes = 5 * 1024;
/** Payments of all calls of a transaction, from feature 17 on. */
export const maxTotalPayments = 100;
/** ScriptTransfer, Lease, LeaseCancel, from version 6 on. */
export const maxBalanceActions = 100;
/** Issue, Reissue, Burn, SponsorFee, from version 6 on. */
export const maxAssetActions = 30;
/** Size of a transaction's call data. */
export const maxInvokeBytes = 5120;

const oldVersions = { first: 3, last: 4 } as const;

/** Complexity that one unit of the fee pays for. */
export function feeStepComplexity(libraryVersion: number): number {
  return libraryVersion < oldVersions.first ? 2000 : 4000;
}

/** Complexity of all scripts of a transaction. */
export function maxTotalComplexity(libraryVersion: number): number {
  if (libraryVersion <= oldVersions.last) return feeStepComplexity(libraryVersion) * (2 + 10 + 1);
  return libraryVersion === 5 ? 26_000 : 52_000;
}

/** Actions of all kinds except data, before version 6. */
export function maxActionsBeforeV6(libraryVersion: number): number {
  return libraryVersion < 5 ? 10 : 30;
}

export function maxKeyBytes(libraryVersion: number): number {
  return libraryVersion >= 4 ? 400 : 100;
}

/** Remaining allowance for the actions of a transaction's calls. */
export interface ActionAllowance {
  /** All kinds except data; counts before version 6. */
  readonly actions: number;
  readonly balanceActions: number;
  readonly assetActions: number;
  readonly dataEntries: number;
  readonly dataBytes: number;
}

/** Remaining allowance for the calls of a transaction. */
export interface CallAllowance {
  /** Calls by dApps. */
  readonly calls: number;
  readonly payments: number;
  readonly actions: ActionAllowance;
}

/** @param payments number of the first call's payments */
export function fullAllowance(libraryVersion: number, payments: number): CallAllowance {
  return {
    calls: maxCalls,
    payments: maxTotalPayments - payments,
    actions: {
      actions: maxActionsBeforeV6(libraryVersion),
      balanceActions: maxBalanceActions,
      assetActions: maxAssetActions,
      dataEntries: maxDataEntries,
      dataBytes: maxTotalDataBytes,
    },
  };
}

export function reduced(allowance: ActionAllowance, used: ActionAllowance): ActionAllowance {
  return {
    actions: allowance.actions - used.actions,
    balanceActions: allowance.balanceActions - used.balanceActions,
    assetActions: allowance.assetActions - used.assetActions,
    dataEntries: allowance.dataEntries - used.dataEntries,
    dataBytes: allowance.dataBytes - used.dataBytes,
  };
}
