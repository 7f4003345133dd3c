/**
 * Violations that depend on the state: the rule, the actual value and the limit. `format-faults.ts` has those that make
 * a transaction invalid in every state. `src/protocol/describe-violation.ts` has the reference's text of each,
 * `src/http/errors.ts` the API error id and HTTP status.
 *
 * Amounts are in the smallest unit of their asset, fees in wavelets unless the name has another unit, times in
 * milliseconds, sizes in bytes.
 */
import type { Address } from "../../crypto/identities.ts";
import type { FeatureId } from "../../network/features.ts";
import type { LeaseBalance } from "../snapshots/snapshot.ts";
import type { Asset, AssetId } from "./asset.ts";
import type { Order, OrderSide } from "./order.ts";
import type { Alias, LeaseId, Transaction, TransactionId } from "./transaction.ts";
import type { TransactionType } from "./transaction-type.ts";

export type TransactionViolation =
  | FieldViolation
  | CommonViolation
  | FeeViolation
  | BalanceViolation
  | AuthorizationViolation
  | EffectViolation
  | CallViolation
  | ExchangeViolation
  | PoolViolation
  | UnsupportedViolation
  /** Call data of an Ethereum wallet that the reference's library cannot decode; `message` is its exception's. */
  | { readonly code: "callDataUnreadable"; readonly message: string }
  /** A rule without values of its own; `message` is the whole text of the reference. */
  | { readonly code: "generic"; readonly message: string };

/** Sizes that depend on the active features; other fields are validated without the state. */
type FieldViolation =
  /** The sum of fee and amount exceeds 64 bits. */
  | { readonly code: "amountsOverflow" }
  /** `what` has more bytes than allowed. */
  | { readonly code: "tooBig"; readonly what: string; readonly sizeBytes: number; readonly limit: number };

/** Rules for every transaction, before its effect. */
type CommonViolation =
  | { readonly code: "transactionOfOtherNetwork"; readonly expected: number; readonly got: number }
  | {
      readonly code: "timestampFromFuture";
      readonly timestamp: bigint;
      readonly limitMs: bigint;
      readonly blockTimestamp: bigint;
    }
  | {
      readonly code: "timestampFromPast";
      readonly timestamp: bigint;
      readonly limitMs: bigint;
      readonly previousBlockTimestamp: bigint;
    }
  | { readonly code: "versionNotSupported"; readonly type: number; readonly version: number }
  | { readonly code: "featureNotActive"; readonly feature: FeatureId }
  | { readonly code: "alreadyInState"; readonly transactionId: TransactionId; readonly height: number };

type FeeViolation =
  | {
      readonly code: "feeTooLow";
      readonly type: TransactionType;
      readonly fee: bigint;
      readonly feeAsset: Asset;
      readonly requiredWavelets: bigint;
      /** In units of `feeAsset`. */
      readonly required: bigint;
      readonly scriptedAssets: number;
      readonly scriptedSender: boolean;
    }
  /** Before sponsorship: any fee above zero is enough. */
  | { readonly code: "feeMissing"; readonly fee: bigint }
  | { readonly code: "feeAssetUnknown"; readonly asset: AssetId }
  | { readonly code: "feeAssetNotSponsored"; readonly asset: AssetId }
  | { readonly code: "feeAssetNotWaves"; readonly asset: AssetId }
  | { readonly code: "feeAssetScripted"; readonly asset: AssetId }
  /** The fee in WAVES, or an intermediate product, exceeds 64 bits. */
  | { readonly code: "feeConversionOverflow" };

type BalanceViolation =
  | {
      readonly code: "fundsMissing";
      readonly asset: Asset;
      readonly balance: bigint;
      /** Requested change; negative. */
      readonly change: bigint;
    }
  | { readonly code: "paymentFundsMissing"; readonly balance: bigint; readonly required: bigint }
  /** Invalid balances after the transaction, one entry for each account. */
  | { readonly code: "balancesInvalid"; readonly problems: readonly BalanceProblem[] }
  | {
      readonly code: "sumOverflow";
      /** The sum's quantity: the reference's name of it, or the asset. */
      readonly quantity: SummedQuantity;
      readonly account: Address | undefined;
      /** Step of the overflow: adding up the changes of one transaction, or adding them to the account's balance. */
      readonly stage: "change" | "balance";
    };

