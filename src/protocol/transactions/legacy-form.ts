/**
 * Transactions in the legacy binary form: order of prefix, body and proofs.
 * @source Waves: transaction/TransactionParsers.scala, transaction/serialization/impl/**
 */
import { ByteReader, underField } from "../codec/byte-reader.ts";
import { writtenBytes } from "../codec/byte-writer.ts";
import { encode } from "../codec/codec.ts";
import { WireError } from "../errors.ts";
import type { LegacyForm } from "./format.ts";
import { proofs, signature } from "./legacy-fields.ts";
import { type AnyFormat, findFormat } from "./table.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";

type AnyLegacyForm = LegacyForm<Transaction>;

/** Legacy form of a version; undefined if the version has none. */
export function findLegacyForm(format: AnyFormat, version: number): AnyLegacyForm | undefined {
  return Object.hasOwn(format.legacy, version) ? format.legacy[version] : undefined;
}

/** Whether the version has one signature instead of proofs. */
export function carriesSignature(format: AnyFormat, version: number): boolean {
  const order = findLegacyForm(format, version)?.order;
  return order === "body, signature" || order === "signature, body";
}

/** Parsed parts of a transaction, without the derived ones. */
export interface LegacyParts {
  readonly format: AnyFormat;
  readonly fields: TransactionFields;
  /** The signed bytes; undefined if the input has them in another form. */
  readonly bodyBytes: Uint8Array | undefined;
}

/** @param chainId of the network, for forms that do not write it @throws WireError */
export function readLegacy(bytes: Uint8Array, chainId: number): LegacyParts {
  const { format, version, form } = recognize(bytes);
  const from = new ByteReader(bytes);
  try {
    for (const byte of form.prefix) {
      if (from.u8() !== byte) from.fail(`${byte} expected`, from.offset - 1);
    }
    const before = form.order === "signature, body" ? { proofs: [signature.read(from)] } : undefined;
    const bodyStart = from.offset;
    const own = (form.storedBody ?? form.body).read(from);
    const bodyEnd = from.offset;
    const signed = before ?? readProofs(form, from);
    from.expectEnd();
    const fields = {
      type: format.type,
      version,
      chainId: format.chainIdOf?.(own) ?? chainId,
      feeAsset: null,
      ...form.absent,
      ...own,
      ...signed,
    } as TransactionFields;
    const bodyBytes = form.storedBody === undefined ? bytes.slice(bodyStart, bodyEnd) : undefined;
    return { format, fields, bodyBytes };
  } catch (error) {
    throw underField(format.name, error);
  }
}

export function encodeLegacyBody(form: AnyLegacyForm, fields: TransactionFields): Uint8Array {
  return encode(form.body, fields as Partial<TransactionFields>);
}

export function encodeLegacy(form: AnyLegacyForm, fields: TransactionFields, body: Uint8Array): Uint8Array {
  const signed = "proofs" in fields ? fields.proofs : [];
  const content = form.storedBody === undefined ? body : encode(form.storedBody, fields as Partial<TransactionFields>);
  return writtenBytes((to) => {
    for (const byte of form.prefix) to.u8(byte);
    if (form.order === "signature, body") to.bytes(signed[0] ?? noSignature);
    to.bytes(content);
    if (form.order === "body, signature") to.bytes(signed[0] ?? noSignature);
    if (form.order === "body, proofs") proofs.write({ proofs: signed }, to);
  });
}

const noSignature = new Uint8Array(0);

function readProofs(form: AnyLegacyForm, from: ByteReader): { proofs?: readonly Uint8Array[] } {
  if (form.order === "body, signature") return { proofs: [signature.read(from)] };
  return form.order === "body, proofs" ? proofs.read(from) : {};
}

/** Reads type and version: the first byte is the type, or a zero before type and version. */
function recognize(bytes: Uint8Array): { format: AnyFormat; version: number; form: AnyLegacyForm } {
  const isVersioned = bytes[0] === 0;
  const type = bytes[isVersioned ? 1 : 0];
  const version = isVersioned ? bytes[2] : 1;
  if (type === undefined || version === undefined) {
    throw new WireError({ field: "transaction", offset: bytes.length, reason: "ends before its type and version" });
  }
  const format = findFormat(type);
  const form = format === undefined ? undefined : findLegacyForm(format, version);
  if (format === undefined || form === undefined) {
    throw new WireError({ field: "transaction", offset: 0, reason: `unknown type ${type} and version ${version}` });
  }
  return { format, version, form };
}
