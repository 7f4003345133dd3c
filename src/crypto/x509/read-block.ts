/**
 * Reads the first value of the bytes: binary, or as text between two lines of dashes. Bytes after it are ignored.
 * @source Java 17: sun.security.provider.X509Factory (readOneBlock)
 */
import { parseBase64 } from "../base64.ts";
import { DerError } from "../der/der-error.ts";
import { DerInput, type DerValue, derTag, readOnlyValue } from "../der/platform-der.ts";
import { X509Error } from "./x509-error.ts";

const [lineFeed, carriageReturn, dash] = [0x0a, 0x0d, 0x2d];
const dashes = "-----";
const beginning = `${dashes}BEGIN `;
const ending = `${dashes}END `;

/** @throws X509Error, DerError */
export function readBlock(bytes: Uint8Array): DerValue {
  if (bytes.length === 0) throw new X509Error("Could not parse certificate: java.io.IOException: Empty input");
  if (bytes[0] === derTag.sequence) {
    const { buffer, end } = new DerInput(bytes).next();
    // Without the cut, the bytes after it would count for inner values of indefinite length.
    return readOnlyValue(buffer.subarray(0, end));
  }
  return readOnlyValue(decodedText(bytes));
}

/** Bytes that the text encodes. @throws X509Error */
function decodedText(bytes: Uint8Array): Uint8Array {
  const text = latin1(bytes);
  const start = beginningOf(bytes);
  if (start === undefined) throw new X509Error("Empty input");
  const headEnd = lineEnd(text, start);
  const footStart = text.indexOf("-", headEnd);
  if (footStart === -1) throw new X509Error("Incomplete data");
  const head = text.slice(start, headEnd).trimEnd();
  const foot = text.slice(footStart, lineEnd(text, footStart)).trimEnd();
  if (!head.startsWith(beginning) || !head.endsWith(dashes) || head.length < beginning.length + dashes.length) {
    throw new X509Error(`Illegal header: ${head}`);
  }
  if (!foot.startsWith(ending) || !foot.endsWith(dashes) || foot.length < ending.length + dashes.length) {
    throw new X509Error(`Illegal footer: ${foot}`);
  }
  const kind = (line: string, prefix: string): string => line.slice(prefix.length, -dashes.length);
  if (kind(head, beginning) !== kind(foot, ending)) throw new X509Error("Header and footer do not match");
  const decoded = parseBase64(text.slice(headEnd, footStart).replaceAll(/[\t\n\r ]/g, ""));
  if (!(decoded instanceof Uint8Array)) throw new DerError("not base64");
  return decoded;
}

/** Offset of five dashes at the beginning of a line. */
function beginningOf(bytes: Uint8Array): number | undefined {
  let count = 0;
  let before = lineFeed;
  for (const [index, byte] of bytes.entries()) {
    if (byte === dash) count++;
    else {
      count = 0;
      before = byte;
    }
    if (count === dashes.length && (before === lineFeed || before === carriageReturn)) return index - dashes.length + 1;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const found = text.slice(from).search(/[\r\n]/);
  return found === -1 ? text.length : from + found;
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
