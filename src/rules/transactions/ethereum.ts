/** Transfers and calls signed by an Ethereum wallet. @source Waves: state/diffs/EthereumTransactionDiff.scala */
import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import { ethereumPayload, tokenTransferBytes } from "../../protocol/transactions/ethereum.ts";
import type { EthereumTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { runScriptsInOrder } from "./checks/asset-scripts.ts";
import type { TransactionEffect } from "./effect.ts";
import { isShortEthereumKey } from "./ethereum-key.ts";
import { applyEthereumCall } from "./invoke/ethereum-call.ts";
import { ethereumTransferOf } from "./scripts/ethereum-transfer.ts";
import { refusalError } from "./scripts/verdict.ts";
import { applyTransferOf } from "./transfer.ts";

/**
 * @throws RuleError ethereumKeyInvalid, ethereumTransferDataSizeWrong, erc20AssetUnknown and those of
 *   transfers and calls; FailedTransaction
 */
export function applyEthereum(
  transaction: EthereumTransaction,
  view: StateView,
  context: BlockContext,
): TransactionEffect {
  const { senderKey, sender, fee, feeAsset, data } = transaction;
  if (isShortEthereumKey(senderKey) && !view.has(Feature.ConsensusImprovements)) {
    throw new RuleError({ code: "ethereumKeyInvalid" });
  }
  const payload = ethereumPayload(transaction);
  if (payload.kind === "invocation") return applyEthereumCall(transaction, payload, view, context);
  const { token, recipient, amount } = payload;
  if (token !== null) checkDataSize(data, view);
  const asset = token === null ? null : getErc20Asset(token, view);
  const spentComplexity = asset === null ? 0 : runTokenScript(transaction, asset, view, context);
  const transfer = { account: sender, recipient: { kind: "address", address: recipient }, asset, amount } as const;
  return { snapshot: applyTransferOf({ ...transfer, feeAsset, fee }, view, context), spentComplexity };
}

/** @returns complexity that the asset's script spent @throws RuleError scriptFailed, scriptRefused */
function runTokenScript(
  transaction: EthereumTransaction,
  assetId: AssetId,
  view: StateView,
  context: BlockContext,
): number {
  const transfer = ethereumTransferOf(transaction, view);
  if (transfer === undefined) return 0;
  const assets = [{ assetId, role: "unknown" } as const];
  const { complexity, refused } = runScriptsInOrder(assets, { kind: "transfer", transfer }, view, context, undefined);
  if (refused !== undefined) throw refusalError(refused.refusal, "asset");
  return complexity;
}

function getErc20Asset(address: Uint8Array, view: StateView): AssetId {
  const description = view.findAssetByErc20Address(address);
  if (description === undefined) throw new RuleError({ code: "erc20AssetUnknown", address });
  return description.assetId;
}

function checkDataSize(data: Uint8Array, view: StateView): void {
  if (!view.has(Feature.BlockRewardDistribution)) return;
  if (data.length !== tokenTransferBytes) {
    const details = { sizeBytes: data.length, expected: tokenTransferBytes };
    throw new RuleError({ code: "ethereumTransferDataSizeWrong", ...details });
  }
}
