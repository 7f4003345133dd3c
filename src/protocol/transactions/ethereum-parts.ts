/**
 * Fields of an Ethereum transaction's bytes, read as leniently as by the reference's library.
 * @source web3j: org.web3j.crypto.TransactionDecoder (decodeLegacyTransaction)
 */
import { refuseField } from "./message-fields.ts";
import { decodeRlp } from "./rlp.ts";

const partCount = 9;
/** Size of the last field in private transactions of some networks, which replaces the signature's last number. */
const privacyBytes = 10;

type Bytes = Uint8Array;
/** nonce, gas price, gas limit, to, value, data, and the signature's v, r and s. */
export type EthereumParts = readonly [Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes];

/**
 * The first fields of the first list; further ones are ignored.
 * @param isRecord true for bytes written by this node: they may have the form of a private transaction, which is
 *   refused from clients and peers. The shortest form of a longer encoding can look like one
 * @throws WireError
 */
export function ethereumParts(bytes: Uint8Array, { isRecord }: { readonly isRecord: boolean }): EthereumParts {
  // Two of the later transaction types, which the reference reads and then refuses.
  if (bytes[0] === 1 || bytes[0] === 2) refuseField("ethereum", `a transaction of type ${bytes[0]}`);
  const [list] = decodeRlp(bytes);
  if (list === undefined || list instanceof Uint8Array) return refuseField("ethereum", "not a list");
  const parts = list.slice(0, partCount);
  if (!parts.every((part) => part instanceof Uint8Array)) return refuseField("ethereum", "a list in place of a part");
  if (parts.length < partCount) refuseField("ethereum", `${partCount} parts expected, got ${parts.length}`);
  if (!isRecord && list.length === partCount && parts[partCount - 1]?.length === privacyBytes)
    refuseField("ethereum", "a private transaction");
  return parts as unknown as EthereumParts;
}

/** Removes leading zeros, but keeps at least one byte. */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
}
