/**
 * Log entries of a dApp for a call that it made.
 * @source Waves: transaction/DiffToLogConverter.scala
 */
import type { DataEntry, Recipient } from "../../protocol/transactions/transaction.ts";
import { type LogEntry, STATE_CHANGES } from "../evaluator/evaluation-log.ts";
import { addressObject, recipientObject } from "../objects/recipients.ts";
import { Text } from "../values/text.ts";
import { List, Structure, unit, type Value } from "../values/value.ts";
import type { CallResult, InvokedCall } from "./call-result.ts";

/** @param availableComplexity limit of the call */
export function callLog(
  functionName: string,
  result: CallResult,
  complexity: number,
  availableComplexity: number,
): readonly LogEntry[] {
  return [
    { name: `${functionName}.${STATE_CHANGES}`, result: stateChangesObject(result) },
    { name: `${functionName}.@complexity`, result: BigInt(complexity) },
    { name: "@complexityLimit", result: BigInt(availableComplexity - complexity) },
  ];
}

function stateChangesObject(result: CallResult): Structure {
  return object("StateChanges", [
    ["data", new List(result.data.map(entryObject))],
    [
      "transfers",
      listOf("ScriptTransfer", result.transfers, ({ amount, address, asset }) => [
        ["amount", amount],
        ["recipient", addressObject(address)],
        ["asset", asset ?? unit],
      ]),
    ],
    [
      "issues",
      listOf("Issue", result.issues, (issue) => [
        ["id", issue.assetId],
        ["name", new Text(issue.name)],
        ["description", new Text(issue.description)],
        ["decimals", BigInt(issue.decimals)],
        ["isReissuable", issue.isReissuable],
        ["quantity", issue.quantity],
        ["nonce", issue.nonce],
      ]),
    ],
    [
      "reissues",
      listOf("Reissue", result.reissues, ({ assetId, isReissuable, quantity }) => [
        ["id", assetId],
        ["isReissuable", isReissuable],
        ["quantity", quantity],
      ]),
    ],
    [
      "burns",
      listOf("Burn", result.burns, ({ assetId, quantity }) => [
        ["id", assetId],
        ["quantity", quantity],
      ]),
    ],
    [
      "sponsorFees",
      listOf("SponsorFee", result.sponsorFees, ({ assetId, minSponsoredAssetFee: fee }) => [
        ["id", assetId],
        ...(fee === undefined ? [] : [["minSponsoredAssetFee", fee] as const]),
      ]),
    ],
    [
      "leases",
      listOf("Lease", result.leases, ({ recipient, amount, nonce, leaseId }) => [
        ["recipient", recipientObject(recipient as Recipient)],
        ["amount", amount],
        ["nonce", nonce],
        ["id", leaseId],
      ]),
    ],
    ["leaseCancels", listOf("LeaseCancel", result.leaseCancels, ({ leaseId }) => [["id", leaseId]])],
    ["invokes", new List(result.invokes.map(invokeObject))],
  ]);
}

const entryTypes = { integer: "IntegerEntry", boolean: "BooleanEntry", binary: "BinaryEntry", string: "StringEntry" };

function entryObject({ key, value }: DataEntry): Structure {
  if (value === null) return object("DeleteEntry", [["key", new Text(key)]]);
  return object(entryTypes[value.type], [
    ["key", new Text(key)],
    ["value", value.type === "string" ? new Text(value.value) : value.value],
  ]);
}

function invokeObject({ dApp, function: name, args, payments, result }: InvokedCall): Structure {
  return object("Invoke", [
    ["dApp", addressObject(dApp)],
    [
      "call",
      object("Call", [
        ["function", new Text(name)],
        ["args", new List(args)],
      ]),
    ],
    ["stateChanges", stateChangesObject(result)],
    [
      "payments",
      listOf("AttachedPayment", payments, ({ asset, amount }) => [
        ["assetId", asset ?? unit],
        ["amount", amount],
      ]),
    ],
  ]);
}

type Fields = readonly (readonly [string, Value])[];

function object(type: string, fields: Fields): Structure {
  return new Structure(type, new Map(fields));
}

function listOf<Item>(type: string, items: readonly Item[], fieldsOf: (item: Item) => Fields): List {
  return new List(items.map((item) => object(type, fieldsOf(item))));
}
