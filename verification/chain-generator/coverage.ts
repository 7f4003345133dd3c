/** Contents of a generated chain: counts of each version of each type, and of the special cases. */

import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { bytesKey } from "../../src/crypto/bytes.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { Feature, type FeatureId, implementedFeatures } from "../../src/network/features.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { ethereumPayload } from "../../src/protocol/transactions/ethereum.ts";
import {
  featureOfLibraryVersion,
  firstDAppVersion,
  firstVersionOfLightNode,
  libraryVersions,
} from "../../src/protocol/transactions/library-versions.ts";
import { limits } from "../../src/protocol/transactions/limits.ts";
import type { Order } from "../../src/protocol/transactions/order.ts";
import { formatOf } from "../../src/protocol/transactions/table.ts";
import type {
  EthereumTransaction,
  FunctionCall,
  InvokeScriptTransaction,
  Recipient,
  Script,
  Transaction,
} from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { decodeCallData } from "../../src/ride/abi/call-data.ts";
import { findCallableAbi, SELECTOR_BYTES } from "../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../src/ride/script/script-bytes.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import type { ChainVariant } from "./generated-network.ts";
import { allCallables } from "./ride/dapp-sources.ts";

/** Counts by name of the case. */
export type Coverage = Readonly<Record<string, number>>;

const bigDataBytes = 100_000;
const mostPayments = 10;
const oldVersions = libraryVersions.filter((version) => version < firstVersionOfLightNode);
const newVersions = libraryVersions.filter(
  (version) =>
    version >= firstVersionOfLightNode && implementedFeatures.has(featureOfLibraryVersion.get(version) as FeatureId),
);

/** Genesis transactions are not generated, payments only at the start of some chains. */
const oldTypes: readonly TransactionType[] = [TransactionType.Genesis, TransactionType.Payment];

/** Types on generated chains: all except the oldest, and those whose feature this release lacks. */
export const generatedTypes: readonly TransactionType[] = Object.values(TransactionType).filter((type) => {
  const { feature } = formatOf(type);
  return !oldTypes.includes(type) && (feature === undefined || implementedFeatures.has(feature));
});

/** Types on every generated chain: those of release 1.5 of the reference. */
export const referenceTypes: readonly TransactionType[] = generatedTypes.filter(
  (type) => formatOf(type).feature !== Feature.DeterministicFinality,
);

const everywhere = [
  ...referenceTypes.flatMap(versions),
  "order v1",
  "order v2",
  "order v3",
  "order v4",
  "order of an Ethereum wallet",
  "order with price mode fixedDecimals",
  "order with price mode assetDecimals",
  "order with attachment",
  "order with a fee in an asset",
  "order filled in steps",
  "fee in an asset",
  "non-fungible asset",
  "recipient by alias",
  "mass transfer to 100",
  "data entry deleted",
  "data of 100 kB",
  "sponsorship ended",
  "Ethereum transfer of WAVES",
  "Ethereum transfer of an asset",
  ...scriptCases("account script", newVersions),
  ...scriptCases("dApp", newVersions),
  ...scriptCases("asset script", newVersions),
  "dApp with verifier",
  "script removed",
  "asset issued with a script",
  "sent by a scripted account",
  "call by alias",
  "call of the default function",
  "call with a list",
  "call with a payment",
  "call with ten payments",
  "call with a payment of a scripted asset",
  "call paid in an asset",
  "Ethereum call",
  "Ethereum call with a list",
  "Ethereum call with a payment",
  "failed call",
  "failed exchange",
  ...allCallables
    .filter(({ until, weight = 1 }) => until === undefined && weight >= 1)
    .map(({ name }) => `call of ${name}`),
] as const;

/** Cases that a chain of the variant must contain. */
export const expectedCases: Readonly<Record<ChainVariant, readonly string[]>> = {
  active: everywhere,
  staged: [
    ...everywhere,
    ...versions(TransactionType.Payment),
    ...scriptCases("account script", oldVersions),
    ...scriptCases(
      "dApp",
      oldVersions.filter((version) => version >= firstDAppVersion),
    ),
    ...scriptCases("asset script", oldVersions),
  ],
  halfway: [...versions(TransactionType.Payment), nameOf(TransactionType.Transfer, 1)],
  // Other contents depend on the order.
  shuffled: [nameOf(TransactionType.Transfer, 1)],
  committed: [...everywhere, ...versions(TransactionType.CommitToGeneration)],
};

/** Cases that no generated chain contains yet, and why. */
export const excludedCases: readonly string[] = [
  "library version 9: the feature is not in release 1.5 of the reference",
  "generating balances and the parent's reward, read by a script: they differ between micro-blocks and the whole block",
  "a failed call of an Ethereum wallet: the pool runs them to their end, so they fail by chance only",
];

function versions(type: TransactionType): string[] {
  return Array.from({ length: formatOf(type).maxVersion }, (_, index) => nameOf(type, index + 1));
}

function nameOf(type: TransactionType, version: number): string {
  return `${formatOf(type).name} v${version}`;
}

function scriptCases(kind: string, libraryVersions: readonly number[]): string[] {
  return libraryVersions.map((version) => `${kind} of library version ${version}`);
}

/** @param view of the chain's last state, for the statuses of transactions */
export function coverageOf(blocks: Iterable<Block>, view: StateView): Coverage {
  const counts: Record<string, number> = {};
  const orders = new Set<string>();
  for (const { transactions } of blocks)
    for (const transaction of transactions)
      for (const name of casesOf(transaction, orders, view)) counts[name] = (counts[name] ?? 0) + 1;
  return Object.fromEntries(
    Object.entries(counts).sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true })),
  );
}

