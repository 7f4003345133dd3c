/**
 * Type 18: a transaction of an Ethereum wallet. Its gas limit is the fee, its nonce the timestamp. Its call data
 * determine whether it is a transfer of the native token, a transfer of an asset, or a call of a script.
 * @source Waves: transaction/EthereumTransaction.scala; EIP-155
 */

import { addressOfPublicKeyHash, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { i64Bytes } from "../../crypto/bytes.ts";
import {
  addressOfEthereumKey,
  MAX_RECOVERY,
  recoverEthereumKey,
  unrecoverableText,
  whyUnrecoverable,
  wrongRecoveryText,
} from "../../crypto/ethereum-key.ts";
import { keccak256 } from "../../crypto/hash.ts";
import { hexText } from "../../crypto/hex.ts";
import type { Address } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { I64_MAX } from "../codec/i64.ts";
import { encodeMessage, message, scalar } from "../codec/protobuf.ts";
import { checkFee, checkNotNegative, checkPositive } from "./checks.ts";
import { ethereumParts, withoutLeadingZeros } from "./ethereum-parts.ts";
import type { TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-error.ts";
import { refuseField } from "./message-fields.ts";
import { encodeRlpList, parseRlpInteger, rlpInteger } from "./rlp.ts";
import type { EthereumTransaction, TransactionId } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** 10 gwei: the required gas price of every Ethereum transaction. */
export const gasPriceWei = 10_000_000_000n;
/** Units of 10^-18 in a wavelet. */
export const weiPerWavelet = 10_000_000_000n;
const ethereumAddressBytes = 20;
/** keccak256("transfer(address,uint256)"), first 4 bytes. */
export const transferSelector = 0xa9059cbb;
const selectorBytes = 4;
const wordBytes = 32;
/** Call data of a token transfer: selector, recipient and amount; the two arguments fill a word each. */
export const tokenTransferBytes = selectorBytes + 2 * wordBytes;
const longBytes = 8;

/** `waves.SignedTransaction`, with only the field of an Ethereum transaction. */
const signedEthereum = message("SignedTransaction", { ethereumTransaction: scalar(3, "bytes") });

/** Effect of an Ethereum transaction. */
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
 * Parses the RLP bytes of a signed transaction, and stores their shortest form. Its chain may differ from the
 * network's: it is refused when applied.
 * Cost: a millisecond, to recover the sender's key.
 * @param networkChainId chain id of transactions whose signature has none, and of the checksum of every sender
 * @param isRecord see `ethereumParts`
 * @throws WireError if the reference cannot parse the bytes; FormatError if it parses them and refuses the values
 */
export function parseEthereumTransaction(
  bytes: Uint8Array,
  networkChainId: number,
  { isRecord = false }: { readonly isRecord?: boolean } = {},
): EthereumTransaction {
  const [nonce, gasPrice, gasLimit, to, value, data, v, r, s] = ethereumParts(bytes, { isRecord });
  const signature = { v: withoutLeadingZeros(v), r: withoutLeadingZeros(r), s: withoutLeadingZeros(s) };
  // The reference uses only 64 bits of it; further bytes only mark it as large.
  const vLong = BigInt.asIntN(64, parseRlpInteger(signature.v.subarray(-longBytes)));
  // An empty number in the signature is not checked.
  const isProtected = v.length === 0 || signature.v.length > longBytes || BigInt.asUintN(64, vLong) > 28n;
  const namesNoChain = vLong === 27n || vLong === 28n;
  const chainId = namesNoChain ? networkChainId : Number((BigInt.asIntN(64, vLong - 35n) / 2n) & 0xffn);
  if (to.length !== ethereumAddressBytes) refuseField("ethereum.to", `20 bytes expected, got ${to.length}`);

  const content = {
    chainId,
    fee: longOf("gasLimit", gasLimit),
    timestamp: longOf("nonce", nonce),
    to,
    value: integerOf("value", value),
    data,
  };
  const payload = ethereumPayload(content);
  const price = integerOf("gasPrice", gasPrice);
  check(isProtected, () => ({ code: "malformed", message: "Legacy transactions are not supported" }));
  checkEthereumContent({ ...content, hasData: data.length > 0, payload }, price);

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
  if (senderKey === undefined) {
    const isInRange = recovery >= 0 && recovery <= MAX_RECOVERY;
    throw malformed(isInRange ? unrecoverableText[whyUnrecoverable(numbers)] : wrongRecoveryText);
  }
  const ethereumBytes = encodeRlpList([...written, signature.v, signature.r, signature.s]);
  return {
    type: TransactionType.Ethereum,
    version: 1,
    ...content,
    feeAsset: null,
    senderKey,
    sender: addressOfEthereumKey(senderKey, chainId, networkChainId),
    id: keccak256(ethereumBytes) as Uint8Array as TransactionId,
    bodyBytes,
    bytes: encodeMessage(signedEthereum, { ethereumTransaction: ethereumBytes }),
    ethereumBytes,
  };
}

type Content = Pick<EthereumTransaction, "chainId" | "to" | "value" | "data">;

/** Interprets the call data. @throws WireError for a transfer with too short data, or with a too large amount */
export function ethereumPayload({ chainId, to, value, data }: Content): EthereumPayload {
  const amount = waveletsOf(value);
  if (data.length === 0) {
    return { kind: "transfer", token: null, amount, recipient: addressOfPublicKeyHash(to, chainId) };
  }
  const isTransfer =
    data.length >= selectorBytes && new DataView(data.buffer, data.byteOffset).getUint32(0) === transferSelector;
  if (!isTransfer) return { kind: "invocation", dApp: addressOfPublicKeyHash(to, chainId), data };
  const recipientEnd = selectorBytes + wordBytes;
  if (data.length < tokenTransferBytes) refuseField("ethereum.data", "too short for a transfer");
  const recipient = data.slice(recipientEnd - ethereumAddressBytes, recipientEnd);
  const tokens = parseRlpInteger(data.subarray(recipientEnd, tokenTransferBytes));
  if (tokens > I64_MAX) refuseField("ethereum.data", "BigInteger out of long range");
  return { kind: "transfer", token: to, amount: tokens, recipient: addressOfPublicKeyHash(recipient, chainId) };
}

/** Whole wavelets of a value. @throws WireError more than 64 bits */
export function waveletsOf(value: bigint): bigint {
  const wavelets = value / weiPerWavelet;
  if (wavelets !== BigInt.asIntN(64, wavelets)) refuseField("ethereum.value", "BigInteger out of long range");
  return wavelets;
}

/** Validated values of a transaction, signed or not. */
export interface EthereumContent {
  /** Wavelets. */
  readonly fee: bigint;
  /** In units of 10^-18. */
  readonly value: bigint;
  readonly hasData: boolean;
  readonly payload: EthereumPayload;
}

/**
 * Validates the values.
 * @param gasPrice in units of 10^-18
 * @throws FormatError
 * @source Waves: transaction/EthereumTransaction.scala (validate)
 */
export function checkEthereumContent({ fee, value, hasData, payload }: EthereumContent, gasPrice: bigint): void {
  checkFee(fee);
  checkNotNegative(waveletsOf(value), "waves");
  must(gasPrice === gasPriceWei, "Gas price must be 10 Gwei");
  must(value !== 0n || hasData, "Transaction cancellation is not supported");
  must(!hasData || value === 0n, "Transaction should have either data or value");
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
  if (value > I64_MAX) refuseField(`ethereum.${field}`, "BigInteger out of long range");
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
  // If feature 17 is active before 15, the reference's pool accepts them; but blocks of earlier versions have no form
  // for them, and no node can parse the blocks that it then forges.
  versionFeatures: { 1: Feature.BlockV5 },
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
  check: (tx) =>
    checkEthereumContent({ ...tx, hasData: tx.data.length > 0, payload: ethereumPayload(tx) }, gasPriceWei),
};
