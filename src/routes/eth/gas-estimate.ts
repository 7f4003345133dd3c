/** Minimum fee of a transaction that a wallet is about to sign. @source Waves: api/http/eth/EthRpcRoute.scala */
import { addressOfPublicKeyHash } from "../../crypto/address.ts";
import { concatBytes } from "../../crypto/bytes.ts";
import { readHex } from "../../crypto/hex.ts";
import { ApiError } from "../../http/api-error.ts";
import { formatErrorJson } from "../../http/errors.ts";
import { WireError } from "../../protocol/errors.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { ParsedJson, ParsedObject } from "../../protocol/parse-json.ts";
import {
  checkEthereumContent,
  type EthereumPayload,
  ethereumPayload,
  gasPriceWei,
  transferSelector,
  waveletsOf,
} from "../../protocol/transactions/ethereum.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { minimumEthereumFee } from "../../rules/transactions/checks/minimum-fee.ts";
import type { NodeContext } from "../../services/context.ts";
import { digitsOf, ethereumAddress, quantity } from "./hex-values.ts";

/** Recipient of WAVES if the request names none. */
const zeroAddress = "0x".padEnd(42, "0");
/** Arbitrary fee, since a transaction must have one. */
const anyFee = 1n;
const selectorDigits = 8;
const wordBytes = 32;
/** Offsets of recipient and amount among the digits. */
const wordOffsets = [selectorDigits, selectorDigits + 2 * wordBytes] as const;

/**
 * The fee in hexadecimal, or the error of a transaction that no state could make valid.
 * @throws ApiError requestInvalid if the reference fails
 */
export async function estimateGas(
  { to, value: valueJson, data: dataJson }: ParsedObject,
  { chainId, queryState }: NodeContext,
): Promise<string | JsonObject> {
  const value = weiOf(valueJson);
  const data = digitsOf(typeof dataJson === "string" ? dataJson : "");
  const contract = ethereumAddress(typeof to === "string" ? to : zeroAddress);
  try {
    const payload = payloadOf({ chainId, contract, value, data });
    checkEthereumContent({ fee: anyFee, value, hasData: data !== "", payload }, gasPriceWei);
    return quantity((await queryState((view) => minimumEthereumFee(payload, view))).value);
  } catch (error) {
    if (error instanceof FormatError) return formatErrorJson(error.violation);
    if (error instanceof WireError) throw new ApiError({ code: "requestInvalid", message: error.reason });
    throw error;
  }
}

/** @throws ApiError requestInvalid */
function weiOf(json: ParsedJson | undefined): bigint {
  if (typeof json !== "string") return 0n;
  const [, sign, digits] = /^([+-]?)([0-9a-f]+)$/i.exec(digitsOf(json)) ?? [];
  if (digits === undefined)
    throw new ApiError({ code: "requestInvalid", message: "The value is no hexadecimal number" });
  const size = BigInt(`0x${digits}`);
  return sign === "-" ? -size : size;
}

/** @throws WireError */
function payloadOf({
  chainId,
  contract: to,
  value,
  data: digits,
}: {
  readonly chainId: number;
  readonly contract: Uint8Array;
  readonly value: bigint;
  readonly data: string;
}): EthereumPayload {
  if (digits === "") return ethereumPayload({ chainId, to, value, data: readHex(digits) });
  // The reference compares the digits: in upper case they are not a transfer.
  if (digits.startsWith(transferSelector.toString(16))) {
    const data = concatBytes(readHex(digits.slice(0, selectorDigits)), ...wordOffsets.map((at) => wordAt(at, digits)));
    return ethereumPayload({ chainId, to, value, data });
  }
  waveletsOf(value);
  return { kind: "invocation", dApp: addressOfPublicKeyHash(to, chainId), data: readHex(digits) };
}

/** Reads a word like the reference: from its offset to the end, so that a digit too many at the end shifts it. */
function wordAt(offset: number, digits: string): Uint8Array {
  return readHex(digits.slice(offset)).subarray(0, wordBytes);
}
