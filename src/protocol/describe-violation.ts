/**
 * Texts of violations: for transactions those of the reference, which clients know; for blocks a log message.
 * @source docs/protocol/rest-api.md 4; Waves: api/http/ApiError.scala, transaction/TxValidationError.scala,
 *   state/diffs/*
 */
import { chainText } from "../crypto/address-error-text.ts";
import { encodeBase58 } from "../crypto/base58.ts";
import { featureDescriptions } from "../network/features.ts";
import type { BlockViolation } from "./blocks/block-violation.ts";
import { describeVotingViolation } from "./blocks/voting-violation.ts";
import { jsonText } from "./json.ts";
import type { LeaseBalance } from "./snapshots/snapshot.ts";
import { aliasText } from "./transactions/alias.ts";
import type { Asset } from "./transactions/asset.ts";
import { scriptExtraFeeWavelets } from "./transactions/fee-units.ts";
import type { Order } from "./transactions/order.ts";
import { formatOf } from "./transactions/table.ts";
import { transactionJson } from "./transactions/transaction-json.ts";
import type { TransactionType } from "./transactions/transaction-type.ts";
import type {
  BalanceProblem,
  LockedBalance,
  SummedQuantity,
  TransactionViolation,
} from "./transactions/transaction-violation.ts";

type Violation = TransactionViolation | BlockViolation;
type TextTable = { readonly [Code in Violation["code"]]: (violation: Extract<Violation, { code: Code }>) => string };

const poolLimitNames = {
  transactions: "size",
  bytes: "bytes size",
  scriptedTransactions: "scripted txs size",
} as const;

