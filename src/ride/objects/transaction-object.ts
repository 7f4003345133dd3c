/**
 * Transactions as objects of scripts, by version of the library.
 * @source Waves: transaction/smart/RealTransactionWrapper.scala, lang/v1/evaluator/ctx/impl/waves/Bindings.scala
 *   (transactionObject)
 */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type {
  AuthorizedTransaction,
  DataEntry,
  EthereumTransaction,
  InvokeScriptTransaction,
  Transaction,
  TransferTransaction,
} from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { Text } from "../values/text.ts";
import { List, limitedObject, MAX_VALUE_BYTES, Structure, unit, type Value } from "../values/value.ts";
import { callArgumentValue } from "./call-arguments.ts";
import { type Entity, type EntityShape, entityFields, headerFields } from "./entity-fields.ts";
import { invokeObject, type ScriptInvoke } from "./invoke-object.ts";
import { orderObject } from "./order-object.ts";
import { addressObject, recipientObject } from "./recipients.ts";
import { transferObject, transferOf } from "./transfer.ts";

/** Transactions with objects of their own: those of Ethereum wallets appear as transfers or calls. */
export type ScriptTransaction = Exclude<Transaction, EthereumTransaction>;

type Fields = readonly (readonly [string, Value])[];

/** First version in which texts of assets are strings, and data entries have a type for each kind of value. */
const textsSince = 4;
const defaultFunction = "default";

/** Call of a transaction. Fields in which alike calls differ are read only if a script uses them. */
export function invokeOf(transaction: InvokeScriptTransaction): ScriptInvoke {
  const { call, type, version, sender, chainId, fee } = transaction;
  return {
    get id() {
      return transaction.id;
    },
    get timestamp() {
      return transaction.timestamp;
    },
    get bodyBytes() {
      return transaction.bodyBytes;
    },
    get proofs() {
      return transaction.proofs;
    },
    fee,
    version: shownVersion(type, version),
    sender: addressOfPublicKey(sender, chainId),
    senderPublicKey: sender,
    ...pick(transaction),
    function: call?.function ?? defaultFunction,
    nativeId: call?.nativeId,
    args: (call?.args ?? []).map(callArgumentValue),
  };
}

function pick({
  dApp,
  feeAsset,
  payments,
}: InvokeScriptTransaction): Pick<ScriptInvoke, "dApp" | "feeAsset" | "payments"> {
  return { dApp, feeAsset, payments };
}

function entityOf(transaction: AuthorizedTransaction): Entity {
  const { id, fee, timestamp, type, version, sender, chainId, bodyBytes, proofs } = transaction;
  return {
    id,
    fee,
    timestamp,
    version: shownVersion(type, version),
    sender: addressOfPublicKey(sender, chainId),
    senderPublicKey: sender,
    bodyBytes,
    proofs,
  };
}

function shownVersion(type: TransactionType, version: number): number {
  return formatOf(type).hasVersions ? version : 1;
}

/**
 * @param paymentVersion library version that decides the form of a call's payments
 * @throws NativeFailure a body that is too long for the version, an object that is too heavy
 */
export function transactionObject(
  transaction: ScriptTransaction,
  shape: EntityShape,
  paymentVersion = shape.libraryVersion,
): Structure {
  switch (transaction.type) {
    case TransactionType.Genesis: {
      const { amount, recipient, id, fee, timestamp } = transaction;
      const header = headerFields({ id, fee, timestamp, version: 1 });
      return objectOf("GenesisTransaction", [["amount", amount], ...header, ["recipient", addressObject(recipient)]]);
    }
    case TransactionType.Transfer:
      return transferObject(transferOf(transaction), shape);
    case TransactionType.InvokeScript:
      return invokeObject(invokeOf(transaction), shape, paymentVersion);
    default: {
      const { name, fields } = ownFields(transaction, shape);
      return objectOf(name, [...fields, ...entityFields(entityOf(transaction), shape)]);
    }
  }
}

function objectOf(type: string, fields: Fields): Structure {
  return limitedObject(new Structure(type, new Map(fields)));
}

interface OwnFields {
  readonly name: string;
  readonly fields: Fields;
}

