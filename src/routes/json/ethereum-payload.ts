/** Effects of an Ethereum transaction as the interface prints them. @source docs/protocol/rest-api.md 3.3 */

import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import { type EthereumPayload, ethereumPayload } from "../../protocol/transactions/ethereum.ts";
import { functionCallJson } from "../../protocol/transactions/function-call.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { assetsOfTokensQuery } from "../../read-model/asset.ts";
import type { ReadModel } from "../../read-model/read-model.ts";
import type { CallRecord } from "../../ride/results/call-record.ts";

/** Payloads of the Ethereum transactions, in order; queries assets only if a transfer needs them. */
export async function payloadsOf(
  transactions: readonly (Transaction | undefined)[],
  calls: readonly (CallPayload | undefined)[],
  model: ReadModel,
): Promise<readonly (JsonObject | undefined)[]> {
  const payloads = transactions.map((transaction) =>
    transaction?.type === TransactionType.Ethereum ? ethereumPayload(transaction) : undefined,
  );
  const assets = await findAssets(payloads.map(tokenOf), model);
  return payloads.map((payload, index) => payload && payloadJson(payload, assets, calls[index]));
}

/** Known data of a call. */
export interface CallPayload {
  readonly call: NonNullable<CallRecord["ethereumCall"]>;
  readonly stateChanges: JsonObject | null;
}

function tokenOf(payload: EthereumPayload | undefined): Uint8Array | undefined {
  return payload?.kind === "transfer" && payload.token !== null ? payload.token : undefined;
}

type AssetByToken = ReadonlyMap<BytesKey, AssetId | undefined>;

async function findAssets(moved: readonly (Uint8Array | undefined)[], model: ReadModel): Promise<AssetByToken> {
  const tokens = moved.filter((token) => token !== undefined);
  if (tokens.length === 0) return new Map();
  const { values } = await model.read(assetsOfTokensQuery(tokens));
  return new Map(tokens.map((token, index) => [bytesKey(token), values[0][index]]));
}

/** A call without known data has an empty payload. */
function payloadJson(payload: EthereumPayload, assets: AssetByToken, known: CallPayload | undefined): JsonObject {
  if (payload.kind === "invocation") return known === undefined ? {} : callJson(payload.dApp, known);
  const asset = payload.token === null ? undefined : assets.get(bytesKey(payload.token));
  return {
    type: "transfer",
    recipient: addressText(payload.recipient),
    asset: asset === undefined ? null : encodeBase58(asset),
    amount: payload.amount,
  };
}

function callJson(dApp: Address, { call: { call, payments }, stateChanges }: CallPayload): JsonObject {
  return {
    type: "invocation",
    dApp: addressText(dApp),
    call: functionCallJson(call),
    payment: payments.map(({ amount, asset }) => ({ amount, assetId: asset === null ? null : encodeBase58(asset) })),
    stateChanges,
  };
}
