/**
 * Functions that read the chain: balances, assets, blocks, transactions, scripts.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */

import { ADDRESS_BYTES } from "../../crypto/address.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { assetObject, balanceObject, blockObject } from "../objects/chain-objects.ts";
import type { EntityShape } from "../objects/entity-fields.ts";
import { findPaymentsError } from "../objects/invoke-object.ts";
import { namedRecipientOf, recipientOf } from "../objects/recipients.ts";
import { type ScriptTransaction, transactionObject } from "../objects/transaction-object.ts";
import { transferObject } from "../objects/transfer.ts";
import { findTransferInProto } from "../objects/transfer-from-proto.ts";
import { unit } from "../values/value.ts";
import { type CallContext, composed, type LibraryFunction, native, refusal } from "./function-definition.ts";
import { call, ref } from "./tree.ts";

const transactions = [
  "BurnTransaction",
  "CreateAliasTransaction",
  "DataTransaction",
  "ExchangeTransaction",
  "GenesisTransaction",
  "IssueTransaction",
  "LeaseCancelTransaction",
  "LeaseTransaction",
  "MassTransferTransaction",
  "PaymentTransaction",
  "ReissueTransaction",
  "SetAssetScriptTransaction",
  "SetScriptTransaction",
  "SponsorFeeTransaction",
  "TransferTransaction",
].join("|");
const read = { 1: 100, 4: 10 };

/** Shape of transactions: long scripts in fields are truncated here, whatever the features. */
function shapeOf({ libraryVersion, hasProofs }: CallContext): EntityShape {
  return { libraryVersion, hasProofs, hasFixedScriptField: false };
}

/** @throws NativeFailure for a call with several payments, which objects of these versions cannot contain */
function checkedPayments(transaction: Transaction, { environment, libraryVersion }: CallContext): ScriptTransaction {
  if (transaction.type !== TransactionType.InvokeScript) return transaction as ScriptTransaction;
  const options = { libraryVersion, allowsSeveral: true, script: environment.scriptText() };
  const error = findPaymentsError(transaction.payments.length, options);
  if (error !== undefined) throw new NativeFailure("java.lang.RuntimeException", error);
  return transaction;
}

const balanceUsage = "assetBalance(a: Address|Alias, u: ByteVector|Unit)";

