/** Balances of accounts. @source docs/protocol/rest-api.md 2.1, 3.13; Waves: api/http/AddressApiRoute.scala */

import * as z from "zod";
import { addressText, parseAddress } from "../../crypto/address.ts";
import { parseBase58 } from "../../crypto/base58.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { optional, repeated } from "../../http/query.ts";
import { plainObject } from "../../http/request-body.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { int32, once, texts } from "../../http/schema.ts";
import { address, integer, natural, text } from "../../http/value-kinds.ts";
import type { FunctionalitySettings } from "../../network/settings.ts";
import {
  accountQuery,
  type BalanceKind,
  balancesAtQuery,
  balancesQuery,
  depositsQuery,
  effectiveBalanceQuery,
  lowestBalanceQuery,
  type Window,
} from "../../read-model/account.ts";
import { balancesOfAssetQuery } from "../../read-model/asset.ts";
import type { Chain } from "../../read-model/chain.ts";
import { balancesOfAssetAtQuery } from "../../read-model/distribution.ts";
import type { Query } from "../../read-model/query.ts";
import { generatingBalanceDepth } from "../../rules/consensus/generating-balance.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf, upTo } from "../../services/freshness.ts";
import { balanceAfterConfirmations, balanceDetails, balanceOfAddress } from "../schemas/account.ts";

const refuse = (message: string) => new ApiError({ code: "requestInvalid", message });

/** Balances are available as far below the tip as a forced rollback may go. @throws ApiError */
function assertHeightInReach(height: number, chain: Chain, { network }: NodeContext): void {
  const lowest = chain.height - network.node.maxRollbackDepth;
  if (height < lowest) throw refuse(`Unable to get balance past height ${lowest}`);
}

const presentBalances = {
  regular: async (account, { model }) => {
    const { chain, values } = await model.read(accountQuery(account));
    return { chain, balance: values[0].balance };
  },
  effective: async (account, node) => {
    const { chain, values } = await node.model.read(effectiveBalanceQuery(account, periodLengthOf(node)));
    return { chain, balance: values[0] };
  },
} as const satisfies Record<
  BalanceKind,
  (account: Address, node: NodeContext) => Promise<{ readonly chain: Chain; readonly balance: bigint }>
>;

/** Length of a generation period, in blocks. */
function periodLengthOf({ network }: NodeContext): number {
  return network.blockchain.functionality.generationPeriodLength;
}

async function presentResponse(account: Address, kind: BalanceKind, node: NodeContext): Promise<RouteResponse> {
  const { chain, balance } = await presentBalances[kind](account, node);
  return json({ address: addressText(account), confirmations: 0, balance }, asOf(chain));
}

async function lowestResponse(
  account: Address,
  kind: BalanceKind,
  blocks: number,
  node: NodeContext,
): Promise<RouteResponse> {
  const { chain, values } = await node.model.read(lowestBalanceQuery(account, kind, { blocks }, periodLengthOf(node)));
  assertHeightInReach(chain.height - blocks, chain, node);
  return json({ address: addressText(account), confirmations: blocks, balance: values[0] }, asOf(chain));
}

const balanceNotes = {
  regular: "Wavelets that the account has.",
  effective:
    "Wavelets that the account has, plus leased in, minus leased out, minus deposits of commitments to generate; 0 if the block challenges one of the account's.",
} as const satisfies Record<BalanceKind, string>;

/** Routes for one kind of balance: at the tip, and the lowest of the last blocks. */
function balanceRoutes(kind: BalanceKind, method: "GET" | "ALL", path: string) {
  return [
    route({
      method,
      path: `${path}/:address`,
      dependsOn: "tip",
      params: { address },
      description: {
        tag: "addresses",
        summary: `${capitalized(kind)} balance`,
        notes: balanceNotes[kind],
        response: balanceAfterConfirmations,
        examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw" } }],
      },
      handle: ({ params: { address: account }, ...node }) => presentResponse(account, kind, node),
    }),
    route({
      method,
      path: `${path}/:address/:confirmations`,
      dependsOn: "tip",
      params: { address, confirmations: natural },
      description: {
        tag: "addresses",
        summary: `Lowest ${kind} balance of the last blocks`,
        notes: balanceNotes[kind],
        response: balanceAfterConfirmations,
        errors: ["requestInvalid"],
        examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw", confirmations: "1" } }],
      },
      handle: ({ params: { address: account, confirmations }, ...node }) =>
        lowestResponse(account, kind, confirmations, node),
    }),
  ];
}

function capitalized(text_: string): string {
  return text_.charAt(0).toUpperCase() + text_.slice(1);
}