export type SummedQuantity =
  | "Waves balance"
  | "Asset balance"
  | "Lease"
  | "Lease in"
  | "Lease out"
  | "Spendings"
  | AssetId;

/** An account's WAVES and the locked part, wavelets. */
export interface LockedBalance {
  readonly balance: bigint;
  readonly lease: LeaseBalance;
  readonly deposit: bigint;
}

export type BalanceProblem =
  | { readonly kind: "negativeWaves"; readonly account: Address; readonly before: bigint; readonly after: bigint }
  | {
      readonly kind: "negativeEffective" | "leasedMoreThanOwned";
      readonly account: Address;
      readonly before: { readonly balance: bigint; readonly lease: LeaseBalance };
      readonly after: { readonly balance: bigint; readonly lease: LeaseBalance };
    }
  | { readonly kind: "leasedMoneySpent"; readonly account: Address }
  /** From feature 25 on, instead of `negativeWaves`. */
  | { readonly kind: "wavesOverspent"; readonly account: Address; readonly before: bigint; readonly after: bigint }
  /** From feature 25 on: the balance does not cover leases out or deposits. */
  | {
      readonly kind: "lockedMoneySpent";
      readonly account: Address;
      readonly reason:
        | "depositMissing"
        | "depositSpent"
        | "negativeEffective"
        | "leaseSpent"
        | "leasedMoreThanOwned"
        | "depositOrLeaseSpent";
      readonly before: LockedBalance;
      readonly after: LockedBalance;
    }
  | {
      readonly kind: "negativeAssets";
      readonly account: Address;
      readonly balances: readonly { readonly asset: AssetId; readonly balance: bigint }[];
    };

type AuthorizationViolation =
  | { readonly code: "proofCountWrong"; readonly count: number; readonly expected: number }
  | { readonly code: "proofInvalid"; readonly transaction: Transaction }
  | { readonly code: "orderProofInvalid"; readonly order: Order }
  /** A script ended with an error, or with a result that is not a boolean. */
  | { readonly code: "scriptFailed"; readonly of: "account" | "asset"; readonly message: string }
  /** A script returned false. */
  | { readonly code: "scriptRefused"; readonly of: "account" | "asset" }
  /** Version 1 has a signature, which an account script cannot read. */
  | { readonly code: "signatureOfScriptedAccount"; readonly what: "transaction" | "order" };

/** Effects that the state does not allow. */
type EffectViolation =
  | { readonly code: "aliasUnknown"; readonly alias: Alias }
  /** An alias that was taken over while that was possible; it belongs to no account any more. */
  | { readonly code: "aliasDisabled"; readonly alias: Alias }
  | { readonly code: "aliasTaken"; readonly alias: Alias; readonly owner: Address }
  | { readonly code: "aliasProofsWrong"; readonly count: number }
  | { readonly code: "assetUnknown"; readonly asset: AssetId }
  | { readonly code: "assetOfOtherIssuer"; readonly asset: AssetId; readonly issuer: Uint8Array }
  | { readonly code: "assetNotReissuable"; readonly asset: AssetId }
  | {
      readonly code: "assetVolumeOverflow";
      readonly asset: AssetId;
      readonly volume: bigint;
      readonly quantity: bigint;
      readonly limit: bigint;
    }
  | { readonly code: "assetAlreadyIssued"; readonly asset: AssetId }
  | { readonly code: "assetTextNotUtf8"; readonly field: "name" | "description" }
  | { readonly code: "sponsorshipOfScriptedAsset"; readonly asset: AssetId }
  | { readonly code: "assetWithoutScript"; readonly asset: AssetId }
  | {
      readonly code: "assetInfoUpdateTooEarly";
      readonly asset: AssetId;
      readonly height: number;
      readonly allowedHeight: number;
      readonly intervalBlocks: number;
    }
  /** Transfers of an asset that was never issued; old chains allow them until a time. */
  | { readonly code: "assetNotIssued"; readonly asset: Asset; readonly allowedUntil: bigint }
  | { readonly code: "transferAssetUnknown"; readonly asset: AssetId }
  | { readonly code: "massTransferAssetUnknown"; readonly asset: AssetId }
  | { readonly code: "paymentAssetUnknown"; readonly asset: AssetId }
  | { readonly code: "erc20AssetUnknown"; readonly address: Uint8Array }
  | { readonly code: "ethereumKeyInvalid" }
  | { readonly code: "ethereumTransferDataSizeWrong"; readonly sizeBytes: number; readonly expected: number }
  | { readonly code: "paymentNotAllowed"; readonly height: number; readonly lastHeight: number }
  | { readonly code: "genesisNotFirst"; readonly height: number }
  | { readonly code: "leaseToSelf" }
  | { readonly code: "leaseExists"; readonly leaseId: LeaseId }
  | {
      readonly code: "leaseExceedsBalance";
      readonly balance: bigint;
      readonly leased: bigint;
      readonly required: bigint;
    }
  | { readonly code: "leaseUnknown"; readonly leaseId: LeaseId }
  | { readonly code: "leaseNotActive"; readonly leaseId: LeaseId }
  | {
      readonly code: "leaseOfOtherSender";
      readonly leaseId: LeaseId;
      readonly blockTimestamp: bigint;
      readonly allowedUntil: bigint;
    }
  /** Heights: a commitment is possible only for the next period. */
  | { readonly code: "generationPeriodWrong"; readonly expected: number; readonly got: number }
  | { readonly code: "endorserKeyInvalid"; readonly endorserPublicKey: Uint8Array }
  /** The signature does not prove possession of the BLS key. */
  | { readonly code: "commitmentSignatureInvalid" }
  | { readonly code: "generatorAlreadyCommitted"; readonly account: Address }
  | { readonly code: "endorserKeyCommitted"; readonly endorserPublicKey: Uint8Array }
  /** After the fee and the deposit, the sender's balance is too low to generate. */
  | { readonly code: "generatingBalanceMissing"; readonly balance: bigint; readonly required: bigint };

