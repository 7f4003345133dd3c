/**
 * Scripts of the assets with which a dApp pays another one. They run in order before the call.
 * @source Waves: state/diffs/invoke/InvokeScriptDiff.scala (complexityAfterPaymentsTraced)
 */
import { Feature } from "../../../network/features.ts";
import { assetFailure, runAssetScript } from "../scripts/asset-verdict.ts";
import type { NestedCallRequest } from "./call-request.ts";
import type { Callee } from "./callee.ts";
import { type Actor, pseudoCall, pseudoTransfer } from "./pseudo-transactions.ts";

/**
 * @returns complexity that the scripts spent, and the sum of their estimates
 * @throws FailedTransaction one of them refuses
 */
export function runNestedPaymentScripts(request: NestedCallRequest, { libraryVersion }: Callee) {
  const { call, context, view, availableComplexity } = request;
  const { root, sender, senderKey, dApp, payments } = call;
  const timestamp = (): bigint => root.timestamp;
  const transactionId = (): Uint8Array => root.id;
  const actor: Actor = { sender, senderPublicKey: senderKey, transactionId, timestamp };
  const scripted = payments.flatMap(({ asset: assetId, amount }) => {
    const script = assetId === null ? undefined : view.findAsset(assetId)?.script;
    return assetId === null || script === undefined ? [] : [{ assetId, amount, script }];
  });
  // Before feature 17 each script saw its payment as a transfer.
  const seesCall = view.has(Feature.RideV6);
  const spentBefore = context.totalComplexityLimit - availableComplexity;
  let spent = 0;
  for (const { assetId, amount, script } of scripted) {
    const recipient = { kind: "address", bytes: dApp } as const;
    const show = seesCall
      ? pseudoCall(actor, { ...call, dAppVersion: libraryVersion })
      : pseudoTransfer(actor, { recipient, amount, assetId });
    const { complexity, refusal } = runAssetScript({
      assetId,
      script,
      entity: { kind: "action", transactionId, show },
      view,
      complexityLimit: availableComplexity - spent,
      isLogged: context.isLogged,
    });
    spent += complexity;
    if (refusal !== undefined) throw assetFailure({ assetId, refusal }, "payment", spentBefore + spent);
  }
  return { spent, estimated: scripted.reduce((sum, { script }) => sum + Number(script.complexity), 0) };
}
