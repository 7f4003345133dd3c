/**
 * Activation of library versions by features.
 * @source Waves: state/diffs/CommonValidation.scala (scriptActivation), features/RideVersionProvider.scala
 */
import { Feature, featureDescriptions } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import {
  featureOfLibraryVersion,
  firstDAppVersion,
  firstVersionOfLightNode,
} from "../../../protocol/transactions/library-versions.ts";
import type { Script } from "../../../protocol/transactions/transaction.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { hasLaterBlocks, hasListValues } from "../../../ride/script/old-features.ts";
import type { StateView } from "../../state/state-view.ts";

/** Earlier versions need no feature, except for their use of later versions. */
const firstCheckedVersion = 3;
const laterBlocksSince = 3;
const listValuesSince = 4;

/** @throws RuleError featureNotActive, generic: the version is not allowed yet, or no longer */
export function checkScriptActivation(bytes: Script, view: StateView): void {
  const script = cachedScript(bytes);
  const { libraryVersion, content } = script;
  const isOld = libraryVersion < firstVersionOfLightNode;
  if (libraryVersion < listValuesSince && hasListValues(script)) requireVersion(listValuesSince, view);
  else if (libraryVersion < laterBlocksSince && hasLaterBlocks(script)) requireVersion(laterBlocksSince, view);
  else if (libraryVersion >= firstCheckedVersion) requireVersion(libraryVersion, view);
  if (isOld && view.has(Feature.LightNode)) {
    const message = `Script version below V4 is not allowed after ${featureDescriptions[Feature.LightNode]} feature activation`;
    throw new RuleError({ code: "generic", message: `ActivationError(${message})` });
  }
  if (content === "dApp") requireVersion(firstDAppVersion, view);
}

function requireVersion(version: number, view: StateView): void {
  const feature = featureOfLibraryVersion.get(version);
  if (feature !== undefined && !view.has(feature)) {
    throw new RuleError({ code: "featureNotActive", feature });
  }
}
