/**
 * Stored record of a call, in addition to the transaction: its result, and the parsed call data of an Ethereum wallet.
 * The form is that of `waves.InvokeScriptResult`, with two further fields.
 * @source waves/invoke_script_result.proto; Waves: state/InvokeScriptResult.scala (toPB, fromPB)
 */
import { publicKeyHashOf } from "../../crypto/address.ts";
import { concatBytes } from "../../crypto/bytes.ts";
import { decode, encode } from "../../protocol/codec/codec.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageOf,
  message,
  oneOf,
  optional,
  repeated,
  scalar,
} from "../../protocol/codec/protobuf.ts";
import { utf8Bytes } from "../../protocol/codec/utf8.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import { dataEntryMessage, dataEntryOf, messageOfDataEntry } from "../../protocol/transactions/data-entry.ts";
import { functionCall } from "../../protocol/transactions/function-call.ts";
import {
  addressOfBytes,
  amountMessage,
  amountOf,
  assetOfBytes,
  messageOfRecipient,
  recipientMessage,
  recipientOf,
} from "../../protocol/transactions/message-fields.ts";
import type { FunctionCall, Payment } from "../../protocol/transactions/transaction.ts";
import { MAX_PRINTED_LEVELS, tooDeepText } from "../values/printed-nesting.ts";
import { Text } from "../values/text.ts";
import { List, Structure, unit, type Value } from "../values/value.ts";
import type { CallResult, InvokedCall } from "./call-result.ts";

/** Parsed call data of an Ethereum wallet. */
export interface EthereumCall {
  readonly call: FunctionCall;
  readonly payments: readonly Payment[];
}

export interface CallRecord {
  /** Result of the call; empty if only the call is known. */
  readonly result: CallResult;
  readonly ethereumCall?: EthereumCall | undefined;
}

/** Argument of a call. Nested arguments are separate messages. */
const argumentType = message("Argument", {
  integer: oneOf("value", 1, "int64"),
  binary: oneOf("value", 2, "bytes"),
  text: oneOf("value", 3, "string"),
  boolean: oneOf("value", 4, "bool"),
  list: oneOf("value", 10, message("List", { items: repeated(1, "bytes") })),
  object: oneOf(
    "value",
    100,
    message("Object", {
      type: scalar(1, "string"),
      fields: repeated(2, message("Field", { name: scalar(1, "string"), value: scalar(2, "bytes") })),
    }),
  ),
});

const resultType = message("InvokeScriptResult", {
  data: repeated(1, dataEntryMessage),
  transfers: repeated(2, message("Payment", { address: scalar(1, "bytes"), amount: optional(2, amountMessage) })),
  issues: repeated(
    3,
    message("Issue", {
      assetId: scalar(1, "bytes"),
      name: scalar(2, "string"),
      description: scalar(3, "string"),
      quantity: scalar(4, "int64"),
      decimals: scalar(5, "int32"),
      isReissuable: scalar(6, "bool"),
      nonce: scalar(8, "int64"),
    }),
  ),
  reissues: repeated(
    4,
    message("Reissue", { assetId: scalar(1, "bytes"), quantity: scalar(2, "int64"), isReissuable: scalar(3, "bool") }),
  ),
  burns: repeated(5, message("Burn", { assetId: scalar(1, "bytes"), quantity: scalar(2, "int64") })),
  error: optional(6, message("ErrorMessage", { code: scalar(1, "int32"), text: scalar(2, "string") })),
  sponsorFees: repeated(7, message("SponsorFee", { minFee: optional(1, amountMessage) })),
  leases: repeated(
    8,
    message("Lease", {
      recipient: optional(1, recipientMessage),
      amount: scalar(2, "int64"),
      nonce: scalar(3, "int64"),
      leaseId: scalar(4, "bytes"),
    }),
  ),
  leaseCancels: repeated(9, message("LeaseCancel", { leaseId: scalar(1, "bytes") })),
  invokes: repeated(
    10,
    message("Invocation", {
      dApp: scalar(1, "bytes"),
      call: optional(2, message("Call", { function: scalar(1, "string"), args: repeated(3, "bytes") })),
      payments: repeated(3, amountMessage),
      result: scalar(4, "bytes"),
    }),
  ),
  ethereumCall: scalar(100, "bytes"),
  ethereumPayments: repeated(101, amountMessage),
});
type ResultMessage = MessageOf<typeof resultType>;

export function encodeCallRecord({ result, ethereumCall }: CallRecord): Uint8Array {
  return encodeMessage(resultType, {
    ...messageOfResult(result),
    ethereumCall: ethereumCall === undefined ? noBytes : encode(functionCall, ethereumCall.call),
    ethereumPayments: (ethereumCall?.payments ?? []).map(({ asset, amount }) => amountOf(asset, amount)),
  });
}

/** Placeholder for a record that is too large to store. Its single byte is no valid message. */
export const omittedCallRecord: Uint8Array = Uint8Array.of(0);

export function isOmittedCallRecord(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] === 0;
}

/** JSON record of a call in the live network of a fork, after a byte that begins no valid message. */
export function printedCallRecord(json: string): Uint8Array {
  return concatBytes(Uint8Array.of(1), utf8Bytes(json));
}

/** @returns JSON; undefined for any other record */
export function findPrintedRecord(bytes: Uint8Array): string | undefined {
  return bytes[0] === 1 ? new TextDecoder().decode(bytes.subarray(1)) : undefined;
}

