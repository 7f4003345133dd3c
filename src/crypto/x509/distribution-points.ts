/**
 * Distribution points: the locations of revocation lists that certificates name, and the scope that lists declare.
 * Nothing is fetched: all lists are input.
 * @source RFC 5280, 4.2.1.13 and 5.2.5; Java 17: DistributionPoint, IssuingDistributionPointExtension, ReasonFlags
 */
import { DerError } from "../der/der-error.ts";
import { type DerValue, derTag, partsOf } from "../der/platform-der.ts";
import { type DistinguishedName, relativeName } from "./distinguished-name.ts";
import { directoryName, generalNames } from "./general-names.ts";

/** Names of a point: full, or a last level that is appended to the issuer's name. */
export type PointNames =
  | { readonly kind: "full"; readonly names: readonly string[] }
  | { readonly kind: "relative"; readonly part: readonly string[] };

export interface DistributionPoint {
  readonly names: PointNames | undefined;
  /** Undefined: all reasons. */
  readonly reasons: readonly boolean[] | undefined;
  readonly listIssuers: readonly string[] | undefined;
}

export interface IssuingPoint {
  readonly names: PointNames | undefined;
  readonly onlySubjects: boolean;
  readonly onlyAuthorities: boolean;
  readonly onlyAttributes: boolean;
  readonly isIndirect: boolean;
  readonly reasons: readonly boolean[] | undefined;
}

const [first, second, third, fourth, fifth, sixth] = [0, 1, 2, 3, 4, 5] as const;
const constructed = 0x20;

/** @throws DerError */
export function readDistributionPoints(value: DerValue): readonly DistributionPoint[] {
  return partsOf(value, derTag.sequence).map((point) => {
    const parts = numberedParts(point, derTag.sequence);
    if (!parts.has(first) && !parts.has(third)) {
      throw new DerError("One of fullName, relativeName,  and crlIssuer has to be set");
    }
    return {
      names: optional(parts.get(first), readPointNames),
      reasons: optional(parts.get(second), readReasons),
      listIssuers: optional(parts.get(third), generalNames),
    };
  });
}

/** @throws DerError */
export function readIssuingPoint(value: DerValue): IssuingPoint {
  const parts = numberedParts(value, derTag.sequence);
  const flag = (number: number): boolean => {
    const content = parts.get(number)?.content;
    if (content !== undefined && content.length !== 1) throw new DerError("DerValue.getBoolean, invalid length");
    return content !== undefined && content[0] !== 0;
  };
  return {
    names: optional(parts.get(first), readPointNames),
    onlySubjects: flag(second),
    onlyAuthorities: flag(third),
    reasons: optional(parts.get(fourth), readReasons),
    isIndirect: flag(fifth),
    onlyAttributes: flag(sixth),
  };
}

/** The names in full, a relative one with the issuer's name before it. @throws DerError */
export function namesOf(names: PointNames, issuer: DistinguishedName): readonly string[] {
  if (names.kind === "full") return names.names;
  return [directoryName(JSON.stringify([...(JSON.parse(issuer.canonical) as readonly string[]), names.part]))];
}

/** Parts by the number of their tag. @throws DerError */
function numberedParts(value: DerValue, tag: number): ReadonlyMap<number, DerValue> {
  const parts = new Map<number, DerValue>();
  for (const part of partsOf(value, tag)) {
    const number = part.tag & 0x1f;
    if ((part.tag & 0xc0) !== 0x80 || number > sixth || parts.has(number))
      throw new DerError("Invalid encoding of point");
    parts.set(number, part);
  }
  return parts;
}

function readPointNames(value: DerValue): PointNames {
  const inner = value.parts.next();
  const number = inner.tag & 0x1f;
  if ((inner.tag & 0xc0) !== 0x80 || (inner.tag & constructed) === 0 || number > second) {
    throw new DerError("Invalid DistributionPointName in DistributionPoint");
  }
  if (number === first) return { kind: "full", names: generalNames(inner) };
  return { kind: "relative", part: relativeName(inner.retagged(derTag.set)) };
}

function readReasons({ content }: DerValue): readonly boolean[] {
  const unusedBits = content[0] ?? 0;
  return Array.from(
    { length: Math.max(0, (content.length - 1) * 8 - unusedBits) },
    (_, index) => ((content[1 + (index >> 3)] as number) & (0x80 >> (index & 7))) !== 0,
  );
}

function optional<Read>(value: DerValue | undefined, read: (value: DerValue) => Read): Read | undefined {
  return value && read(value);
}
