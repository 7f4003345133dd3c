/**
 * Where a wallet's accounts are kept: as numbers, from which its seed makes keys. Neither seed nor keys are stored, and
 * nothing of it is published.
 */
import * as z from "zod";
import type { StateStore } from "../state/state-store.ts";

export interface WalletRecord {
  /** Number of the account that is made next. */
  readonly nextNonce: number;
  /** Numbers of the accounts, in the order in which they were made. */
  readonly nonces: readonly number[];
}

export interface WalletStorage {
  /** undefined until the first change. */
  find(): WalletRecord | undefined;
  put(record: WalletRecord): void;
}

/** Name of the row. */
const WALLET = "wallet";

const number = z.number().int().nonnegative();
const recordSchema = z.object({ nextNonce: number, nonces: z.array(number) });

/** In a row of what the database says of itself, which no database of another node has. */
export function storedWallet(store: Pick<StateStore, "findMeta" | "putMeta">): WalletStorage {
  return {
    find: () => {
      const text = store.findMeta(WALLET);
      return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
    },
    put: (record) => store.putMeta(WALLET, JSON.stringify(record)),
  };
}