const details = route({
  method: "GET",
  path: "/addresses/balance/details/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "addresses",
    summary: "Balances of all kinds",
    response: balanceDetails,
    errors: ["requestInvalid"],
    examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw" } }],
  },
  handle: async ({ params: { address: account }, model, network }) => {
    const { functionality } = network.blockchain;
    const { generationPeriodLength } = functionality;
    const { chain, values } = await model.read(
      accountQuery(account),
      depositsQuery([account], generationPeriodLength),
      effectiveBalanceQuery(account, generationPeriodLength),
      lowestBalanceQuery(account, "effective", generatingWindow(functionality), generationPeriodLength),
    );
    const [{ balance, leaseOut }, [deposit = 0n], effective, generating] = values;
    return json(
      {
        address: addressText(account),
        regular: balance,
        generating,
        available: balance - leaseOut - deposit,
        effective,
      },
      asOf(chain),
    );
  },
});

/** Blocks over which an amount must stay before it counts for block production. */
function generatingWindow(functionality: FunctionalitySettings): Window {
  const below = functionality.generationBalanceDepthFrom50To1000AfterHeight;
  return {
    blocks: generatingBalanceDepth(below, functionality),
    earlier: { below, blocks: generatingBalanceDepth(below - 1, functionality) },
  };
}

interface BatchRequest {
  readonly addresses: readonly string[];
  /** Undefined: the tip. */
  readonly height: number | undefined;
  readonly asset: string | undefined;
}

function balancesOf(
  accounts: readonly Address[],
  asset: Uint8Array | undefined,
  height: number | undefined,
): Query<readonly bigint[]> {
  if (asset !== undefined) {
    return height === undefined
      ? balancesOfAssetQuery(accounts, asset)
      : balancesOfAssetAtQuery(accounts, asset, height);
  }
  return height === undefined ? balancesQuery(accounts) : balancesAtQuery(accounts, height);
}

/** Balances of the valid addresses, each once, in order of first appearance. */
async function batchResponse({ addresses, height, asset }: BatchRequest, node: NodeContext): Promise<RouteResponse> {
  const assetId = asset === undefined ? undefined : parseBase58(asset);
  if (assetId !== undefined && !(assetId instanceof Uint8Array)) throw new ApiError({ code: "assetIdInvalid" });
  const isTooBig = addresses.length > node.limits.transactionsLimit;
  const parsed = isTooBig ? [] : [...new Set(addresses)].map((item) => parseAddress(item, node.chainId));
  const accounts = parsed.filter((item) => item instanceof Uint8Array);
  const { chain, values } = await node.model.read(balancesOf(accounts, assetId, height));
  if (height !== undefined) assertHeightInReach(height, chain, node);
  if (isTooBig) throw new ApiError({ code: "tooBigSequence", limit: undefined });
  if (height !== undefined && (height < 1 || height > chain.height)) throw refuse(`Illegal height: ${height}`);
  const list = accounts.map((account, index) => ({ id: addressText(account), balance: values[0][index] ?? 0n }));
  return json(list, height === undefined ? asOf(chain) : upTo(height, chain, "height"));
}

const batchParameters = {
  addresses: "Addresses; each is returned once, invalid ones are left out.",
  height: "Height of the block after which the balances are read; default: the tip.",
  asset: "Id of an asset; default: WAVES.",
} as const;

const batchDescription = {
  tag: "addresses",
  summary: "Balances of many accounts",
  notes: "Each address once: those of a body in their order, those of a query from the last one on.",
  response: () => z.array(balanceOfAddress()),
  errors: ["tooBigSequence", "assetIdInvalid", "requestInvalid"],
} as const;

const batch = route({
  method: "GET",
  path: "/addresses/balance",
  dependsOn: "final",
  query: {
    address: repeated(text, batchParameters.addresses),
    height: optional(integer, batchParameters.height),
    asset: optional(text, batchParameters.asset),
  },
  description: { ...batchDescription, examples: [{ query: { address: ["3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw"] } }] },
  handle: ({ query: { address: addresses, height, asset }, ...node }) =>
    // The reference reads parameters from the last one on.
    batchResponse({ addresses: addresses.toReversed(), height, asset }, node),
});

/** Members of the wrong type count as absent, except the list. */
const batchBody = once(() => {
  const { addresses, height, asset } = batchParameters;
  return z.object({
    addresses: texts(addresses),
    height: int32().optional().catch(undefined).meta({ description: height }),
    asset: z.string().optional().catch(undefined).meta({ description: asset }),
  });
});

const batchByPost = route({
  method: "POST",
  path: "/addresses/balance",
  dependsOn: "final",
  body: plainObject(batchBody),
  description: { ...batchDescription, examples: [{ body: { addresses: ["3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw"] } }] },
  handle: ({ body: { addresses, height, asset }, ...node }) =>
    batchResponse({ addresses, height: height === undefined ? undefined : Number(height), asset }, node),
});

export const addressBalanceRoutes = [
  details,
  batch,
  batchByPost,
  ...balanceRoutes("regular", "GET", "/addresses/balance"),
  ...balanceRoutes("effective", "ALL", "/addresses/effectiveBalance"),
];
