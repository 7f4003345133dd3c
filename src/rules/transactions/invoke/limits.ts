/**
 * Limits of calls, by the version of the library that the called dApp uses.
 * @source Waves: lang/v1/ContractLimits.scala; requirements "Script limits"
 */

/** Calls of other dApps in one transaction, by way of scripts. */
export const maxCalls = 100;
export const maxDataEntries = 100;
/** Entries of all calls of a transaction together. */
export const maxTotalDataBytes = 15 * 1024;
/** Entries of one call. */
export const maxCallDataBytes = 5 * 1024;
/** Payments of all calls of a transaction together, from feature 17 on. */
export const maxTotalPayments = 100;
/** From version 6 on: ScriptTransfer, Lease, LeaseCancel. */
export const maxBalanceActions = 100;
/** From version 6 on: Issue, Reissue, Burn, SponsorFee. */
export const maxAssetActions = 30;
/** What the call data of a transaction may take. */
export const maxInvokeBytes = 5120;

const oldVersions = { first: 3, last: 4 } as const;

/** Complexity that one unit of the fee pays for. */
export function feeStepComplexity(libraryVersion: number): number {
  return libraryVersion < oldVersions.first ? 2000 : 4000;
}

/** What all scripts of a transaction may spend together. */
export function maxTotalComplexity(libraryVersion: number): number {
  if (libraryVersion <= oldVersions.last) return feeStepComplexity(libraryVersion) * (2 + 10 + 1);
  return libraryVersion === 5 ? 26_000 : 52_000;
}

/** Actions of all kinds but data, before version 6. */
export function maxActionsBeforeV6(libraryVersion: number): number {
  return libraryVersion < 5 ? 10 : 30;
}

export function maxKeyBytes(libraryVersion: number): number {
  return libraryVersion >= 4 ? 400 : 100;
}

/** What the actions of a transaction's calls may still do. */
export interface ActionAllowance {
  /** Of all kinds but data; counts before version 6. */
  readonly actions: number;
  readonly balanceActions: number;
  readonly assetActions: number;
  readonly dataEntries: number;
  readonly dataBytes: number;
}

/** What the calls of a transaction may still do. */
export interface CallAllowance {
  /** Of other dApps. */
  readonly calls: number;
  readonly payments: number;
  readonly actions: ActionAllowance;
}

/** @param payments those that the first call carries */
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
