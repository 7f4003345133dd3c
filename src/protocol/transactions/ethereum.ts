/**
 * Type 18: a transaction of an Ethereum wallet. Its gas limit is the fee, its nonce the timestamp, and its call data
 * tell whether it is a transfer of the native token, a transfer of an asset, or a call of a script.
 * @source Waves: transaction/EthereumTransaction.scala; EIP-155
 */

import { addressOfPublicKeyHash, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { i64Bytes } from "../../crypto/bytes.ts";
import { addressOfEthereumKey, recoverEthereumKey } from "../../crypto/ethereum-key.ts";
import { keccak256 } from "../../crypto/hash.ts";
import { hexText } from "../../crypto/hex.ts";
import type { Address } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../codec/i64.ts";
import { encodeMessage, message, scalar } from "../codec/protobuf.ts";
import { checkFee, checkPositive } from "./checks.ts";
import { ethereumParts, withoutLeadingZeros } from "./ethereum-parts.ts";
import type { TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-faults.ts";
import { refuseField } from "./message-fields.ts";
import { encodeRlpList, parseRlpInteger, rlpInteger } from "./rlp.ts";
import type { EthereumTransaction, TransactionId } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** 10 gwei: every Ethereum transaction names this price of gas. */
export const gasPriceWei = 10_000_000_000n;
/** Units of 10^-18 in a wavelet. */
export const weiPerWavelet = 10_000_000_000n;
const ethereumAddressBytes = 20;
/** keccak256("transfer(address,uint256)"), first 4 bytes. */
const transferSelector = 0xa9059cbb;
const selectorBytes = 4;
const wordBytes = 32;
const longBytes = 8;

/** `waves.SignedTransaction` with what an Ethereum transaction uses of it. */
const signedEthereum = message("SignedTransaction", { ethereumTransaction: scalar(3, "bytes") });

/** What an Ethereum transaction does. */
export type EthereumPayload =
  | {
      readonly kind: "transfer";
      /** First 20 bytes of the asset's id; null is the native token. */
      readonly token: Uint8Array | null;
      readonly amount: bigint;
      readonly recipient: Address;
    }
  | { readonly kind: "invocation"; readonly dApp: Address; readonly data: Uint8Array };

/**
 * Reads the RLP bytes of a signed transaction, and keeps their shortest form. Its chain may be another than the network's:
 * it is refused when applied.
 * @param networkChainId of transactions whose signature names no chain; these are refused
 * @throws WireError, FormatError
 * Cost: a millisecond, to recover the sender's key.
 */
export function parseEthereumTransaction(bytes: Uint8Array, networkChainId: number): EthereumTransaction {
  const [nonce, gasPrice, gasLimit, to, value, data, v, r, s] = ethereumParts(bytes);
  const signature = { v: withoutLeadingZeros(v), r: withoutLeadingZeros(r), s: withoutLeadingZeros(s) };
  // The reference takes 64 bits of it. What they miss says that it is large.
  const vLong = BigInt.asIntN(64, parseRlpInteger(signature.v.subarray(-longBytes)));
  const isProtected = signature.v.length > longBytes || BigInt.asUintN(64, vLong) > 28n;
  const namesNoChain = vLong === 27n || vLong === 28n;
  const chainId = namesNoChain ? networkChainId : Number((BigInt.asIntN(64, vLong - 35n) / 2n) & 0xffn);
  if (to.length !== ethereumAddressBytes) refuseField("ethereum.to", `20 bytes expected, got ${to.length}`);

  check(isProtected, () => ({ code: "malformed", message: "Legacy transactions are not supported" }));
  const content = {
    chainId,
    fee: longOf("gasLimit", gasLimit),
    timestamp: longOf("nonce", nonce),
    to,
    value: integerOf("value", value),
    data,
  };
  checkContent(content, integerOf("gasPrice", gasPrice));

  const signedChainId = BigInt.asIntN(8, BigInt(chainId));
  const written = [
    rlpInteger(content.timestamp),
    rlpInteger(gasPriceWei),
    rlpInteger(content.fee),
    to,
    rlpInteger(content.value),
    data,
  ];
  const bodyBytes = encodeRlpList([...written, withoutLeadingZeros(i64Bytes(signedChainId)), noBytes, noBytes]);
  const recovery = Number(BigInt.asIntN(32, vLong - signedChainId * 2n - 35n));
  const numbers = { r: integerOf("r", signature.r), s: integerOf("s", signature.s), recovery };
  const senderKey = recoverEthereumKey(keccak256(bodyBytes), numbers);
  if (senderKey === undefined) throw malformed("no key can have made the signature");
  const ethereumBytes = encodeRlpList([...written, signature.v, signature.r, signature.s]);
  return {
    type: TransactionType.Ethereum,
    version: 1,
    ...content,
    feeAsset: null,
    senderKey,
    sender: addressOfEthereumKey(senderKey, chainId),
    id: keccak256(ethereumBytes) as Uint8Array as TransactionId,
    bodyBytes,
    bytes: encodeMessage(signedEthereum, { ethereumTransaction: ethereumBytes }),
    ethereumBytes,
  };
}

type Content = Pick<EthereumTransaction, "chainId" | "fee" | "to" | "value" | "data">;

/** What the call data mean. @throws FormatError malformed: a transfer whose data are too short or whose amount is too large */
export function ethereumPayload({ chainId, to, value, data }: Omit<Content, "fee">): EthereumPayload {
  if (data.length === 0) {
    const amount = value / weiPerWavelet;
    return { kind: "transfer", token: null, amount, recipient: addressOfPublicKeyHash(to, chainId) };
  }
  const isTransfer =
    data.length >= selectorBytes && new DataView(data.buffer, data.byteOffset).getUint32(0) === transferSelector;
  if (!isTransfer) return { kind: "invocation", dApp: addressOfPublicKeyHash(to, chainId), data };
  const recipientEnd = selectorBytes + wordBytes;
  if (data.length < recipientEnd + wordBytes) throw malformed("Invalid asset data size for Ethereum Transfer");
  const recipient = data.slice(recipientEnd - ethereumAddressBytes, recipientEnd);
  let amount = 0n;
  for (const byte of data.subarray(recipientEnd, recipientEnd + wordBytes)) amount = (amount << 8n) | BigInt(byte);
  if (amount > I64_MAX) throw malformed("BigInteger out of long range");
  return { kind: "transfer", token: to, amount, recipient: addressOfPublicKeyHash(recipient, chainId) };
}

function checkContent(content: Content, gasPrice: bigint): void {
  const { fee, value, data } = content;
  checkFee(fee);
  must(value / weiPerWavelet <= I64_MAX, "BigInteger out of long range");
  must(gasPrice === gasPriceWei, "Gas price must be 10 Gwei");
  must(value !== 0n || data.length > 0, "Transaction cancellation is not supported");
  must(data.length === 0 || value === 0n, "Transaction should have either data or value");
  const payload = ethereumPayload(content);
  if (payload.kind === "transfer") {
    checkPositive(payload.amount, payload.token === null ? "waves" : hexText(payload.token));
  }
}

const noBytes = new Uint8Array(0);

function must(condition: boolean, message: string): void {
  if (!condition) throw malformed(message);
}

function integerOf(field: string, bytes: Uint8Array): bigint {
  const digits = withoutLeadingZeros(bytes);
  if (digits.length > wordBytes) refuseField(`ethereum.${field}`, `an integer of more than ${wordBytes} bytes`);
  return parseRlpInteger(digits);
}

function longOf(field: string, bytes: Uint8Array): bigint {
  const value = integerOf(field, bytes);
  if (value > I64_MAX) throw malformed(`BigInteger out of long range: ${field}`);
  return value;
}

export const ethereum: TransactionFormat<EthereumTransaction> = {
  type: TransactionType.Ethereum,
  name: "EthereumTransaction",
  signer: "ethereumWallet",
  hasVersions: false,
  maxVersion: 1,
  protobufSince: 1,
  feature: Feature.RideV6,
  feeUnits: 1,
  callsDApps: true,
  legacy: {},
  data: undefined,
  json: (tx) => ({
    bytes: hexText(tx.ethereumBytes),
    sender: addressText(tx.sender),
    senderPublicKey: encodeBase58(tx.senderKey),
  }),
  request: undefined,
  check: (tx) => checkContent(tx, gasPriceWei),
};