/** The call of a dApp, or its result, is refused. */
type CallViolation =
  /**
   * The call failed with too little complexity to be included as failed, or it broke a rule that no block may contain.
   */
  | { readonly code: "callRejected"; readonly message: string }
  /** Refused regardless of the complexity. */
  | { readonly code: "callBreaksRule"; readonly message: string }
  | { readonly code: "callAddressInvalid"; readonly reason: string }
  | { readonly code: "callsExceeded"; readonly limit: number }
  | { readonly code: "paymentNotPositive"; readonly amount: bigint; readonly asset: Asset };

type ExchangeViolation =
  | { readonly code: "orderOverfilled"; readonly order: Order; readonly filled: bigint; readonly amount: bigint }
  | { readonly code: "orderFeeExceeded"; readonly order: Order; readonly fee: bigint; readonly limit: bigint }
  | {
      readonly code: "exchangePriceOutOfOrder";
      readonly side: OrderSide;
      readonly price: bigint;
      readonly orderPrice: bigint;
      /** The order's price in the exchange's price mode. */
      readonly convertedOrderPrice: bigint;
    }
  | { readonly code: "matcherFeeNegative"; readonly buyMatcherFee: bigint; readonly sellMatcherFee: bigint }
  | { readonly code: "matcherFeeAssetUnknown"; readonly asset: AssetId }
  | { readonly code: "exchangeAssetUnknown"; readonly asset: AssetId }
  /** A product of amount and price exceeds 64 bits. */
  | { readonly code: "exchangeAmountOverflow" }
  | { readonly code: "orderPriceModeNotActive"; readonly order: Order }
  | { readonly code: "orderAttachmentNotActive"; readonly order: Order }
  | { readonly code: "orderKeyInvalid"; readonly order: Order }
  | { readonly code: "orderSignatureFormatInvalid"; readonly order: Order }
  | { readonly code: "scriptedAssetTradingNotActive"; readonly asset: AssetId }
  | { readonly code: "scriptedAccountTradingNotActive"; readonly side: OrderSide; readonly account: Address };

/** The transaction may be valid, but this node's UTX pool refuses it. */
type PoolViolation =
  | {
      readonly code: "poolFull";
      readonly of: "transactions" | "bytes" | "scriptedTransactions";
      readonly limit: number;
    }
  | { readonly code: "poolTakesNoScripted" }
  /** The node has too few connections to relay the transaction. */
  | { readonly code: "tooFewPeers"; readonly connected: number; readonly minimum: number }
  | { readonly code: "poolTakesNoneOfSender"; readonly sender: Address };

/** Rules that this release does not have yet. Never a reason to accept. */
type UnsupportedViolation = { readonly code: "scriptNotSupported"; readonly reason: string };