/** Fields of a type, in addition to the common ones. */
function ownFields(
  transaction: Exclude<AuthorizedTransaction, TransferTransaction | InvokeScriptTransaction>,
  shape: EntityShape,
): OwnFields {
  switch (transaction.type) {
    case TransactionType.Payment: {
      const { amount, recipient } = transaction;
      return {
        name: "PaymentTransaction",
        fields: [
          ["amount", amount],
          ["recipient", addressObject(recipient)],
        ],
      };
    }
    case TransactionType.Issue: {
      const { quantity, reissuable, decimals, script } = transaction;
      const text = (bytes: Uint8Array): Value =>
        shape.libraryVersion >= textsSince ? new Text(utf8TextWithReplacements(bytes)) : bytes;
      return {
        name: "IssueTransaction",
        fields: [
          ["quantity", quantity],
          ["name", text(transaction.name)],
          ["description", text(transaction.description)],
          ["reissuable", reissuable],
          ["decimals", BigInt(decimals)],
          ["script", scriptValue(script, shape)],
        ],
      };
    }
    case TransactionType.Reissue: {
      const { quantity, asset, reissuable } = transaction;
      return {
        name: "ReissueTransaction",
        fields: [
          ["quantity", quantity],
          ["assetId", asset],
          ["reissuable", reissuable],
        ],
      };
    }
    case TransactionType.Burn:
      return {
        name: "BurnTransaction",
        fields: [
          ["quantity", transaction.amount],
          ["assetId", transaction.asset],
        ],
      };
    case TransactionType.Exchange: {
      const { order1, order2, amount, price, buyMatcherFee, sellMatcherFee } = transaction;
      const [buy, sell] = order1.side === "buy" ? [order1, order2] : [order2, order1];
      return {
        name: "ExchangeTransaction",
        fields: [
          ["buyOrder", orderObject(buy, shape)],
          ["sellOrder", orderObject(sell, shape)],
          ["amount", amount],
          ["price", price],
          ["buyMatcherFee", buyMatcherFee],
          ["sellMatcherFee", sellMatcherFee],
        ],
      };
    }
    case TransactionType.Lease: {
      const { amount, recipient } = transaction;
      return {
        name: "LeaseTransaction",
        fields: [
          ["amount", amount],
          ["recipient", recipientObject(recipient)],
        ],
      };
    }
    case TransactionType.LeaseCancel:
      return { name: "LeaseCancelTransaction", fields: [["leaseId", transaction.leaseId]] };
    case TransactionType.CreateAlias:
      return { name: "CreateAliasTransaction", fields: [["alias", new Text(transaction.alias.name)]] };
    case TransactionType.MassTransfer: {
      const { asset, transfers, attachment } = transaction;
      const items = transfers.map(({ recipient, amount }) =>
        objectOf("Transfer", [
          ["recipient", recipientObject(recipient)],
          ["amount", amount],
        ]),
      );
      return {
        name: "MassTransferTransaction",
        fields: [
          ["transfers", new List(items)],
          ["assetId", asset ?? unit],
          ["transferCount", BigInt(items.length)],
          [
            "totalAmount",
            BigInt.asIntN(
              64,
              transfers.reduce((total, { amount }) => total + amount, 0n),
            ),
          ],
          ["attachment", attachment],
        ],
      };
    }
    case TransactionType.Data: {
      const entries = transaction.data.map((entry) => entryObject(entry, shape));
      return { name: "DataTransaction", fields: [["data", new List(entries)]] };
    }
    case TransactionType.SetScript:
      return { name: "SetScriptTransaction", fields: [["script", scriptValue(transaction.script, shape)]] };
    case TransactionType.SponsorFee: {
      const { asset, minSponsoredAssetFee } = transaction;
      return {
        name: "SponsorFeeTransaction",
        fields: [
          ["assetId", asset],
          ["minSponsoredAssetFee", minSponsoredAssetFee ?? unit],
        ],
      };
    }
    case TransactionType.SetAssetScript: {
      const { script, asset } = transaction;
      return {
        name: "SetAssetScriptTransaction",
        fields: [
          ["script", scriptValue(script, shape)],
          ["assetId", asset],
        ],
      };
    }
    case TransactionType.UpdateAssetInfo: {
      const { asset, name, description } = transaction;
      return {
        name: "UpdateAssetInfoTransaction",
        fields: [
          ["assetId", asset],
          ["name", new Text(name)],
          ["description", new Text(description)],
        ],
      };
    }
    case TransactionType.CommitToGeneration: {
      const { generationPeriodStart, endorserPublicKey, commitmentSignature } = transaction;
      return {
        name: "CommitToGenerationTransaction",
        fields: [
          ["generationPeriodStart", BigInt(generationPeriodStart)],
          ["endorserPublicKey", endorserPublicKey],
          ["commitmentSignature", commitmentSignature],
        ],
      };
    }
  }
}

/** Before feature 18 scripts do not see scripts that are longer than a data entry. */
function scriptValue(script: Uint8Array | null, { hasFixedScriptField }: EntityShape): Value {
  return script === null || (script.length > MAX_VALUE_BYTES && !hasFixedScriptField) ? unit : script;
}

const entryTypes = { integer: "IntegerEntry", boolean: "BooleanEntry", binary: "BinaryEntry", string: "StringEntry" };

function entryObject({ key, value }: DataEntry, { libraryVersion }: EntityShape): Structure {
  if (value === null) return objectOf("DeleteEntry", [["key", new Text(key)]]);
  const type = libraryVersion >= textsSince ? entryTypes[value.type] : "DataEntry";
  return objectOf(type, [
    ["key", new Text(key)],
    ["value", value.type === "string" ? new Text(value.value) : value.value],
  ]);
}
