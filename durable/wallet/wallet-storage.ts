/**
 * Where a wallet's accounts are kept: as numbers, from which its seed makes keys. Neither seed nor keys are stored, and
 * nothing of it is published.
 */
import * as z from "zod";

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

/** What a database says of itself: texts by name. */
interface MetaRows {
  findMeta(name: string): string | undefined;
  putMeta(name: string, value: string): void;
}

/** In a row of what the object's database says of itself, which is not published. */
export function storedWallet(store: MetaRows): WalletStorage {
  return {
    find: () => {
      const text = store.findMeta(WALLET);
      return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
    },
    put: (record) => store.putMeta(WALLET, JSON.stringify(record)),
  };
}
