/**
 * The parts of an Ethereum transaction's bytes, read as loosely as the reference's library reads them.
 * @source web3j: org.web3j.crypto.TransactionDecoder (decodeLegacyTransaction)
 */
import { refuseField } from "./message-fields.ts";
import { decodeRlp } from "./rlp.ts";

const partCount = 9;
/** Size of what some networks' private transactions have in place of the signature's last number. */
const privacyBytes = 10;

type Bytes = Uint8Array;
/** nonce, price of gas, limit of gas, to, value, data, and the signature's v, r and s. */
export type EthereumParts = readonly [Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes, Bytes];

/**
 * The first parts of the first list; what stands behind them is not looked at.
 * @param isRecord bytes written by this node: the shortest form of what others sent in a longer one may be that of a private
 *   transaction, which nobody takes from outside
 * @throws WireError
 */
export function ethereumParts(bytes: Uint8Array, { isRecord }: { readonly isRecord: boolean }): EthereumParts {
  // Two of the later types of transactions, which the reference reads and then refuses.
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

/** The bytes of a number as they are written: at least one is left. */
export function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
}