const texts: TextTable = {
  generic: ({ message }) => message,
  callDataUnreadable: ({ message }) => message,

  amountsOverflow: () => "overflow error",
  tooBig: () => "Too big sequence requested",

  transactionOfOtherNetwork: ({ expected, got }) =>
    `Address belongs to another network: expected: ${chainText(expected)}, actual: ${chainText(got)}`,
  timestampFromFuture: ({ timestamp, limitMs, blockTimestamp }) =>
    `Transaction timestamp ${timestamp} is more than ${limitMs}ms in the future relative to block timestamp ${blockTimestamp}`,
  timestampFromPast: ({ timestamp, limitMs, previousBlockTimestamp }) =>
    `Transaction timestamp ${timestamp} is more than ${limitMs}ms in the past relative to previous block timestamp Some(${previousBlockTimestamp})`,
  versionNotSupported: ({ type, version }) => `Bad transaction type (${type}) and version (${version})`,
  featureNotActive: ({ feature }) =>
    `ActivationError(${featureDescriptions[feature]} feature has not been activated yet)`,
  alreadyInState: ({ transactionId, height }) =>
    `Transaction ${encodeBase58(transactionId)} is already in the state on a height of ${height}`,

  feeTooLow: feeText,
  feeMissing: () => "Fee must be positive.",
  feeAssetUnknown: ({ asset }) => `Asset ${encodeBase58(asset)} does not exist, cannot be used to pay fees`,
  feeAssetNotSponsored: ({ asset }) => `Asset ${encodeBase58(asset)} is not sponsored, cannot be used to pay fees`,
  feeAssetNotWaves: ({ asset }) =>
    `Invalid fee asset: ${encodeBase58(asset)}, only Waves can be used to pay fees for UpdateAssetInfoTransaction`,
  feeAssetScripted: () => "Smart assets can't participate in TransferTransactions as a fee",
  feeConversionOverflow: () => "BigInteger out of long range",

  fundsMissing: ({ asset, balance, change }) =>
    asset === null
      ? `Attempt to transfer unavailable funds: Transaction application leads to negative waves balance to (at least) temporary negative state, current balance equals ${balance}, spends equals ${change}, result is ${balance + change}`
      : `Attempt to transfer unavailable funds: Transaction application leads to negative asset '${encodeBase58(asset)}' balance to (at least) temporary negative state, current balance is ${balance}, spends equals ${change}, result is ${balance + change}`,
  paymentFundsMissing: ({ balance, required }) =>
    `Attempt to pay unavailable funds: balance ${balance} is less than ${required}`,
  balancesInvalid: () => "Accounts balance errors",
  sumOverflow: ({ quantity, account, stage }) => {
    const owner = account === undefined ? "" : `${encodeBase58(account)}${stage === "change" ? ": " : " -> "}`;
    return `${owner}${quantityText(quantity)} sum overflow`;
  },

  proofCountWrong: ({ expected }) => `Transactions from non-scripted accounts must have exactly ${expected} proof`,
  proofInvalid: ({ transaction }) =>
    `Proof doesn't validate as signature for ${jsonText(transactionJson(transaction))}`,
  orderProofInvalid: ({ order }) => `Proof doesn't validate as signature for ${orderText(order)}`,
  scriptFailed: ({ message }) => message,
  scriptRefused: ({ of }) => `Transaction is not allowed by ${of === "account" ? "account-script" : "token-script"}`,
  signatureOfScriptedAccount: ({ what }) => `Can't process ${what} with signature from scripted account`,

  aliasDisabled: ({ alias }) => `AliasIsDisabled(${aliasText(alias)})`,
  aliasUnknown: ({ alias }) => `alias '${aliasText(alias)}' doesn't exist`,
  aliasTaken: () => "Alias already claimed",
  aliasProofsWrong: () => "Invalid proofs size",
  assetUnknown: () => "Referenced assetId not found",
  assetOfOtherIssuer: () => "Asset was issued by other address",
  assetNotReissuable: () => "Asset is not reissuable",
  assetVolumeOverflow: () => "Asset total value overflow",
  assetAlreadyIssued: ({ asset }) => `Asset ${encodeBase58(asset)} is already issued`,
  assetTextNotUtf8: () => "Valid UTF-8 strings required",
  sponsorshipOfScriptedAsset: () => "Sponsorship smart assets is disabled.",
  assetWithoutScript: () => "Cannot set script on an asset issued without a script",
  assetInfoUpdateTooEarly: ({ asset, height, allowedHeight, intervalBlocks }) =>
    `Can't update info of asset with id=${encodeBase58(asset)} before ${allowedHeight} block, current height=${height}, minUpdateInfoInterval=${intervalBlocks}`,
  assetNotIssued: ({ allowedUntil }) =>
    `Unissued assets are not allowed after allowUnissuedAssetsUntil=${allowedUntil}`,
  transferAssetUnknown: ({ asset }) => `Transfer error: asset '${encodeBase58(asset)}' is not found on the blockchain`,
  massTransferAssetUnknown: () => "Attempt to transfer a nonexistent asset",
  paymentAssetUnknown: ({ asset }) => `Referenced ${encodeBase58(asset)} not found`,
  erc20AssetUnknown: ({ address }) => `Can't resolve ERC20 address ${encodeBase58(address)}`,
  ethereumKeyInvalid: () => "Invalid public key",
  ethereumTransferDataSizeWrong: () => "Invalid asset data size for Ethereum Transfer",
  paymentNotAllowed: ({ lastHeight }) => `Payment transaction is deprecated after h=${lastHeight}`,
  genesisNotFirst: ({ height }) => `GenesisTransaction cannot appear in non-initial block (${height})`,
  leaseToSelf: () => "Cannot lease to self",
  leaseExists: ({ leaseId }) => `Lease with id=${encodeBase58(leaseId)} is already in the state`,
  leaseExceedsBalance: ({ balance, leased }) =>
    `Cannot lease more than own: Balance: ${balance}, already leased: ${leased}`,
  leaseUnknown: ({ leaseId }) => `Lease with id=${encodeBase58(leaseId)} not found`,
  leaseNotActive: () => "Cannot cancel already cancelled lease",
  leaseOfOtherSender: ({ blockTimestamp, allowedUntil }) =>
    `LeaseTransaction was leased by other sender and time=${blockTimestamp} > allowMultipleLeaseCancelTransactionUntilTimestamp=${allowedUntil}`,

  generationPeriodWrong: ({ expected, got }) => `Expected the next period start height ${expected}, got ${got}`,
  endorserKeyInvalid: () => "Invalid endorser public key: Wrong BLS public key: not in a group",
  commitmentSignatureInvalid: () => "Invalid commitment signature: Wrong BLS signature",
  generatorAlreadyCommitted: ({ account }) => `${encodeBase58(account)} is already committed`,
  endorserKeyCommitted: ({ endorserPublicKey }) =>
    `BLS key ${encodeBase58(endorserPublicKey)} is already committed, try another key`,
  generatingBalanceMissing: ({ balance, required }) =>
    `Generating balance ${balance} is less than ${required} required for block generation`,

  callRejected: ({ message }) => message,
  callBreaksRule: ({ message }) => `FailOrRejectError(${message},true)`,
  callAddressInvalid: () => "invalid address",
  callsExceeded: ({ limit }) => `ScriptRunsLimitError(DApp calls limit = ${limit} is exceeded)`,
  paymentNotPositive: ({ amount, asset }) =>
    `non-positive amount: ${amount} of ${asset === null ? "Waves" : encodeBase58(asset)}`,

  orderOverfilled: ({ order, filled }) =>
    `Order validation error: Too much ${order.side}. Already filled volume for the order: ${filled}`,
  orderFeeExceeded: ({ order }) => `Order validation error: Insufficient ${order.side} fee`,
  exchangePriceOutOfOrder: ({ side, price, orderPrice, convertedOrderPrice }) => {
    const given = orderPrice === convertedOrderPrice ? "" : ` (assetDecimals price = ${grouped(orderPrice)})`;
    const comparison = side === "buy" ? "<= buyOrder" : ">= sellOrder";
    return `exchange.price = ${grouped(price)} should be ${comparison}.price = ${grouped(convertedOrderPrice)}${given}`;
  },
  matcherFeeNegative: () => "Matcher fee can not be negative",
  matcherFeeAssetUnknown: ({ asset }) => `Asset ${encodeBase58(asset)} should be issued before it can be traded`,
  exchangeAssetUnknown: () => "Assets should be issued before they can be traded",
  exchangeAmountOverflow: () => "BigInteger out of long range",
  orderPriceModeNotActive: () => "Legacy price mode is only available after RideV6 activation",
  orderAttachmentNotActive: () => "Attachment field for orders is not supported yet",
  orderKeyInvalid: () => "Invalid public key for Ethereum orders",
  orderSignatureFormatInvalid: () => "Invalid order signature format",
  scriptedAssetTradingNotActive: () =>
    "Smart assets can't participate in ExchangeTransactions (SmartAssetsFeature is disabled)",
  scriptedAccountTradingNotActive: ({ side, account }) =>
    `${side === "buy" ? "Buyer" : "Seller"} ${encodeBase58(account)} can't participate in ExchangeTransaction because it has assigned Script (SmartAccountsTrades is disabled)`,

  poolFull: ({ of }) => `Transaction pool ${poolLimitNames[of]} limit is reached`,
  poolTakesNoScripted: () => "transactions from scripted accounts are denied from UTX pool",
  tooFewPeers: ({ connected }) => `There are not enough connections with peers (${connected}) to accept transaction`,
  poolTakesNoneOfSender: ({ sender }) => `SenderIsBlacklisted(${encodeBase58(sender)})`,

  scriptNotSupported: ({ reason }) => `Internal error: this node cannot run the script: ${reason}`,

  blockVersionUnexpected: ({ expected, got }) => `Block version is ${got}, at this height it must be ${expected}`,
  blockSignatureInvalid: ({ blockId }) => `Block ${blockId} has invalid signature`,
  blockReferenceUnknown: ({ reference, tip }) => `Block refers to ${reference}, which is not the tip ${tip}`,
  baseTargetWrong: ({ expected, got }) => `Base target is ${got}, by its parents it must be ${expected}`,
  generationSignatureWrong: ({ reason }) => `Generation signature is wrong: ${reason}`,
  blockTimestampTooEarly: ({ minimumMs, gotMs }) =>
    `Block timestamp ${gotMs} is before ${minimumMs}, the first at which its generator may sign`,
  blockFromFuture: ({ latestMs, gotMs }) =>
    `Block timestamp ${gotMs} is from the future: the latest allowed is ${latestMs}`,
  generatingBalanceTooLow: ({ generator, required, got }) =>
    `generator's effective balance ${got} of ${generator} is less than required for generation (${required})`,
  generatorHasScript: ({ generator }) => `Account ${generator} is scripted and therefore not allowed to forge blocks`,
  featuresUnimplemented: ({ features }) =>
    `UNIMPLEMENTED FEATURE${features.length > 1 ? "S" : ""} ${features.join(", ")} ${
      features.length > 1 ? "have been" : "has been"
    } ACTIVATED ON BLOCKCHAIN, UPDATE THE NODE IMMEDIATELY`,
  headerFieldInvalid: ({ field, reason }) => `Header field ${field} is invalid: ${reason}`,
  generatorNotAllowed: ({ generator, allowed }) =>
    `${generator} is not allowed to generate a block, allowed: ${allowed.join(", ")}. If this is your node: commit to generation for the next period`,
  votingInvalid: ({ violation }) => `Finalization voting is invalid: ${describeVotingViolation(violation)}`,
  challengeInvalid: ({ reason }) => `Invalid block challenge: ${reason}`,
  transactionsRootWrong: ({ expected, got }) => `Transactions root is ${got}, of these transactions it is ${expected}`,
  stateHashWrong: ({ expected, got }) => `State hash is ${got ?? "missing"}, after this block it is ${expected}`,
  blockLimitExceeded: ({ limit, allowed, got }) => `Limit of ${limit} was reached: ${got} of ${allowed}`,
  competitorNotBetter: ({ timestamp, currentTimestamp }) =>
    `Block with timestamp ${timestamp} does not replace the one with ${currentTimestamp}: only an earlier one does`,
  branchNotBetter: ({ score, currentScore }) =>
    `Branch with score ${score} does not replace the one with ${currentScore}: only a greater score does`,
  microBlockRefused: ({ reason }) => `Micro-block is refused: ${reason}`,
  microBlockSignatureInvalid: ({ totalBlockId }) => `Micro-block ${totalBlockId} has invalid signature`,
  transactionInBlockInvalid: ({ transactionId, reason }) => `Transaction ${transactionId} is invalid: ${reason}`,
  snapshotCountWrong: ({ expected, got }) => `There are ${got} snapshots for ${expected} transactions`,
  snapshotInvalid: ({ transactionId, reason }) => `Snapshot of transaction ${transactionId} is invalid: ${reason}`,
  rollbackTooDeep: ({ height, lowestHeight }) =>
    `Cannot roll back to height ${height}: the lowest that can be reached is ${lowestHeight}`,
};