export const chainFunctions: readonly LibraryFunction[] = [
  native(1000, `transactionById(id: ByteVector): ${transactions}|Unit`, {
    since: 1,
    until: 2,
    complexity: 100,
    takes: ["ByteVector"],
    usage: "transactionById(u: ByteVector)",
    evaluate: ([id], context) => {
      const transaction = context.environment.findTransaction(id);
      return transaction === undefined
        ? unit
        : transactionObject(checkedPayments(transaction, context), shapeOf(context));
    },
  }),
  native(1001, "transactionHeightById(id: ByteVector): Int|Unit", {
    since: 1,
    complexity: { 1: 100, 4: 20 },
    takes: ["ByteVector"],
    usage: "transactionHeightById(u: ByteVector)",
    evaluate: ([id], { environment }) => {
      const height = environment.findTransactionHeight(id);
      return height === undefined ? unit : BigInt(height);
    },
  }),
  native(1003, "assetBalance(addressOrAlias: Address|Alias, assetId: ByteVector|Unit): Int", {
    since: 1,
    until: 3,
    complexity: read,
    takes: ["Object", "Any"],
    usage: balanceUsage,
    evaluate: ([account, asset], { environment }) => {
      if (asset === unit || (typeof asset === "object" && "type" in asset && asset.type === unit.type)) {
        return environment.balance(namedRecipientOf(account), undefined);
      }
      if (asset instanceof Uint8Array) return environment.balance(namedRecipientOf(account), asset);
      throw refusal([account, asset], balanceUsage);
    },
  }),
  composed("wavesBalance(@addressOrAlias: Address|Alias): Int", {
    since: 1,
    until: 3,
    complexity: 109,
    body: call(1003, ref("@addressOrAlias"), ref("unit")),
  }),
  native(1008, "assetBalance(addressOrAlias: Address|Alias, assetId: ByteVector): Int", {
    since: 4,
    complexity: 10,
    takes: ["Object", "ByteVector"],
    usage: "assetBalance(a: Address|Alias, u: ByteVector)",
    evaluate: ([account, asset], { environment }) => environment.balance(namedRecipientOf(account), asset),
  }),
  native(1007, "wavesBalance(addressOrAlias: Address|Alias): BalanceDetails", {
    since: 4,
    complexity: 10,
    takes: ["Object"],
    usage: "wavesBalance(a: Address|Alias)",
    printedAs: "wavesBalance(addressOrAlias: Address|Alias): Int",
    evaluate: ([account], { environment }) => balanceObject(environment.wavesBalance(namedRecipientOf(account))),
  }),
  native(1004, "assetInfo(id: ByteVector): Asset|Unit", {
    since: 3,
    complexity: { 3: 100, 4: 15 },
    takes: ["ByteVector"],
    usage: "assetInfo(u: ByteVector)",
    evaluate: ([id], { environment, libraryVersion }) => {
      const asset = environment.findAsset(id);
      return asset === undefined ? unit : assetObject(asset, libraryVersion);
    },
  }),
  native(1005, "blockInfoByHeight(height: Int): BlockInfo|Unit", {
    since: 3,
    complexity: { 3: 100, 4: 5 },
    takes: ["Int"],
    usage: "blockInfoByHeight(u: Int)",
    evaluate: ([height], { environment, libraryVersion }) => {
      // Heights are truncated to 32 bits.
      const block = environment.findBlock(Number(BigInt.asIntN(32, height)));
      return block === undefined ? unit : blockObject(block, libraryVersion);
    },
  }),
  native(1006, "transferTransactionById(id: ByteVector): TransferTransaction|Unit", {
    since: 3,
    complexity: { 3: 100, 4: 60 },
    takes: ["ByteVector"],
    usage: "transferTransactionById(u: ByteVector)",
    evaluate: ([id], context) => {
      const transfer = context.environment.findTransfer(id);
      // Transfers of Ethereum wallets, which have no version, are visible from version 6 on.
      const isVisible = transfer !== undefined && (transfer.version > 0 || context.libraryVersion >= 6);
      return isVisible ? transferObject(transfer, shapeOf(context)) : unit;
    },
  }),
  native(1070, "transferTransactionFromProto(bytes: ByteVector): TransferTransaction|Unit", {
    since: 4,
    complexity: 5,
    takes: ["ByteVector"],
    usage: "transferTransactionFromProto(bytes: ByteVector)",
    evaluate: ([bytes], context) => {
      const transfer = findTransferInProto(bytes, context.environment);
      return transfer === undefined ? unit : transferObject(transfer, shapeOf(context));
    },
  }),
  native(1009, "scriptHash(account: Address|Alias): ByteVector|Unit", {
    since: 5,
    complexity: 200,
    takes: ["Object"],
    usage: "scriptHash(account: AddressOrAlias))",
    evaluate: ([account], { environment }) => {
      const script = environment.findScript(namedRecipientOf(account));
      return script === undefined ? unit : blake2b256(script);
    },
  }),
  native(1054, "isDataStorageUntouched(addressOrAlias: Address|Alias): Boolean", {
    since: 5,
    complexity: 10,
    takes: ["Object"],
    usage: "isDataStorageUntouched(s: AddressOrAlias)",
    evaluate: ([account], { environment }) => !environment.hasData(recipientOf(account)),
  }),
  native(901, "calculateDelay(generator: Address, balance: Int): Int", {
    since: 8,
    complexity: 1,
    takes: ["Object", "Int"],
    usage: "calculateDelay(generator: Address, balance: Long)",
    evaluate: ([generator, balance], { environment }) => {
      const recipient = generator.type === "Address" ? namedRecipientOf(generator) : undefined;
      if (recipient?.kind !== "address") {
        throw refusal([generator, balance], "calculateDelay(generator: Address, balance: Long)");
      }
      const { length } = recipient.bytes;
      if (length > ADDRESS_BYTES) {
        throw new ExecutionError(`Address bytes length = ${length} exceeds limit = ${ADDRESS_BYTES}`);
      }
      if (balance <= 0n) throw new ExecutionError(`Unexpected non-positive balance = ${balance}`);
      return environment.delayMs(recipient.bytes, balance);
    },
  }),
];
