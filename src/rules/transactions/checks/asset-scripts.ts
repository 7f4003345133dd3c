/**
 * Scripts of the assets that a transaction moves or changes.
 * @source Waves: transaction/smart/Verifier.scala (assets)
 */
import { equalBytes } from "../../../crypto/bytes.ts";
import { RuleError } from "../../../protocol/faults.ts";
import type { Asset, AssetId } from "../../../protocol/transactions/asset.ts";
import type { Payment, Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { ordersBySide } from "../exchange-orders.ts";
import { FailedTransaction } from "../failed-transaction.ts";
import type { VerifiedEntity } from "../scripts/run-verifier.ts";
import type { AssetRole, StepFailure, VerifierStep } from "../scripts/trace.ts";
import { verdictOf } from "../scripts/verdict.ts";
import { hasAssetScript } from "./assets.ts";
import { scriptedAssets } from "./scripted-assets.ts";

/** A script of an asset that did not say yes. */
export interface AssetRefusal {
  readonly assetId: AssetId;
  readonly failure: StepFailure;
}

export interface AssetsVerdict {
  /** What the scripts spent; the last one's estimate where it refused. */
  readonly complexity: number;
  readonly refusal: AssetRefusal | undefined;
}

interface AskedAsset {
  readonly assetId: AssetId;
  readonly role: AssetRole;
}

/**
 * Asks the script of every scripted asset of the transaction, and of an exchange those that the matcher's fees are paid
 * in: their complexity is not counted.
 * @param complexityLimit of all scripts together; one that passes it is taken to say yes
 */
export function askAssetScripts(
  transaction: Exclude<Transaction, { type: 18 }>,
  view: StateView,
  context: BlockContext,
  complexityLimit: number | undefined,
): AssetsVerdict {
  const assets = scriptedAssets(transaction, view);
  const feeAssets = matcherFeeAssets(transaction, view);
  if (assets.length === 0 && feeAssets.length === 0) return { complexity: 0, refusal: undefined };
  const entity: VerifiedEntity = { kind: "transaction", transaction };
  const asked = assets.map((assetId) => ({ assetId, role: roleOf(transaction, assetId) }));
  const own = askInTurn(asked, entity, view, context, complexityLimit);
  if (own.refusal !== undefined) return own;
  const fees = feeAssets.map((assetId) => ({ assetId, role: "matcherFee" as const }));
  const { refusal } = askInTurn(fees, entity, view, context, complexityLimit);
  return { complexity: own.complexity, refusal };
}

/** @see askAssetScripts */
export function askInTurn(
  assets: readonly AskedAsset[],
  entity: VerifiedEntity,
  view: StateView,
  { trace }: Pick<BlockContext, "trace">,
  complexityLimit: number | undefined,
): AssetsVerdict {
  let complexity = 0;
  for (const { assetId, role } of assets) {
    const script = view.findAsset(assetId)?.script;
    if (script === undefined) continue;
    const { complexity: spent, refusal } = verdictOf(
      {
        view,
        script: script.script,
        owner: { kind: "asset", assetId },
        entity,
        complexityLimit: complexityLimit === undefined ? undefined : complexityLimit - complexity,
        isLogged: trace !== undefined,
      },
      script.complexity,
    );
    const step: VerifierStep = { kind: "asset", assetId, role, failure: refusal };
    trace?.push(step);
    if (refusal !== undefined) {
      return { complexity: complexity + Number(script.complexity), refusal: { assetId, failure: refusal } };
    }
    complexity += spent;
  }
  return { complexity, refusal: undefined };
}

/** The refusal as what makes a transaction fail that may. @param spentComplexity of all scripts */
export function assetFailure({ assetId, failure }: AssetRefusal, spentComplexity: number): FailedTransaction {
  const { error, log = [] } = failure;
  return new FailedTransaction({ cause: "assetScript", spentComplexity, error: error ?? undefined, assetId, log });
}

/** The refusal as a fault. */
export function assetFault({ failure: { error } }: AssetRefusal): RuleError {
  return error === null
    ? new RuleError({ code: "scriptRefused", of: "asset" })
    : new RuleError({ code: "scriptFailed", of: "asset", message: error });
}

function matcherFeeAssets(transaction: Transaction, view: StateView): readonly AssetId[] {
  if (transaction.type !== 7) return [];
  const { buy, sell } = ordersBySide(transaction);
  const [first, second] = [buy.matcherFeeAsset, sell.matcherFeeAsset];
  const assets = isSame(first, second) ? [first] : [first, second];
  return assets.filter((asset): asset is AssetId => asset !== null && hasAssetScript(asset, view));
}

function roleOf(transaction: Transaction, assetId: AssetId): AssetRole {
  const isIt = (asset: Asset): boolean => isSame(asset, assetId);
  switch (transaction.type) {
    case 16:
      return transaction.payments.some(({ asset }: Payment) => isIt(asset)) ? "payment" : "unknown";
    case 7: {
      if (isIt(transaction.order1.amountAsset)) return "orderAmount";
      return "orderPrice";
    }
    case 5:
      return "reissue";
    case 6:
      return "burn";
    case 14:
      return "sponsor";
    case 15:
    case 17:
      return "updateInfo";
    case 4:
    case 11:
      return "transfer";
    default:
      return "unknown";
  }
}

function isSame(left: Asset, right: Asset): boolean {
  return left === null || right === null ? left === right : equalBytes(left, right);
}