/** Text of a violation. */
export function describeViolation(violation: Violation): string {
  // The table pairs each code with its own text; the compiler does not follow that through the lookup.
  return (texts[violation.code] as (violation: Violation) => string)(violation);
}

/** Text of the balance error of one account, as the reference prints it. */
export function describeBalanceProblem(problem: BalanceProblem): string {
  const account = encodeBase58(problem.account);
  switch (problem.kind) {
    case "negativeWaves":
      return `negative waves balance: ${account}, old: ${problem.before}, new: ${problem.after}`;
    case "negativeEffective":
      return `negative effective balance: ${account}, old: ${wavesText(problem.before)}, new: ${wavesText(problem.after)}`;
    case "leasedMoreThanOwned":
      return `leased being more than own: ${account}, old: ${wavesText(problem.before)}, new: ${wavesText(problem.after)}`;
    case "leasedMoneySpent":
      return `${account} trying to spend leased money`;
    case "wavesOverspent":
      return `negative waves balance: before=${problem.before}, after=${problem.after}`;
    case "lockedMoneySpent":
      return `${lockedTexts[problem.reason]}, before: ${lockedText(problem.before)}, after: ${lockedText(problem.after)}`;
    case "negativeAssets": {
      const balances = problem.balances.map(({ asset, balance }) => `${encodeBase58(asset)} -> ${balance}`);
      return `negative asset balance: ${account}, new portfolio: VectorMap(${balances.join(", ")})`;
    }
  }
}

