/** Scripts of the assets that a call of an account pays with, asked after the call. */
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import { askInTurn, assetFailure } from "../checks/asset-scripts.ts";
import { hasAssetScript } from "../checks/assets.ts";
import type { AssetRole } from "../scripts/trace.ts";
import { paidAssetIds } from "./invocation.ts";

/**
 * @param role of the assets, as traces name it
 * @param spent complexity of the scripts that ran before
 * @returns complexity that these spent
 * @throws FailedTransaction
 */
export function askPaidAssets(
  invoke: ScriptInvoke,
  role: AssetRole,
  {
    view,
    context,
    spent,
  }: { readonly view: StateView; readonly context: Pick<BlockContext, "trace">; readonly spent: number },
): number {
  const assets = paidAssetIds(invoke).filter((asset) => hasAssetScript(asset, view));
  const asked = assets.map((assetId) => ({ assetId, role }));
  const { complexity, refusal } = askInTurn(asked, { kind: "invoke", invoke }, view, context, undefined);
  if (refusal !== undefined) throw assetFailure(refusal, spent + complexity);
  return complexity;
}
