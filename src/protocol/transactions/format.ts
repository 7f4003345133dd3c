/** How one type of transaction is described: the row of the table in `table.ts`. */
import type { Codec } from "../codec/codec.ts";
import type { MessageType } from "../codec/protobuf.ts";
import type { JsonObject } from "../json.ts";
import type { Asset } from "./asset.ts";
import type { JsonRead } from "./json-reader.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";
import type { WrittenScript } from "./transaction-source.ts";
import type { TransactionType } from "./transaction-type.ts";
import type { TypeFacts } from "./type-facts.ts";

/** Fields without what is common to all and written once for all: type, version, proofs. */
export type OwnFields<T extends Transaction> = Omit<TransactionFields<T>, "type" | "version" | "proofs">;

/**
 * Bytes of a version that has a legacy binary form: the prefix, then the body (which is what the proofs sign) and the
 * proofs in the given order. "signature": 64 bytes, the only proof.
 */
export interface LegacyForm<T extends Transaction> {
  readonly prefix: readonly number[];
  readonly order: "body" | "body, signature" | "signature, body" | "body, proofs";
  /** Fields that the body leaves out, but for chain id and fee asset, are in `absent`. */
  readonly body: Codec<Partial<OwnFields<T>>>;
  /** What is stored, where it is not what is signed. */
  readonly storedBody?: Codec<Partial<OwnFields<T>>>;
  readonly absent?: Partial<OwnFields<T>>;
}

/** The data message of a type. `fields` throws WireError. */
export interface DataForm<T extends Transaction> {
  /** Field number in the message Transaction. */
  readonly number: number;
  readonly message: MessageType<unknown>;
  readonly fields: (data: unknown, context: DataContext) => DataFields<T>;
  readonly data: (tx: T | TransactionFields<T>) => unknown;
}
export interface DataContext {
  /** Of the transaction. */
  readonly chainId: number;
  /** Of the network. */
  readonly networkChainId: number;
  readonly version: number;
}
/** What the data message tells: all but what the message around it tells. */
export type DataFields<T extends Transaction> = Omit<
  OwnFields<T>,
  "sender" | "chainId" | "fee" | "feeAsset" | "timestamp"
>;

/** Makes a data form out of functions that know the type of the message. */
export function dataForm<T extends Transaction, Message>(form: {
  number: number;
  message: MessageType<Message>;
  fields: (data: Message, context: DataContext) => DataFields<T>;
  data: (tx: T | TransactionFields<T>) => Message;
}): DataForm<T> {
  return form as DataForm<T>;
}

/** How the JSON of requests is read. */
export interface JsonForm<T extends Transaction> {
  /**
   * Which members beside its own a request must have. "lenient" (types 3 to 10): the key and the timestamp are missed
   * only later, and a signature may stand for the proofs. "strict": key, fee, timestamp and proofs are needed. "keyed"
   * (type 19): the key alone is; whoever leaves the fee out pays the smallest.
   */
  readonly style: "lenient" | "strict" | "keyed";
  readonly defaultVersion: number | "required";
  /** Whether a request may leave the fee out (it is 0 then, and refused later). */
  readonly feeOptional?: true;
  /** The type's own members, all complaints gathered, and the fields that follow from them. Throws FormatError. */
  readonly own: JsonRead<(context: JsonContext) => JsonFields<T>>;
  /** How requests that nobody has signed yet are read, where it is otherwise. */
  readonly unsigned?: UnsignedForm<T>;
}
/** The same in requests to sign, to calculate a fee and to serialize. */
export interface UnsignedForm<T extends Transaction> {
  readonly own: JsonRead<(context: JsonContext) => JsonFields<T>>;
  /** Of a strict type: the sender is missed only after all complaints. */
  readonly senderOptional?: true;
}
export interface JsonContext {
  readonly chainId: number;
  readonly version: number;
  /** The version as refusals of the whole type name it: 1 where the request says none. */
  readonly statedVersion: number;
  readonly writtenScript: WrittenScript;
}
export type JsonFields<T extends Transaction> = DataFields<T> & {
  readonly chainId?: number;
  readonly feeAsset?: Asset;
};

export interface TransactionFormat<T extends Transaction> extends TypeFacts<T> {
  readonly legacy: Readonly<Record<number, LegacyForm<T>>>;
  /** The chain of a legacy form that does not write it but tells it, by its recipient. */
  readonly chainIdOf?: (fields: Partial<OwnFields<T>>) => number | undefined;
  /** Fields that follow from the others. */
  readonly derived?: (fields: TransactionFields<T>) => Partial<OwnFields<T>>;
  /** The id where it is not the hash of the body. */
  readonly id?: (tx: TransactionFields<T>, body: Uint8Array) => Uint8Array;
  readonly data: DataForm<T> | undefined;
  /** The chain id is printed last in this version, which has it in its legacy form. */
  readonly chainIdLastInVersion?: number;
  /** Members after the common ones, in the order of the reference. */
  readonly json: (tx: T) => JsonObject;
  readonly request: JsonForm<T> | undefined;
  /** Refuses values that no state makes valid, in the reference's order. Throws FormatError. */
  readonly check: (tx: TransactionFields<T>) => void;
}

/** One format for each type. */
export type FormatTable = {
  readonly [Type in TransactionType]: TransactionFormat<Extract<Transaction, { type: Type }>>;
};
