/** The recorded response of release 1.5 with all features, converted to release 1.6. */
import { Feature, featureDescriptions } from "../../../src/network/features.ts";
import type { Exchange } from "./exchange.ts";

const featuresPath = "/activation/status";
/** The end of the list of features, of which release 1.5 has 23. */
const lastRecordedFeature = /(\{"id":23,[^}]*\})\]/;
const laterFeatures = [Feature.EcrecoverFix, Feature.DeterministicFinality]
  .map((id) => ({ id, description: featureDescriptions[id], blockchainStatus: "VOTING", nodeStatus: "IMPLEMENTED" }))
  .map((feature) => `,${JSON.stringify({ ...feature, supportingBlocks: 0 })}`)
  .join("");

/** The exchange with the response since features 24 and 25 are known; undefined if that is the recorded one. */
export function withLaterFeatures(exchange: Exchange): Exchange | undefined {
  const { path, response } = exchange;
  if (path !== featuresPath || !lastRecordedFeature.test(response)) return undefined;
  return { ...exchange, response: response.replace(lastRecordedFeature, `$1${laterFeatures}]`) };
}