const lockedTexts: Record<Extract<BalanceProblem, { kind: "lockedMoneySpent" }>["reason"], string> = {
  depositMissing: "not enough funds for deposit",
  depositSpent: "trying to spend a deposit",
  negativeEffective: "negative effective balance",
  leaseSpent: "trying to spend leased money",
  leasedMoreThanOwned: "leased being more than own",
  depositOrLeaseSpent: "trying to spend either a deposit or leased money",
};

function lockedText({ balance, lease, deposit }: LockedBalance): string {
  const parts = Object.entries({ waves: balance, lease: lease.out, deposit }).filter(([, value]) => value !== 0n);
  return [`spendable=${balance - lease.out - deposit}`, ...parts.map(([name, value]) => `${name}=${value}`)].join(", ");
}

function feeText(violation: Extract<Violation, { code: "feeTooLow" }>): string {
  const { type, fee, feeAsset, required, requiredWavelets, scriptedAssets, scriptedSender } = violation;
  const inAsset = feeAsset === null ? "" : ` or ${required} ${encodeBase58(feeAsset)}`;
  const sentences = [
    ...(scriptedSender ? [`Transaction sent from smart account. Requires ${scriptExtraFeeWavelets} extra fee`] : []),
    ...(scriptedAssets > 0
      ? [
          `Transaction involves ${scriptedAssets} scripted assets. Requires ${BigInt(scriptedAssets) * scriptExtraFeeWavelets} extra fee`,
        ]
      : []),
    `Fee for ${nameOf(type)} (${fee} in ${assetText(feeAsset)}) does not exceed minimal value of ${requiredWavelets} WAVES${inAsset}.`,
  ];
  return sentences.join(". ");
}
/** Order as the reference prints it in a message. */
function orderText(order: Order): string {
  const proofs = order.proofs.map(encodeBase58).join(", ");
  const signature = order.eip712Signature === null ? "None" : `Some(${encodeBase58(order.eip712Signature)})`;
  const feeAsset =
    order.version === 3
      ? ` matcherFeeAssetId=${order.matcherFeeAsset === null ? "Waves" : encodeBase58(order.matcherFeeAsset)},`
      : "";
  const pair = `${assetText(order.amountAsset)}-${assetText(order.priceAsset)}`;
  const priceMode = { null: "Default", fixedDecimals: "FixedDecimals", assetDecimals: "AssetDecimals" }[
    `${order.priceMode}`
  ];
  return (
    `OrderV${order.version}(id=${encodeBase58(order.id)}, sender=${encodeBase58(order.sender)}, ` +
    `matcher=${encodeBase58(order.matcher)}, pair=${pair}, type=${order.side}, amount=${order.amount}, ` +
    `price=${order.price}, priceMode=${priceMode}, ts=${order.timestamp}, exp=${order.expiration}, ` +
    `fee=${order.matcherFee},${feeAsset}, eip712Signature=${signature}, proofs=Proofs(${proofs}))`
  );
}

/** `TransferTransaction` */
function nameOf(type: TransactionType): string {
  return formatOf(type).name;
}

function assetText(asset: Asset): string {
  return asset === null ? "WAVES" : encodeBase58(asset);
}

function quantityText(quantity: SummedQuantity): string {
  return typeof quantity === "string" ? quantity : `asset ${encodeBase58(quantity)}`;
}

/** `82(R)` */
function wavesText({ balance, lease }: { readonly balance: bigint; readonly lease: LeaseBalance }): string {
  return `(${balance},LeaseBalance(${lease.in},${lease.out}))`;
}

/** Digits in groups of three: `100_000_000`. */
function grouped(amount: bigint): string {
  return amount.toString().replace(/\B(?=(\d{3})+$)/g, "_");
}
