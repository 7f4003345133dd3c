/** Algorithms as certificates and revocation lists name them. @source RFC 5280, 4.1.1.2; Java 17: AlgorithmId */
import { DerError } from "../der/der-error.ts";
import { type DerValue, derTag, encodedValue, objectIdentifier } from "../der/platform-der.ts";
import { encodeHex } from "../hex.ts";

export interface Algorithm {
  readonly identifier: string;
  /** Undefined for none and for NULL, which are equal. */
  readonly parameters: DerValue | undefined;
}

/** @throws DerError */
export function readAlgorithm(value: DerValue): Algorithm {
  if (value.tag !== derTag.sequence) throw new DerError("algid parse error, not a sequence");
  const parts = value.parts;
  const identifier = objectIdentifier(parts.next());
  if (parts.available === 0) return { identifier, parameters: undefined };
  const parameters = parts.next();
  const isNull = parameters.tag === derTag.nullValue;
  if (isNull && parameters.content.length > 0) throw new DerError("invalid NULL");
  if (parts.available !== 0) throw new DerError("Invalid AlgorithmIdentifier: extra data");
  return { identifier, parameters: isNull ? undefined : parameters };
}

export function isSameAlgorithm(one: Algorithm, other: Algorithm): boolean {
  const parametersOf = ({ parameters }: Algorithm): string =>
    parameters === undefined ? "" : encodeHex(encodedValue(parameters));
  return one.identifier === other.identifier && parametersOf(one) === parametersOf(other);
}
