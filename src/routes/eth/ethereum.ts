/**
 * Requests of Ethereum's wallets and tools.
 * @source docs/protocol/rest-api.md 2.7, 3.17; Waves: api/http/eth/EthRpcRoute.scala
 */
import * as z from "zod";
import { PUBLIC_KEY_HASH_BYTES } from "../../crypto/address.ts";
import { hexText, readHex } from "../../crypto/hex.ts";
import { ApiError } from "../../http/api-error.ts";
import { mismatch } from "../../http/kind.ts";
import { assertAtMost, textsOf } from "../../http/multi-ids.ts";
import { anyObject } from "../../http/request-body.ts";
import { json, momentary } from "../../http/route-response.ts";
import { address } from "../../http/value-kinds.ts";
import type { ParsedJson, ParsedObject } from "../../protocol/parse-json.ts";
import { accountScriptQuery } from "../../read-model/account-script.ts";
import { tokensQuery } from "../../read-model/asset.ts";
import { abiJson } from "../../ride/abi/callable-abi.ts";
import { cachedScript } from "../../ride/evaluator/dapp-program.ts";
import { route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { assetDetailsJson } from "../json/asset.ts";
import { assetDetails } from "../schemas/asset.ts";
import { contractAbi, rpcRequest, rpcResponse } from "../schemas/ethereum.ts";
import { findRpcMethod, rpcMethods } from "./rpc-methods.ts";

const exampleDApp = "3MF25cEKhK69GFUhtS3whU7hMY7jZwZXPpZ";
const exampleToken = "0xf76618589c85013ef3d4d1706f1c7f9d34b72332";

const rpc = route({
  method: "POST",
  path: "/eth",
  dependsOn: "pool",
  trailingSlash: true,
  body: anyObject(rpcRequest),
  description: {
    tag: "eth",
    summary: "A call of Ethereum's JSON-RPC",
    notes: rpcMethods.map(({ name, about }) => `- \`${name}\`: ${about}`).join("\n"),
    response: rpcResponse,
    errors: ["requestInvalid"],
    examples: [
      {
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "eth_getBalance",
          params: ["0x2789c985d35d67d685dc0e98ba2f216d86be8fbc", "latest"],
        },
      },
    ],
  },
  handle: async ({ body, ...node }) => {
    const { id = null, method: name, params } = body;
    const method = findRpcMethod(name);
    if (method === undefined) return json({}, momentary);
    return json({ id, jsonrpc: "2.0", result: await method.handle(firstOf(params), node) }, momentary);
  },
});

function firstOf(params: ParsedObject[string] | undefined): ParsedJson | undefined {
  return Array.isArray(params) ? (params as readonly ParsedJson[])[0] : undefined;
}

const assets = route({
  method: "ALL",
  path: "/eth/assets",
  dependsOn: "tip",
  body: textsOf("id", "First 20 bytes of the ids of assets, in hexadecimal; repeated ones are returned repeatedly."),
  description: {
    tag: "eth",
    summary: "Assets by their addresses in Ethereum's tools",
    response: () => z.array(assetDetails()),
    errors: ["tooBigSequence", "idsInvalid"],
    examples: [{ query: { id: [exampleToken] } }, { method: "POST", body: { ids: [exampleToken] } }],
  },
  handle: async ({ body: texts, model, chainId, limits }) => {
    if (texts.length === 0) return mismatch;
    assertAtMost(limits.assetsLimit, texts);
    const tokens = texts.map(readHex);
    // The reference fails on these.
    const invalid = texts.filter((_, index) => tokens[index]?.length !== PUBLIC_KEY_HASH_BYTES);
    if (invalid.length > 0) throw new ApiError({ code: "idsInvalid", ids: invalid });
    const { chain, values } = await model.read(tokensQuery(tokens));
    const [found] = values;
    const unknown = tokens.filter((_, index) => found[index] === undefined);
    if (unknown.length > 0) throw new ApiError({ code: "idsInvalid", ids: unknown.map(hexText) });
    return json(
      found.flatMap((asset) => (asset === undefined ? [] : assetDetailsJson(asset, chainId, false))),
      asOf(chain),
    );
  },
});

const abi = route({
  method: "GET",
  path: "/eth/abi/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "eth",
    summary: "Functions of a dApp for Ethereum's wallets",
    notes: "An empty response for an account without a script.",
    response: contractAbi,
    examples: [{ params: { address: exampleDApp } }],
  },
  handle: async ({ params, model }) => {
    const { chain, values } = await model.read(accountScriptQuery(params.address));
    const [account] = values;
    if (account === undefined) return { kind: "nothing", freshness: asOf(chain) };
    return json(abiJson(cachedScript(account.script)), asOf(chain));
  },
});

export const ethereumRoutes = [rpc, assets, abi];
