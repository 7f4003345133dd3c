/** What accounts own besides balances: aliases, data entries, scripts, leases. */
import { table } from "./schema/table.ts";

/** `takenOver`: 1 for a name that was taken more than once, while that was possible. */
export type AliasRow = { name: string; address: Uint8Array; takenOver: number };
export const aliasTable = table<AliasRow>({
  name: "alias",
  key: ["name"],
  columns: { name: "text", address: "blob", takenOver: { kind: "int", unpublished: true } },
  published: true,
});

export type DataEntryRow = { address: Uint8Array; key: string; value: Uint8Array };
export const dataEntryTable = table<DataEntryRow>({
  name: "data_entry",
  key: ["address", "key"],
  columns: { address: "blob", key: "text", value: "blob" },
  published: true,
});

/** Accounts that ever had a data entry: deleted entries leave this behind. */
export type DataOwnerRow = { address: Uint8Array };
export const dataOwnerTable = table<DataOwnerRow>({
  name: "data_owner",
  key: ["address"],
  columns: { address: "blob" },
  published: true,
});

export type AccountScriptRow = {
  address: Uint8Array;
  publicKey: Uint8Array;
  script: Uint8Array;
  verifierComplexity: bigint;
  /** Where the script was set: its callables are known with the complexities of then. */
  height: number;
};
export const accountScriptTable = table<AccountScriptRow>({
  name: "account_script",
  key: ["address"],
  columns: { address: "blob", publicKey: "blob", script: "blob", verifierComplexity: "i64", height: "int" },
  published: true,
});

export type LeaseRow = {
  id: Uint8Array;
  sender: Uint8Array;
  recipient: Uint8Array;
  amount: bigint;
  originTx: Uint8Array;
  height: number;
  /** 0 active, 1 canceled, 2 expired. */
  status: number;
  cancelHeight: number | undefined;
  cancelTx: Uint8Array | undefined;
};
export const leaseTable = table<LeaseRow>({
  name: "lease",
  key: ["id"],
  columns: {
    id: "blob",
    sender: "blob",
    recipient: "blob",
    amount: "i64",
    originTx: "blob",
    height: "int",
    status: "int",
    cancelHeight: { kind: "int", nullable: true },
    cancelTx: { kind: "blob", nullable: true },
  },
  published: true,
});
