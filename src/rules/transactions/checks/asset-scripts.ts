/**
 * Scripts of the assets that a transaction moves or changes.
 * @source Waves: transaction/smart/Verifier.scala (assets)
 */

import { equalBytes } from "../../../crypto/bytes.ts";
import type { Asset, AssetId } from "../../../protocol/transactions/asset.ts";
import type { EthereumTransaction, Payment, Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { type AssetRefusal, runAssetScript } from "../scripts/asset-verdict.ts";
import type { VerifiedEntity } from "../scripts/run-verifier.ts";
import type { AssetRole } from "../scripts/trace.ts";
import { hasAssetScript } from "./assets.ts";
import { scriptedAssets } from "./scripted-assets.ts";

export interface AssetsVerdict {
  /** Spent complexity; for a refusing script its estimate. */
  readonly complexity: number;
  /** First script that did not return true. */
  readonly refused: AssetRefusal | undefined;
}

interface ScriptedAsset {
  readonly assetId: AssetId;
  readonly role: AssetRole;
}

/**
 * Runs the script of every scripted asset of the transaction, and for an exchange those of the matchers' fee assets,
 * whose complexity is not counted.
 * @param complexityLimit of all scripts together; a script beyond it counts as true
 */
export function runAssetScripts(
  transaction: Exclude<Transaction, EthereumTransaction>,
  view: StateView,
  context: BlockContext,
  complexityLimit: number | undefined,
): AssetsVerdict {
  const assets = scriptedAssets(transaction, view);
  const feeAssets = matcherFeeAssets(transaction, view);
  if (assets.length === 0 && feeAssets.length === 0) return { complexity: 0, refused: undefined };
  const entity: VerifiedEntity = { kind: "transaction", transaction };
  const ownAssets = assets.map((assetId) => ({ assetId, role: roleOf(transaction, assetId) }));
  const own = runScriptsInOrder(ownAssets, entity, view, context, complexityLimit);
  if (own.refused !== undefined) return own;
  const fees = feeAssets.map((assetId) => ({ assetId, role: "matcherFee" as const }));
  const { refused } = runScriptsInOrder(fees, entity, view, context, complexityLimit);
  return { complexity: own.complexity, refused };
}

/** @see runAssetScripts */
export function runScriptsInOrder(
  assets: readonly ScriptedAsset[],
  entity: VerifiedEntity,
  view: StateView,
  { trace }: Pick<BlockContext, "trace">,
  complexityLimit: number | undefined,
): AssetsVerdict {
  let complexity = 0;
  for (const { assetId, role } of assets) {
    const script = view.findAsset(assetId)?.script;
    if (script === undefined) continue;
    const { complexity: spent, refusal } = runAssetScript({
      assetId,
      script,
      entity,
      view,
      complexityLimit: complexityLimit === undefined ? undefined : complexityLimit - complexity,
      isLogged: trace !== undefined,
    });
    trace?.push({ kind: "asset", assetId, role, failure: refusal });
    if (refusal !== undefined) {
      return { complexity: complexity + Number(script.complexity), refused: { assetId, refusal } };
    }
    complexity += spent;
  }
  return { complexity, refused: undefined };
}

function matcherFeeAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  if (transaction.type !== TransactionType.Exchange) return [];
  const { buy, sell } = ordersBySide(transaction);
  const [first, second] = [buy.matcherFeeAsset, sell.matcherFeeAsset];
  const assets = isSame(first, second) ? [first] : [first, second];
  return assets.filter((asset): asset is AssetId => asset !== null && hasAssetScript(asset, view));
}

function roleOf(transaction: Transaction, assetId: AssetId): AssetRole {
  const isAsset = (asset: Asset): boolean => isSame(asset, assetId);
  switch (transaction.type) {
    case TransactionType.InvokeScript:
      return transaction.payments.some(({ asset }: Payment) => isAsset(asset)) ? "payment" : "unknown";
    case TransactionType.Exchange: {
      if (isAsset(transaction.order1.amountAsset)) return "orderAmount";
      return "orderPrice";
    }
    case TransactionType.Reissue:
      return "reissue";
    case TransactionType.Burn:
      return "burn";
    case TransactionType.SponsorFee:
      return "sponsor";
    case TransactionType.SetAssetScript:
    case TransactionType.UpdateAssetInfo:
      return "updateInfo";
    case TransactionType.Transfer:
    case TransactionType.MassTransfer:
      return "transfer";
    default:
      return "unknown";
  }
}

function isSame(left: Asset, right: Asset): boolean {
  return left === null || right === null ? left === right : equalBytes(left, right);
}