/** @param bytes of a stored record @throws WireError */
export function parseCallRecord(bytes: Uint8Array, chainId: number): CallRecord {
  const wire = decodeMessage(resultType, bytes);
  const result = resultOf(wire, chainId);
  if (wire.ethereumCall.length === 0) return { result };
  const payments = wire.ethereumPayments.map(paymentOf);
  return { result, ethereumCall: { call: decode(functionCall, wire.ethereumCall), payments } };
}

const noBytes = new Uint8Array(0);

function messageOfResult(result: CallResult): ResultMessage {
  return {
    data: result.data.map(messageOfDataEntry),
    // The reference stores this part only: for an address of another chain it shows the one of its own chain with the
    // same key.
    transfers: result.transfers.map(({ address, asset, amount }) => ({
      address: publicKeyHashOf(address),
      amount: amountOf(asset, amount),
    })),
    issues: result.issues.map((issue) => ({ ...issue })),
    reissues: result.reissues.map((reissue) => ({ ...reissue })),
    burns: result.burns.map((burn) => ({ ...burn })),
    error: result.error && { ...result.error },
    sponsorFees: result.sponsorFees.map(({ assetId, minSponsoredAssetFee = 0n }) => ({
      minFee: { assetId, amount: minSponsoredAssetFee },
    })),
    leases: result.leases.map((lease) => ({ ...lease, recipient: messageOfRecipient(lease.recipient) })),
    leaseCancels: result.leaseCancels.map(({ leaseId }) => ({ leaseId })),
    invokes: result.invokes.map((invoke) => ({
      dApp: invoke.dApp,
      call: { function: invoke.function, args: invoke.args.map((argument) => encodeArgument(argument, 1)) },
      payments: invoke.payments.map(({ asset, amount }) => amountOf(asset, amount)),
      result: encodeMessage(resultType, messageOfResult(invoke.result)),
    })),
    ethereumCall: noBytes,
    ethereumPayments: [],
  };
}

function resultOf(wire: ResultMessage, chainId: number): CallResult {
  return {
    data: wire.data.map(dataEntryOf),
    transfers: wire.transfers.map(({ address, amount }) => ({
      address: addressOfBytes("transfers.address", address, chainId),
      asset: assetOf(amount?.assetId ?? noBytes),
      amount: amount?.amount ?? 0n,
    })),
    issues: wire.issues,
    reissues: wire.reissues,
    burns: wire.burns,
    sponsorFees: wire.sponsorFees.map(({ minFee }) => ({
      assetId: minFee?.assetId ?? noBytes,
      minSponsoredAssetFee: minFee === undefined || minFee.amount <= 0n ? undefined : minFee.amount,
    })),
    leases: wire.leases.map((lease) => ({
      ...lease,
      recipient: recipientOf("leases.recipient", lease.recipient, chainId),
    })),
    leaseCancels: wire.leaseCancels,
    invokes: wire.invokes.map(
      ({ dApp, call, payments, result }): InvokedCall => ({
        dApp: addressOfBytes("invokes.dApp", dApp, chainId),
        function: call?.function ?? "",
        args: (call?.args ?? []).map(decodeArgument),
        payments: payments.map(paymentOf),
        result: resultOf(decodeMessage(resultType, result), chainId),
      }),
    ),
    error: wire.error,
  };
}

function paymentOf({ assetId, amount }: { readonly assetId: Uint8Array; readonly amount: bigint }): Payment {
  return { asset: assetOf(assetId), amount };
}

/** Asset of an id. Before feature 16 ids of assets were not checked. */
function assetOf(id: Uint8Array): Asset {
  return id.length === 32 ? assetOfBytes("assetId", id) : id.length === 0 ? null : (id as Asset);
}

const empty = {
  integer: undefined,
  binary: undefined,
  text: undefined,
  boolean: undefined,
  list: undefined,
  object: undefined,
};

/** @param level nesting of the value in the argument, from 1 */
function encodeArgument(value: Value, level: number): Uint8Array {
  const visible = level > MAX_PRINTED_LEVELS ? tooDeepText : value;
  return encodeMessage(argumentType, { ...empty, ...argumentOf(visible, level) });
}

function argumentOf(value: Value, level: number): Partial<MessageOf<typeof argumentType>> {
  if (typeof value === "bigint") return { integer: value };
  if (typeof value === "boolean") return { boolean: value };
  if (value instanceof Uint8Array) return { binary: value };
  if (value instanceof Text) return { text: value.text };
  if (value instanceof List) return { list: { items: value.items.map((item) => encodeArgument(item, level + 1)) } };
  // A BigInt has no place in the reference's form, and is parsed as unit.
  const { type, fields } = value instanceof Structure ? value : unit;
  return {
    object: { type, fields: [...fields].map(([name, field]) => ({ name, value: encodeArgument(field, level + 1) })) },
  };
}

function decodeArgument(bytes: Uint8Array): Value {
  const { integer, binary, text, boolean, list, object } = decodeMessage(argumentType, bytes);
  if (list !== undefined) return new List(list.items.map(decodeArgument));
  if (object !== undefined) {
    return new Structure(
      object.type,
      new Map(object.fields.map(({ name, value }) => [name, decodeArgument(value)] as const)),
    );
  }
  return integer ?? binary ?? boolean ?? (text === undefined ? unit : new Text(text));
}
