/**
 * Deliberate differences between this node's responses and those of release 1.5 of the reference: see
 * docs/departures.md.
 */
import { Feature } from "../../src/network/features.ts";
import { isJsonObject, type ParsedJson } from "../../src/protocol/parse-json.ts";

/** Messages for the reader of the verdict. */
export const knownDeviations: readonly string[] = [
  "features 24 and 25 in /activation/status: this node is of release 1.6, which has them",
];

const laterFeatures: ReadonlySet<unknown> = new Set<number>([Feature.EcrecoverFix, Feature.DeterministicFinality]);

/** Response of `/activation/status` without the features that release 1.5 does not have. */
export function withoutLaterFeatures(answer: ParsedJson): ParsedJson {
  if (!isJsonObject(answer) || !Array.isArray(answer["features"])) return answer;
  const features = answer["features"] as readonly ParsedJson[];
  const isLater = (feature: ParsedJson): boolean => isJsonObject(feature) && laterFeatures.has(Number(feature["id"]));
  return { ...answer, features: features.filter((feature) => !isLater(feature)) };
}
