/** JSON as YAML. A module of its own, so that a bundle holds of the library what is used, and evaluates it when it is. */
import { stringify } from "yaml";
import type { JsonObject } from "../protocol/json.ts";

export function yamlText(value: JsonObject): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}
