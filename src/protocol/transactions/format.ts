/** Format of one transaction type: its entry in `table.ts`. */
import type { Codec } from "../codec/codec.ts";
import type { MessageType } from "../codec/protobuf.ts";
import type { JsonObject } from "../json.ts";
import type { Asset } from "./asset.ts";
import type { JsonRead } from "./json-reader.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";
import type { WrittenScript } from "./transaction-source.ts";
import type { TransactionType } from "./transaction-type.ts";
import type { TransactionTypeInfo } from "./transaction-type-info.ts";

/** Fields of a type, without those that all types share and encode the same way: type, version, proofs. */
export type OwnFields<T extends Transaction> = Omit<TransactionFields<T>, "type" | "version" | "proofs">;

/**
 * Bytes of a version with a legacy binary form: the prefix, then the body (which the proofs sign) and the proofs in the
 * given order. "signature": 64 bytes, the only proof.
 */
export interface LegacyForm<T extends Transaction> {
  readonly prefix: readonly number[];
  readonly order: "body" | "body, signature" | "signature, body" | "body, proofs";
  /** Body. The fields that it does not contain, except chain id and fee asset, are in `absent`. */
  readonly body: Codec<Partial<OwnFields<T>>>;
  /** Stored body, if it differs from the signed one. */
  readonly storedBody?: Codec<Partial<OwnFields<T>>>;
  readonly absent?: Partial<OwnFields<T>>;
}

/** Data message of a type. `fields` throws WireError. */
export interface DataForm<T extends Transaction> {
  /** Field number in the message Transaction. */
  readonly number: number;
  readonly message: MessageType<unknown>;
  readonly fields: (data: unknown, context: DataContext) => DataFields<T>;
  readonly data: (tx: T | TransactionFields<T>) => unknown;
}
export interface DataContext {
  /** Chain id of the transaction. */
  readonly chainId: number;
  /** Chain id of the network. */
  readonly networkChainId: number;
  readonly version: number;
}
/** Fields of the data message: all except those of the message around it. */
export type DataFields<T extends Transaction> = Omit<
  OwnFields<T>,
  "sender" | "chainId" | "fee" | "feeAsset" | "timestamp"
>;

/** Creates a data form from functions that are typed by the message. */
export function dataForm<T extends Transaction, Message>(form: {
  number: number;
  message: MessageType<Message>;
  fields: (data: Message, context: DataContext) => DataFields<T>;
  data: (tx: T | TransactionFields<T>) => Message;
}): DataForm<T> {
  return form as DataForm<T>;
}

/** JSON form of requests. */
export interface JsonForm<T extends Transaction> {
  /**
   * Required members in addition to the type's own. "lenient" (types 3 to 10): a missing key or timestamp is reported
   * only later, and a signature may replace the proofs. "strict": key, fee, timestamp and proofs are required. "keyed"
   * (type 19): only the key is required; the fee defaults to the minimum.
   */
  readonly style: "lenient" | "strict" | "keyed";
  readonly defaultVersion: number | "required";
  /** Whether the fee is optional (it defaults to 0, and is refused later). */
  readonly feeOptional?: true;
  /** Parses the type's own members, collects all complaints, and returns the fields. Throws FormatError. */
  readonly own: JsonRead<(context: JsonContext) => JsonFields<T>>;
  /** Different form of unsigned requests, if any. */
  readonly unsigned?: UnsignedForm<T>;
}
/** JSON form of requests to sign, to calculate a fee and to serialize. */
export interface UnsignedForm<T extends Transaction> {
  readonly own: JsonRead<(context: JsonContext) => JsonFields<T>>;
  /** For a strict type: a missing sender is reported only after all complaints. */
  readonly senderOptional?: true;
}
export interface JsonContext {
  readonly chainId: number;
  readonly version: number;
  /** Version for errors about the type; 1 if the request has none. */
  readonly statedVersion: number;
  readonly writtenScript: WrittenScript;
}
export type JsonFields<T extends Transaction> = DataFields<T> & {
  readonly chainId?: number;
  readonly feeAsset?: Asset;
};

export interface TransactionFormat<T extends Transaction> extends TransactionTypeInfo<T> {
  readonly legacy: Readonly<Record<number, LegacyForm<T>>>;
  /** Chain id of a legacy form that does not write it, from its recipient. */
  readonly chainIdOf?: (fields: Partial<OwnFields<T>>) => number | undefined;
  /** Fields derived from the others. */
  readonly derived?: (fields: TransactionFields<T>) => Partial<OwnFields<T>>;
  /** Id, if it is not the hash of the body. */
  readonly id?: (tx: TransactionFields<T>, body: Uint8Array) => Uint8Array;
  readonly data: DataForm<T> | undefined;
  /** Version that prints the chain id last, because its legacy form has it. */
  readonly chainIdLastInVersion?: number;
  /** Members after the common ones, in the order of the reference. */
  readonly json: (tx: T) => JsonObject;
  readonly request: JsonForm<T> | undefined;
  /** Validates the values independent of the state, in the reference's order. Throws FormatError. */
  readonly check: (tx: TransactionFields<T>) => void;
}

/** One format for each type. */
export type FormatTable = {
  readonly [Type in TransactionType]: TransactionFormat<Extract<Transaction, { type: Type }>>;
};
