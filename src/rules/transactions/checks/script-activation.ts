/**
 * Versions of the library come with features.
 * @source Waves: state/diffs/CommonValidation.scala (scriptActivation), features/RideVersionProvider.scala
 */
import { Feature, type FeatureId, featureDescriptions } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/faults.ts";
import type { Script } from "../../../protocol/transactions/transaction.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { hasLaterBlocks, hasListValues } from "../../../ride/script/old-features.ts";
import type { StateView } from "../../state/state-view.ts";

const featureOfVersion: Readonly<Record<number, FeatureId>> = {
  3: Feature.Ride4DApps,
  4: Feature.BlockV5,
  5: Feature.SynchronousCalls,
  6: Feature.RideV6,
  7: Feature.BlockRewardDistribution,
  8: Feature.LightNode,
  9: Feature.DeterministicFinality,
};
const lastOldVersion = 3;

/** @throws RuleError featureNotActive, generic: the version came too early or is no longer taken */
export function checkScriptActivation(bytes: Script, view: StateView): void {
  const script = cachedScript(bytes);
  const { libraryVersion, content } = script;
  const isOld = libraryVersion <= lastOldVersion;
  if (isOld && hasListValues(script)) requireVersion(4, view);
  else if (libraryVersion < 3 && hasLaterBlocks(script)) requireVersion(3, view);
  else if (libraryVersion >= 3) requireVersion(libraryVersion, view);
  if (isOld && view.has(Feature.LightNode)) {
    const message = `Script version below V4 is not allowed after ${featureDescriptions[Feature.LightNode]} feature activation`;
    throw new RuleError({ code: "generic", message: `ActivationError(${message})` });
  }
  if (content === "dApp") requireVersion(3, view);
}

function requireVersion(version: number, view: StateView): void {
  const feature = featureOfVersion[version];
  if (feature !== undefined && !view.has(feature)) {
    throw new RuleError({ code: "featureNotActive", feature });
  }
}
