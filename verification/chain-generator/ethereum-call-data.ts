/** Calls encoded as by Ethereum wallets. @source Ethereum contract ABI */
import { concatBytes } from "../../src/crypto/bytes.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import type { CallArgument, Payment } from "../../src/protocol/transactions/transaction.ts";
import type { CallableAbi } from "../../src/ride/abi/callable-abi.ts";

const wordBytes = 32;

/** An encoded value: a word in the head, or a tail that the head points to. */
type Encoded = { readonly word: Uint8Array } | { readonly tail: Uint8Array };

export function encodeCallData(
  { selector }: CallableAbi,
  { args, payments }: { readonly args: readonly CallArgument[]; readonly payments: readonly Payment[] },
): Uint8Array {
  const paid = payments.flatMap(({ asset, amount }) => [asset ?? new Uint8Array(wordBytes), word(amount)]);
  const paymentList = { tail: concatBytes(word(BigInt(payments.length)), ...paid) };
  return concatBytes(selector, encodeAll([...args.map(encodeArgument), paymentList]));
}

function encodeArgument(argument: CallArgument): Encoded {
  switch (argument.type) {
    case "integer":
      return { word: word(argument.value) };
    case "boolean":
      return { word: word(argument.value ? 1n : 0n) };
    case "binary":
      return { tail: sizedBytes(argument.value) };
    case "string":
      return { tail: sizedBytes(utf8Bytes(argument.value)) };
    case "list":
      return { tail: concatBytes(word(BigInt(argument.value.length)), encodeAll(argument.value.map(encodeArgument))) };
  }
}

/** Encodes the heads, then the tails. */
function encodeAll(values: readonly Encoded[]): Uint8Array {
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  let offset = values.length * wordBytes;
  for (const value of values) {
    if ("word" in value) {
      heads.push(value.word);
      continue;
    }
    heads.push(word(BigInt(offset)));
    tails.push(value.tail);
    offset += value.tail.length;
  }
  return concatBytes(...heads, ...tails);
}

function sizedBytes(bytes: Uint8Array): Uint8Array {
  const padding = (wordBytes - (bytes.length % wordBytes)) % wordBytes;
  return concatBytes(word(BigInt(bytes.length)), bytes, new Uint8Array(padding));
}

function word(value: bigint): Uint8Array {
  const hex = BigInt.asUintN(8 * wordBytes, value)
    .toString(16)
    .padStart(2 * wordBytes, "0");
  return new Uint8Array(Buffer.from(hex, "hex"));
}
