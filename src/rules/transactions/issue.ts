/** Issue of an asset. @source Waves: state/diffs/AssetTransactionsDiffs.scala (issue) */

import { Feature } from "../../network/features.ts";
import { findUtf8Text } from "../../protocol/codec/utf8.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { IssueTransaction, Script } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { isNonFungible } from "./non-fungible.ts";
import { balancesAfter, portfolioOfWavesAnd, portfoliosOf } from "./portfolio.ts";
import {
  assetScriptComplexity,
  checkAssetScriptComplexity,
  checkAssetScriptSize,
} from "./scripts/script-complexities.ts";
import { senderAddress } from "./sender-address.ts";

/** Size of an asset id's prefix that Ethereum wallets use as its address. */
const erc20AddressBytes = 20;

/** @throws RuleError assetAlreadyIssued, assetTextNotUtf8, generic: the script is too complex or large, sumOverflow */
export function applyIssue(transaction: IssueTransaction, view: StateView): Snapshot {
  const { id, sender, fee, quantity, decimals, reissuable, name, description, script } = transaction;
  const assetId = id as Uint8Array as AssetId;
  if (view.findAssetByErc20Address(assetId.subarray(0, erc20AddressBytes)) !== undefined) {
    throw new RuleError({ code: "assetAlreadyIssued", asset: assetId });
  }
  if (view.has(Feature.BlockV5)) {
    checkText("name", name);
    checkText("description", description);
  }
  const complexity = script === null ? 0n : issuedScriptComplexity(script, view);
  const changes = portfoliosOf(senderAddress(transaction), portfolioOfWavesAnd(-fee, assetId, quantity));
  return {
    ...balancesAfter(changes, view),
    assetStatics: [
      { assetId, issuer: sender, decimals, nft: isNonFungible(transaction, view), originTransactionId: id },
    ],
    assetVolumes: [{ assetId, reissuable, volume: quantity }],
    assetTexts: [{ assetId, name, description }],
    ...(script === null ? {} : { assetScripts: [{ assetId, script, complexity }] }),
  };
}

function issuedScriptComplexity(script: Script, view: StateView): bigint {
  checkAssetScriptSize(script, view);
  const complexity = assetScriptComplexity(script, view);
  checkAssetScriptComplexity(complexity, view);
  return complexity;
}

function checkText(field: "name" | "description", bytes: Uint8Array): void {
  if (findUtf8Text(bytes) === undefined) throw new RuleError({ code: "assetTextNotUtf8", field });
}
