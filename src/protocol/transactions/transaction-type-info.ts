/** Properties of a transaction type, apart from its bytes and JSON: part of its entry in `table.ts`. */
import type { FeatureId } from "../../network/features.ts";
import type { Asset } from "./asset.ts";
import type { AuthorizedTransaction, EthereumTransaction, Recipient, Transaction } from "./transaction.ts";

/**
 * Signer of a transaction: the account of its key, by proofs; an Ethereum wallet, by the signature in its bytes; none
 * for genesis transactions.
 */
export type SignerOf<T extends Transaction> = T extends AuthorizedTransaction
  ? "account"
  : T extends EthereumTransaction
    ? "ethereumWallet"
    : "nobody";

export interface TransactionTypeInfo<T extends Transaction> {
  readonly type: T["type"];
  /** Name in the reference's texts. */
  readonly name: string;
  readonly signer: SignerOf<T>;

  /** The sender is derived from other fields: the key in its message is ignored. */
  readonly senderFollows?: true;

  /** False: its bytes have no version, and a version elsewhere is ignored. */
  readonly hasVersions: boolean;
  /** Versions go from 1 to this one. */
  readonly maxVersion: number;
  /**
   * First version whose own form is protobuf, which needs feature 15; undefined for types that only have a legacy form.
   */
  readonly protobufSince: number | undefined;
  /** Feature that enables the type; undefined for the original types. */
  readonly feature: FeatureId | undefined;
  /** Additional feature that a version needs. */
  readonly versionFeatures?: Readonly<Record<number, FeatureId>>;

  /** Minimum fee in units of 100,000 wavelets, without the surcharges for content and scripts. 0: no fee. */
  readonly feeUnits: number;
  /** Minimum fee from a feature on. */
  readonly laterFeeUnits?: { readonly since: FeatureId; readonly units: number };
  /** Whether the fee may be in an asset; for other types the fee asset in a message is ignored. */
  readonly paysInAssets?: true;
  /**
   * Assets that it moves or changes: their scripts run, for a surcharge each. An asset with two surcharges is listed
   * twice.
   */
  readonly checkedAssets?: (tx: T) => readonly Asset[];
  /** Recipients of moved or leased amounts, from its own fields: not the senders of orders, not the called dApp. */
  readonly recipients?: (tx: T) => readonly Recipient[];

  /**
   * Whether it may call a dApp: the call's result is stored, and from feature 15 on an error may include it as failed.
   */
  readonly callsDApps?: true;
  /** From feature 15 on, an error after its effect, in asset scripts or balances, may include it as failed. */
  readonly failsLate?: true;
  /** Whether two of them may have the same id. */
  readonly mayRepeatId?: true;
}
