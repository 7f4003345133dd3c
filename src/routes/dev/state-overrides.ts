/** State overrides of a dev chain's owner, without a transaction; and funding of accounts, with one. */
import { encodeBase58 } from "../../crypto/base58.ts";
import type { StateOverrideResult } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";
import { mismatch } from "../../http/kind.ts";
import { checkedMembers, checkedObject } from "../../http/request-body.ts";
import { json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { address, assetId, publicKey } from "../../http/value-kinds.ts";
import { parseScript } from "../../protocol/transactions/json-fields.ts";
import { writtenScript } from "../../ride/script/written-script.ts";
import { route } from "../../services/context.ts";
import { dataEntriesOf } from "../json/data-entries.ts";
import {
  balanceOverride,
  dataOverride,
  funded,
  funding,
  overridden,
  scriptOverride,
} from "../schemas/state-overrides.ts";
import { catchFormatError } from "../transactions/catch-format-error.ts";

/** @throws ApiError requestInvalid */
function overrideResponse(result: StateOverrideResult): RouteResponse {
  if (result.kind === "refused") throw new ApiError({ code: "requestInvalid", message: result.reason });
  return json({ height: result.height }, momentary);
}

const setData = route({
  method: "POST",
  path: "/dev/setData",
  dependsOn: "node",
  isPrivate: true,
  body: checkedObject(dataOverride),
  description: {
    tag: "dev",
    summary: "Set data of an account",
    notes: "Any number of entries in the form of a Data transaction; those with the value null are deleted.",
    response: overridden,
    errors: ["transactionMalformed", "addressInvalid", "requestInvalid"],
  },
  handle: ({ body, chainId, chainState }) =>
    catchFormatError(async () => {
      const { address: account, entries } = dataEntriesOf(body, chainId);
      return overrideResponse(await chainState.dev.setData(account, entries));
    }),
});

const setScript = route({
  method: "POST",
  path: "/dev/setScript",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(scriptOverride),
  description: {
    tag: "dev",
    summary: "Set the script of an account",
    notes:
      "Like a SetScript transaction, and refused for the same reasons; null removes it. The account is given by its address, or by its public key if the chain does not know the key from the script of the account, the wallet, or a transaction.",
    response: overridden,
    errors: ["transactionMalformed", "addressInvalid", "publicKeyInvalid", "requestInvalid"],
  },
  handle: ({ body, chainId, chainState }) =>
    catchFormatError(async () => {
      const key = body.publicKey === undefined ? undefined : publicKey.read(body.publicKey, chainId);
      const account = body.address === undefined ? undefined : address.read(body.address, chainId);
      if (key === mismatch || account === mismatch) return mismatch;
      if ((key === undefined) === (account === undefined))
        throw new ApiError({ code: "requestInvalid", message: "Either address or publicKey is required" });
      const script = body.script === null ? null : writtenScript(parseScript(body.script));
      const target = account === undefined ? { publicKey: key as Uint8Array } : { address: account };
      return overrideResponse(await chainState.dev.setScript(target, script));
    }),
});

const setBalance = route({
  method: "POST",
  path: "/dev/setBalance",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(balanceOverride),
  description: {
    tag: "dev",
    summary: "Set a balance of an account",
    notes:
      "In the smallest unit, of an asset or, without assetId, of WAVES. This changes the amount of WAVES in existence, but not the quantity of an asset.",
    response: overridden,
    errors: ["addressInvalid", "assetIdInvalid", "requestInvalid"],
  },
  handle: async ({ body, chainId, chainState }) => {
    const account = address.read(body.address, chainId);
    const asset = body.assetId === undefined || body.assetId === null ? null : assetId.read(body.assetId, chainId);
    if (account === mismatch || asset === mismatch) return mismatch;
    return overrideResponse(await chainState.dev.setBalance(account, asset, body.amount));
  },
});

const fund = route({
  method: "POST",
  path: "/dev/fund",
  dependsOn: "node",
  isPrivate: true,
  body: checkedMembers(funding),
  description: {
    tag: "dev",
    summary: "Fund an account with WAVES",
    notes:
      "By an ordinary transfer from the wallet's richest account, which is in a block at the time of the response.",
    response: funded,
    errors: ["addressInvalid", "requestInvalid"],
  },
  handle: async ({ body, chainId, chainState }) => {
    const account = address.read(body.address, chainId);
    if (account === mismatch) return mismatch;
    const result = await chainState.dev.fund(account, body.amount);
    if (result.kind === "refused") throw new ApiError({ code: "requestInvalid", message: result.reason });
    return json({ id: encodeBase58(result.id), height: result.height }, momentary);
  },
});

export const stateOverrideRoutes = [setData, setScript, setBalance, fund];
