/** RSA keys encoded as in X.509, and in invalid ways. @source RFC 5280, 4.1 (SubjectPublicKeyInfo) */
import { concatBytes } from "../../../src/crypto/bytes.ts";
import type { RsaPublicKey } from "../../../src/crypto/rsa/rsa-key.ts";
import { derTags, identifierContent, integerContent, type LengthForm, tagged } from "./der-writer.ts";

const rsaIdentifier = "1.2.840.113549.1.1.1";
const noBytes = new Uint8Array(0);

export interface KeyForm {
  readonly identifier?: string;
  readonly parameters?: Uint8Array;
  readonly unusedBits?: number;
  /** Length encodings of the whole, the algorithm, the numbers, the modulus. */
  readonly forms?: readonly LengthForm[];
  readonly extra?: Partial<Record<"inNumbers" | "inKey" | "inAlgorithm" | "behindNumbers", Uint8Array>>;
  readonly integers?: "zeroInFront" | "negative" | "empty" | "otherTag";
  readonly isConstructed?: boolean;
}

export function keyBytes({ modulus, exponent }: RsaPublicKey, form: KeyForm = {}): Uint8Array {
  const { identifier = rsaIdentifier, unusedBits = 0, forms = [], extra = {}, isConstructed = false } = form;
  const parameters = form.parameters ?? tagged(derTags.nothing, noBytes);
  const algorithm = tagged(
    derTags.sequence,
    concatBytes(tagged(derTags.identifier, identifierContent(identifier)), parameters, extra.inAlgorithm ?? noBytes),
    forms[1],
  );
  const integers = concatBytes(
    tagged(form.integers === "otherTag" ? derTags.octets : derTags.integer, numberContent(modulus, form), forms[3]),
    tagged(derTags.integer, numberContent(exponent, form)),
    extra.inNumbers ?? noBytes,
  );
  const numbers = concatBytes(tagged(derTags.sequence, integers, forms[2]), extra.behindNumbers ?? noBytes);
  const content = concatBytes(Uint8Array.of(unusedBits), numbers);
  const middle = numbers.length >> 1;
  const chunks = [numbers.subarray(0, middle), numbers.subarray(middle)];
  const bits = isConstructed
    ? tagged(
        derTags.bits | 0x20,
        concatBytes(...chunks.map((chunk) => tagged(derTags.bits, concatBytes(Uint8Array.of(0), chunk)))),
      )
    : tagged(derTags.bits, content);
  return tagged(derTags.sequence, concatBytes(algorithm, bits, extra.inKey ?? noBytes), forms[0]);
}

function numberContent(value: bigint, { integers }: KeyForm): Uint8Array {
  const right = integerContent(value);
  if (integers === "zeroInFront") return Uint8Array.of(0, ...right);
  if (integers === "negative" && right[0] === 0 && right.length > 1) return right.subarray(1);
  return integers === "empty" ? noBytes : right;
}
