/**
 * The node's wallet.
 * @source docs/protocol/rest-api.md 2.1, 2.9; Waves: api/http/AddressApiRoute.scala, WalletApiRoute.scala
 */

import * as z from "zod";
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { Address } from "../../crypto/identities.ts";
import type { WalletRpc } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";
import type { Kind } from "../../http/kind.ts";
import { json, momentary } from "../../http/route-response.ts";
import { address, natural } from "../../http/value-kinds.ts";
import { inTrieMapOrder, textHash } from "../../protocol/hash-table-order.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { parseAddressText } from "../../protocol/transactions/recipient.ts";
import { route } from "../../services/context.ts";
import { keyGuard } from "../../services/key-guard.ts";
import { address as addressSchema, base58 } from "../schemas/values.ts";

/** Upper bound of `to - from`, exclusive. */
const maxSequence = 1000;

const addresses = () => z.array(addressSchema());

/** Addresses in the order of the reference's hash table, on which the positions in a sequence depend. */
async function walletAddresses(wallet: WalletRpc): Promise<readonly string[]> {
  const texts = (await wallet.accounts()).map((account) => addressText(account.address as Address));
  return inTrieMapOrder(texts, textHash);
}

const list = route({
  method: "GET",
  path: "/addresses",
  dependsOn: "node",
  description: {
    tag: "addresses",
    summary: "Accounts of the node's wallet",
    notes: "In no meaningful order. A node without a seed has none.",
    response: addresses,
    examples: [{}],
  },
  handle: async ({ chainState }) => json(await walletAddresses(chainState.wallet), momentary),
});

const create = route({
  method: "POST",
  path: "/addresses",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "addresses",
    summary: "Create an account in the wallet",
    notes: "It may generate blocks, and the node signs for it.",
    response: () => z.strictObject({ address: addressSchema() }),
    errors: ["requestInvalid"],
    examples: [{}],
  },
  handle: async ({ chainState }) => {
    const created = await chainState.wallet.create();
    if (created === undefined)
      throw new ApiError({ code: "requestInvalid", message: "The wallet has no seed, or no room for another account" });
    return json({ address: addressText(created as Address) }, momentary);
  },
});

const sequence = route({
  method: "GET",
  path: "/addresses/seq/:from/:to",
  dependsOn: "node",
  params: { from: natural, to: natural },
  description: {
    tag: "addresses",
    summary: "Some accounts of the wallet",
    notes: "By their index in the list of all, from 0 on; `to` is exclusive.",
    response: addresses,
    errors: ["requestInvalid", "tooBigSequence"],
    examples: [{ params: { from: "0", to: "2" } }],
  },
  handle: async ({ params: { from, to }, chainState }) => {
    if (from > to) throw new ApiError({ code: "requestInvalid", message: "Invalid sequence" });
    if (to - from >= maxSequence) throw new ApiError({ code: "tooBigSequence", limit: maxSequence });
    return json((await walletAddresses(chainState.wallet)).slice(from, to), momentary);
  },
});

const remove = route({
  method: "DELETE",
  path: "/addresses/:address",
  dependsOn: "node",
  isPrivate: true,
  params: { address },
  description: {
    tag: "addresses",
    summary: "Delete an account of the wallet",
    notes: "The node no longer generates blocks with it or signs for it. Its assets stay on the chain.",
    response: () => z.strictObject({ deleted: z.boolean().meta({ description: "Whether the wallet had it." }) }),
    examples: [{ params: { address: "3M3hcSBqTF5SJxespKA13S6y6nFS9zA2eJX" } }],
  },
  handle: async ({ params, chainState }) =>
    json({ deleted: await chainState.wallet.delete(params.address) }, momentary),
});

/** An address parsed like the sender of a transaction. */
const writtenAddress: Kind<{ readonly text: string; readonly address: Address }> = {
  ...address,
  read: (text, chainId) => {
    try {
      return { text, address: parseAddressText(text, chainId) };
    } catch (error) {
      if (error instanceof FormatError) throw new ApiError({ code: "addressInvalid" });
      throw error;
    }
  },
  errors: ["addressInvalid"],
};

const accountSeed = route({
  method: "GET",
  path: "/addresses/seed/:address",
  dependsOn: "node",
  isPrivate: true,
  params: { address: writtenAddress },
  description: {
    tag: "addresses",
    summary: "Seed of an account of the wallet",
    notes: "A secret: it gives control of the account.",
    response: () => z.strictObject({ address: addressSchema(), seed: base58() }),
    errors: ["senderKeyMissing"],
    examples: [{ params: { address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF" } }],
  },
  handle: async ({ params, chainState }) => {
    const { text, address: account } = params.address;
    const seed = await chainState.wallet.accountSeed(account);
    if (seed === undefined) throw new ApiError({ code: "senderKeyMissing" });
    return json({ address: text, seed: encodeBase58(seed) }, momentary);
  },
});

const endorserKey = route({
  method: "GET",
  path: "/addresses/bls/:address",
  dependsOn: "node",
  params: { address },
  description: {
    tag: "addresses",
    summary: "BLS key of an account of the wallet",
    notes: "The account endorses blocks with it; a commitment to generate contains it.",
    response: () => z.strictObject({ blsPublicKey: base58() }),
    errors: ["senderKeyMissing"],
    examples: [{ params: { address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF" } }],
  },
  handle: async ({ params, chainState }) => {
    const key = await chainState.wallet.endorserKey(params.address);
    if (key === undefined) throw new ApiError({ code: "senderKeyMissing" });
    return json({ blsPublicKey: encodeBase58(key) }, momentary);
  },
});

const walletSeed = route({
  method: "GET",
  path: "/wallet/seed",
  dependsOn: "node",
  isPrivate: true,
  description: {
    tag: "wallet",
    summary: "Seed of the wallet",
    notes: "A secret: the keys of all its accounts derive from it.",
    response: () => z.strictObject({ seed: base58() }),
    errors: ["requestInvalid"],
    examples: [{}],
  },
  handle: async ({ chainState }) => {
    const seed = await chainState.wallet.seed();
    if (seed === undefined) throw new ApiError({ code: "requestInvalid", message: "The wallet has no seed" });
    return json({ seed: encodeBase58(seed) }, momentary);
  },
});

const removeOther = keyGuard("DELETE", "/addresses/:address/*", { address });

const addressGuard = keyGuard("DELETE", "/addresses/*");

/** Before all others under `/addresses`, some of which take any method. */
export const deletionGuards = [removeOther, addressGuard];

export const walletRoutes = [list, create, sequence, remove, accountSeed, endorserKey, walletSeed];
