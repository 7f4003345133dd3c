/**
 * Activation of transaction types and versions by features.
 * @source Waves: state/diffs/CommonValidation.scala (disallowBeforeActivationTime)
 */

import { Feature, type FeatureId } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { FormatError } from "../../../protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../protocol/transactions/format-error-content.ts";
import { formatOf } from "../../../protocol/transactions/table.ts";
import type { ExchangeTransaction, Transaction } from "../../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../../protocol/transactions/transaction-type.ts";
import { checkTransactionScript } from "../../../ride/script/check-transaction-script.ts";
import type { StateView } from "../../state/state-view.ts";
import { checkScriptActivation } from "./script-activation.ts";

/**
 * Checks that the active features include the transaction's type and version.
 * @throws RuleError versionNotSupported, featureNotActive
 */
export function checkActivation(transaction: Transaction, view: StateView): void {
  checkVersion(transaction, view);
  const { feature, versionFeatures, maxVersion } = formatOf(transaction.type);
  const versionFeature = versionFeatures?.[Math.min(transaction.version, maxVersion)];
  if (feature !== undefined) requireFeature(feature, view);
  if (versionFeature !== undefined) requireFeature(versionFeature, view);
  if (transaction.type === TransactionType.Exchange) checkOrderVersions(transaction, view);
  if ("script" in transaction) {
    checkScript(transaction);
    if (transaction.script !== null) checkScriptActivation(transaction.script, view);
  }
}

/** Checks the script, which parsing a transaction from bytes does not. @throws RuleError generic */
function checkScript(transaction: Transaction): void {
  try {
    checkTransactionScript(transaction);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new RuleError({ code: "generic", message: formatErrorContent(error.violation).message }, { cause: error });
  }
}

function checkVersion({ type, version }: Transaction, view: StateView): void {
  const { hasVersions, maxVersion, protobufSince = maxVersion } = formatOf(type);
  if (!hasVersions) return;
  const isKnown = version > 0 && version <= maxVersion;
  if (!isKnown && view.has(Feature.LightNode)) throw new RuleError({ code: "versionNotSupported", type, version });
  // Until feature 22 a future version counts as one in protobuf.
  if (version >= protobufSince) requireFeature(Feature.BlockV5, view);
  else if (!isKnown) throw new RuleError({ code: "versionNotSupported", type, version });
}

function checkOrderVersions({ order1, order2 }: ExchangeTransaction, view: StateView): void {
  if (order1.version >= 3 || order2.version >= 3) requireFeature(Feature.OrderV3, view);
}

/** @throws RuleError featureNotActive */
function requireFeature(feature: FeatureId, view: StateView): void {
  if (!view.has(feature)) throw new RuleError({ code: "featureNotActive", feature });
}
