/**
 * Storage of a wallet's accounts: as numbers, from which the seed yields the keys. Neither seed nor keys are stored,
 * and nothing of the wallet is published.
 */
import * as z from "zod";

export interface WalletRecord {
  /** Number of the next account. */
  readonly nextNonce: number;
  /** Numbers of the accounts, in order of creation. */
  readonly nonces: readonly number[];
}

export interface WalletStorage {
  /** Undefined until the first change. */
  find(): WalletRecord | undefined;
  put(record: WalletRecord): void;
}

/** Name of the row. */
const WALLET = "wallet";

const number = z.number().int().nonnegative();
const recordSchema = z.object({ nextNonce: number, nonces: z.array(number) });

/** Metadata of the database: texts by name. */
interface MetaRows {
  findMeta(name: string): string | undefined;
  putMeta(name: string, value: string): void;
}

/** Storage in a metadata row of the object's database, which is not published. */
export function storedWallet(store: MetaRows): WalletStorage {
  return {
    find: () => {
      const text = store.findMeta(WALLET);
      return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
    },
    put: (record) => store.putMeta(WALLET, JSON.stringify(record)),
  };
}
