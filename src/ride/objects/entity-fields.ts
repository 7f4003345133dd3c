/**
 * Fields of all transactions in scripts: header, sender, body and proofs.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (headerPart, provenTxPart, proofsPart)
 */
import { NativeFailure } from "../execution-error.ts";
import { List, MAX_DATA_BYTES, type Value } from "../values/value.ts";
import { addressObject } from "./recipients.ts";

const visibleProofs = 8;
const unlimitedBodySince = 4;

export interface EntityHeader {
  readonly id: Uint8Array;
  readonly fee: bigint;
  /** Milliseconds. */
  readonly timestamp: bigint;
  /** 0 for entities without a version: Ethereum transactions, actions of scripts. */
  readonly version: number;
}

export interface Entity extends EntityHeader {
  readonly sender: Uint8Array;
  readonly senderPublicKey: Uint8Array;
  readonly bodyBytes: Uint8Array;
  readonly proofs: readonly Uint8Array[];
}

/** Form of entities in a script. */
export interface EntityShape {
  readonly libraryVersion: number;
  /** Whether the script sees proofs: account scripts do, asset scripts do not. */
  readonly hasProofs: boolean;
  /** Feature 18: whether scripts in fields may be longer than a data entry. */
  readonly hasFixedScriptField: boolean;
}

export function headerFields({ id, fee, timestamp, version }: EntityHeader): readonly [string, Value][] {
  return [
    ["id", id],
    ["fee", fee],
    ["timestamp", timestamp],
    ["version", BigInt(version)],
  ];
}

/** @throws NativeFailure the body is too long for the version */
export function entityFields(entity: Entity, { libraryVersion, hasProofs }: EntityShape): readonly [string, Value][] {
  const { sender, senderPublicKey, bodyBytes, proofs } = entity;
  if (libraryVersion < unlimitedBodySince && bodyBytes.length > MAX_DATA_BYTES) {
    const message = `ByteStr size=${bodyBytes.length} exceeds ${MAX_DATA_BYTES} bytes`;
    throw new NativeFailure("java.lang.RuntimeException", message);
  }
  return [
    ["sender", addressObject(sender)],
    ["senderPublicKey", senderPublicKey],
    ["bodyBytes", bodyBytes],
    ...headerFields(entity),
    ...(hasProofs ? [["proofs", proofList(proofs)] satisfies [string, Value]] : []),
  ];
}

const noProof = new Uint8Array(0);

/** List of at least eight proofs: missing ones are empty. */
export function proofList(proofs: readonly Uint8Array[]): List {
  return new List([...proofs, ...new Array<Uint8Array>(Math.max(visibleProofs - proofs.length, 0)).fill(noProof)]);
}
