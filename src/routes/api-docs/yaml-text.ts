/**
 * JSON as YAML. A separate module, so that a bundle contains only the used part of the library, and evaluates it on
 * first use.
 */
import { stringify } from "yaml";
import type { JsonObject } from "../../protocol/json.ts";

export function yamlText(value: JsonObject): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}
