/** Assets as contracts of the ERC-20 standard. @source docs/protocol/rest-api.md 3.17; EIP-20, EIP-165 */
import { ApiError } from "../../http/api-error.ts";
import { utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import type { ParsedObject } from "../../protocol/parse-json.ts";
import { assetBalanceQuery, type StoredAsset, tokensQuery } from "../../read-model/asset.ts";
import type { NodeContext } from "../../services/context.ts";
import { accountOf, digitsOf, ethereumAddress, numberResult, textResult } from "./hex-values.ts";

const selectorDigits = 8;
const accountDigits = 40;

interface Call {
  readonly contract: string;
  readonly data: string;
}

/** By the first digits of the call data; the reference accepts only lower case. */
const functions: ReadonlyMap<string, (call: Call, node: NodeContext) => Promise<string>> = new Map([
  ["95d89b41", symbol],
  ["313ce567", decimals],
  ["70a08231", balanceOf],
  // supportsInterface: none
  ["01ffc9a7", async () => numberResult(0)],
]);

/** @throws ApiError requestInvalid if the reference fails */
export async function callContract({ to, data }: ParsedObject, node: NodeContext): Promise<string> {
  if (typeof data !== "string" || typeof to !== "string") {
    throw new ApiError({ code: "requestInvalid", message: "A call has the members to and data" });
  }
  const handler = functions.get(digitsOf(data).slice(0, selectorDigits));
  return handler === undefined ? "0x" : handler({ contract: to, data }, node);
}

async function findToken({ contract }: Call, { model }: NodeContext): Promise<StoredAsset | undefined> {
  const { values } = await model.read(tokensQuery([ethereumAddress(contract)]));
  return values[0][0];
}

async function symbol(call: Call, node: NodeContext): Promise<string> {
  const asset = await findToken(call, node);
  return textResult(asset === undefined ? "" : utf8TextWithReplacements(asset.name));
}

async function decimals(call: Call, node: NodeContext): Promise<string> {
  return numberResult((await findToken(call, node))?.decimals ?? 0);
}

async function balanceOf(call: Call, node: NodeContext): Promise<string> {
  const asset = await findToken(call, node);
  if (asset === undefined) return numberResult(0);
  const account = accountOf(call.data.slice(-accountDigits), node.chainId);
  const { values } = await node.model.read(assetBalanceQuery(account, asset.id));
  return numberResult(values[0]);
}
