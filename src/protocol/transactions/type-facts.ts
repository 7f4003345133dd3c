/** What holds for all transactions of a type: the columns of the table in `table.ts` that are no form of bytes or JSON. */
import type { FeatureId } from "../../network/features.ts";
import type { Asset } from "./asset.ts";
import type { AuthorizedTransaction, EthereumTransaction, Recipient, Transaction } from "./transaction.ts";

/**
 * Who stands for a transaction: the account of its key, by proofs; an Ethereum wallet, by the signature in its bytes; nobody
 * for what the genesis block grants.
 */
export type SignerOf<T extends Transaction> = T extends AuthorizedTransaction
  ? "account"
  : T extends EthereumTransaction
    ? "ethereumWallet"
    : "nobody";

export interface TypeFacts<T extends Transaction> {
  readonly type: T["type"];
  /** As the reference calls it in its texts. */
  readonly name: string;
  readonly signer: SignerOf<T>;

  /** Who sends it follows from the rest: the key that its message names is not looked at. */
  readonly senderFollows?: true;

  /** False: its bytes tell no version, and what a transaction says of it is not looked at. */
  readonly hasVersions: boolean;
  /** Versions go from 1 to this one. */
  readonly maxVersion: number;
  /** First version whose own form is protobuf, which needs feature 15; undefined for types that only have a legacy form. */
  readonly protobufSince: number | undefined;
  /** Feature that brings the type; undefined for those of the first days. */
  readonly feature: FeatureId | undefined;
  /** What a version needs beside that. */
  readonly versionFeatures?: Readonly<Record<number, FeatureId>>;

  /** Minimum fee in units of 100,000 wavelets, before what depends on content and scripts. 0: it pays none. */
  readonly feeUnits: number;
  /** The same from a feature on. */
  readonly laterFeeUnits?: { readonly since: FeatureId; readonly units: number };
  /** Its fee may be in an asset; of others the asset that a message names is not looked at. */
  readonly paysInAssets?: true;
  /** Assets that it moves or changes: their scripts are asked and paid for. One that is paid twice stands twice. */
  readonly checkedAssets?: (tx: T) => readonly Asset[];
  /** Who gets what it moves or leases, as its own fields name them: not the owners of orders, not the called dApp. */
  readonly recipients?: (tx: T) => readonly Recipient[];

  /** It may call a dApp: what the call did is kept, and from feature 15 on an error of it may place it as failed. */
  readonly callsDApps?: true;
  /** From feature 15 on what goes wrong after its effect, with scripts of assets or with balances, may place it as failed. */
  readonly failsLate?: true;
  /** Two of them may have the same id. */
  readonly mayRepeatId?: true;
}
