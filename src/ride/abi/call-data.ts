/**
 * Call data of Ethereum wallets: arguments and payments of a call.
 * @source Ethereum contract ABI; Waves: transaction/EthABIConverter.scala (decodeArgs)
 */

import { I64_MAX, I64_MIN } from "../../protocol/codec/i64.ts";
import { utf8SizeBytes, utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { CallArgument, Payment } from "../../protocol/transactions/transaction.ts";
import { MAX_LIST_LENGTH, MAX_VALUE_BYTES } from "../values/value.ts";
import {
  type AbiArgument,
  type AbiPrimitive,
  type CallableAbi,
  findSignatureError,
  SELECTOR_BYTES,
} from "./callable-abi.ts";

/** Call data that the reference's library cannot read. Responses contain the message. */
export class CallDataError extends Error {
  override readonly name = "CallDataError";
}

/** Readable call data with a value that scripts cannot have. */
export class CallValueError extends Error {
  override readonly name = "CallValueError";
}

export interface DecodedCall {
  readonly args: readonly CallArgument[];
  readonly payments: readonly Payment[];
  /** Size of arguments and payments without gaps; the data may be longer. */
  readonly canonicalBytes: number;
}

const WORD = 32;

function paddedBytes(sizeBytes: number): number {
  return Math.ceil(sizeBytes / WORD) * WORD;
}

/** @throws CallDataError, CallValueError */
export function decodeCallData(abi: CallableAbi, data: Uint8Array): DecodedCall {
  const error = findSignatureError(abi);
  if (error !== undefined) throw new CallDataError(error);
  const { args } = abi;
  const reader = new WordReader(data.subarray(SELECTOR_BYTES));
  const decoded = args.map((argument, index) => reader.argument(argument, index * WORD));
  const payments = reader.payments(args.length * WORD);
  reader.finish();
  return { args: decoded, payments, canonicalBytes: reader.canonicalBytes };
}

class WordReader {
  readonly #data: Uint8Array;
  /** Size of the words and padded contents read so far. */
  canonicalBytes = 0;
  /** Offset after the last read. */
  #end = 0;
  /** Error of the first value that scripts cannot have: it is thrown after everything was read. */
  #valueError: string | undefined;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  /** Checks that the last read is at the end of the data. @throws CallDataError, CallValueError */
  finish(): void {
    const remaining = this.#data.length - this.#end;
    if (remaining !== 0) throw new CallDataError(`unconsumed bytes: ${remaining} remaining`);
    if (this.#valueError !== undefined) throw new CallValueError(this.#valueError);
  }

  argument({ type, isList }: AbiArgument, head: number): CallArgument {
    if (!isList) return this.#value(type, head, 0);
    const start = this.#offset(head, 0);
    const items = this.#items(start, (from, index) => this.#value(type, from + index * WORD, from));
    return { type: "list", value: items };
  }

  payments(head: number): readonly Payment[] {
    const start = this.#offset(head, 0);
    const size = 2 * WORD;
    return this.#items(start, (from, index) => {
      const assetId = this.#word(from + index * size);
      const amount = this.#integer(from + index * size + WORD);
      return { amount, asset: assetId.every((byte) => byte === 0) ? null : (assetId.slice() as AssetId) };
    });
  }

  #items<Item>(start: number, read: (from: number, index: number) => Item): readonly Item[] {
    const count = this.#length(start);
    // Every item takes at least one word.
    if (count > this.#data.length / WORD)
      throw new CallDataError(`list of ${count} items in ${this.#data.length} bytes`);
    const from = start + WORD;
    const items = Array.from({ length: count }, (_, index) => read(from, index));
    if (count > MAX_LIST_LENGTH) this.#valueError ??= `List size should not exceed ${MAX_LIST_LENGTH}`;
    return items;
  }

  /** @param base start of offsets */
  #value(type: AbiPrimitive, at: number, base: number): CallArgument {
    switch (type) {
      case "int64":
        return { type: "integer", value: this.#integer(at) };
      case "bool":
        return { type: "boolean", value: this.#boolean(at) };
      case "bytes": {
        const value = this.#bytes(this.#offset(at, base)).slice();
        this.canonicalBytes += paddedBytes(value.length);
        if (value.length > MAX_VALUE_BYTES)
          this.#valueError ??= `ByteStr size=${value.length} exceeds ${MAX_VALUE_BYTES} bytes`;
        return { type: "binary", value };
      }
      case "string": {
        const value = utf8TextWithReplacements(this.#bytes(this.#offset(at, base)));
        const sizeBytes = utf8SizeBytes(value);
        // The size of the reference's own encoding, with replacements for malformed UTF-8.
        this.canonicalBytes += paddedBytes(sizeBytes);
        if (sizeBytes > MAX_VALUE_BYTES)
          this.#valueError ??= `String size=${sizeBytes} exceeds ${MAX_VALUE_BYTES} bytes`;
        return { type: "string", value };
      }
    }
  }

  #word(at: number): Uint8Array {
    if (at + WORD > this.#data.length) throw new CallDataError("call data are too short");
    this.canonicalBytes += WORD;
    this.#end = at + WORD;
    return this.#data.subarray(at, at + WORD);
  }

  #bigInt(at: number): bigint {
    let value = 0n;
    for (const byte of this.#word(at)) value = (value << 8n) | BigInt(byte);
    return value;
  }

  #integer(at: number): bigint {
    const value = BigInt.asIntN(256, this.#bigInt(at));
    if (value < I64_MIN || value > I64_MAX) throw new CallDataError(`${value} is no 64-bit integer`);
    return value;
  }

  #boolean(at: number): boolean {
    const value = this.#bigInt(at);
    if (value > 1n) throw new CallDataError(`${value} is no boolean`);
    return value === 1n;
  }

  #offset(at: number, base: number): number {
    return base + this.#length(at);
  }

  #length(at: number): number {
    const value = this.#bigInt(at);
    if (value > BigInt(this.#data.length)) throw new CallDataError(`${value} is beyond the call data`);
    return Number(value);
  }

  #bytes(start: number): Uint8Array {
    const length = this.#length(start);
    const from = start + WORD;
    const padded = paddedBytes(length);
    if (from + padded > this.#data.length) throw new CallDataError("call data are too short");
    if (this.#data.subarray(from + length, from + padded).some((byte) => byte !== 0)) {
      throw new CallDataError("malformed array: non-zero padding byte");
    }
    this.#end = from + padded;
    return this.#data.subarray(from, from + length);
  }
}
