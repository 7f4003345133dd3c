/** General names of any kind, in a form for comparison only. @source RFC 5280, 4.2.1.6; Java 17: GeneralName */
import { type DerValue, encodedValue } from "../der/platform-der.ts";
import { encodeHex } from "../hex.ts";
import { readName } from "./distinguished-name.ts";

export const directoryTag = 0xa4;

/** A text that is equal for equal names. @throws DerError */
export function generalName(value: DerValue): string {
  if (value.tag === directoryTag) return directoryName(readName(value.parts.next()).canonical);
  return encodeHex(encodedValue(value));
}

/** @param canonical form of a distinguished name */
export function directoryName(canonical: string): string {
  return `name ${canonical}`;
}

/** The names inside a value with any tag. @throws DerError */
export function generalNames(value: DerValue): readonly string[] {
  const names: string[] = [];
  for (const input = value.parts; input.available > 0; ) names.push(generalName(input.next()));
  return names;
}