function* casesOf(transaction: Transaction, orders: Set<string>, view: StateView): Iterable<string> {
  const isFailed = view.findTransaction(transaction.id)?.status === "failed";
  if (isFailed && transaction.type === TransactionType.Exchange) yield "failed exchange";
  yield nameOf(transaction.type, transaction.version);
  if (transaction.feeAsset !== null) yield "fee in an asset";
  if (
    "proofs" in transaction &&
    transaction.type !== TransactionType.InvokeScript &&
    transaction.type !== TransactionType.SetScript
  ) {
    const address = addressOfPublicKey(transaction.sender, view.settings.chainId);
    if (view.findAccountScript(address) !== undefined) yield "sent by a scripted account";
  }
  switch (transaction.type) {
    case TransactionType.Issue:
      if (transaction.quantity === 1n && transaction.decimals === 0 && !transaction.reissuable)
        yield "non-fungible asset";
      if (transaction.script !== null) {
        yield "asset issued with a script";
        yield* casesOfScript(transaction.script, "asset script");
      }
      break;
    case TransactionType.Transfer:
    case TransactionType.Lease:
      if (isAlias(transaction.recipient)) yield "recipient by alias";
      break;
    case TransactionType.Exchange:
      for (const order of [transaction.order1, transaction.order2]) yield* casesOfOrder(order, orders);
      break;
    case TransactionType.MassTransfer:
      if (transaction.transfers.some(({ recipient }) => isAlias(recipient))) yield "recipient by alias";
      if (transaction.transfers.length === limits.massTransferItems) yield "mass transfer to 100";
      break;
    case TransactionType.Data:
      if (transaction.data.some(({ value }) => value === null)) yield "data entry deleted";
      if (transaction.bytes.length > bigDataBytes) yield "data of 100 kB";
      break;
    case TransactionType.SetScript:
      if (transaction.script === null) yield "script removed";
      else yield* casesOfScript(transaction.script, "account script");
      break;
    case TransactionType.SetAssetScript:
      if (transaction.script !== null) yield* casesOfScript(transaction.script, "asset script");
      break;
    case TransactionType.InvokeScript:
      yield* casesOfCall(transaction, view, isFailed);
      break;
    case TransactionType.SponsorFee:
      if (transaction.minSponsoredAssetFee === null) yield "sponsorship ended";
      break;
    case TransactionType.Ethereum: {
      const payload = ethereumPayload(transaction);
      if (payload.kind === "transfer") yield `Ethereum transfer of ${payload.token === null ? "WAVES" : "an asset"}`;
      else yield* casesOfEthereumCall(transaction, payload, view, isFailed);
      break;
    }
    default:
  }
}

function* casesOfOrder(order: Order, orders: Set<string>): Iterable<string> {
  yield `order v${order.version}`;
  if (order.eip712Signature !== null) yield "order of an Ethereum wallet";
  if (order.priceMode !== null) yield `order with price mode ${order.priceMode}`;
  if (order.attachment !== null) yield "order with attachment";
  if (order.matcherFeeAsset !== null) yield "order with a fee in an asset";
  const key = bytesKey(order.id);
  if (orders.has(key)) yield "order filled in steps";
  orders.add(key);
}

function* casesOfScript(bytes: Script, kind: string): Iterable<string> {
  const script = parseScript(bytes);
  const isDApp = script.content === "dApp";
  yield `${isDApp ? "dApp" : kind} of library version ${script.libraryVersion}`;
  if (isDApp && script.dApp.verifier !== undefined) yield "dApp with verifier";
}

/** Counts functions of calls that took effect. */
function* casesOfCall(
  { call, dApp, payments, feeAsset }: InvokeScriptTransaction,
  view: StateView,
  isFailed: boolean,
): Iterable<string> {
  if (isFailed) yield "failed call";
  if (isAlias(dApp)) yield "call by alias";
  if (feeAsset !== null) yield "call paid in an asset";
  if (call === null) yield "call of the default function";
  if (payments.length === mostPayments) yield "call with ten payments";
  if (payments.some(({ asset }) => asset !== null && view.findAsset(asset)?.script !== undefined))
    yield "call with a payment of a scripted asset";
  if (!isFailed) yield `call of ${call?.function ?? "default"}`;
  if (payments.length > 0) yield "call with a payment";
  if (hasList(call)) yield "call with a list";
}

function* casesOfEthereumCall(
  transaction: EthereumTransaction,
  { dApp, data }: { readonly dApp: Address; readonly data: Uint8Array },
  view: StateView,
  isFailed: boolean,
): Iterable<string> {
  yield isFailed ? "failed call by Ethereum" : "Ethereum call";
  // The dApp may have another script since.
  const script = view.findAccountScript(dApp)?.script;
  const abi = script && findCallableAbi(parseScript(script), transaction.data.subarray(0, SELECTOR_BYTES));
  if (abi === undefined) return;
  const { args, payments } = decodeCallData(abi, data);
  if (payments.length > 0) yield "Ethereum call with a payment";
  if (hasList({ function: abi.name, args })) yield "Ethereum call with a list";
}

function hasList(call: FunctionCall | null): boolean {
  return call?.args.some(({ type }) => type === "list") ?? false;
}

function isAlias(recipient: Recipient): boolean {
  return recipient.kind === "alias";
}
