/** Text as UTF-16, big-endian. Halves of surrogate pairs are preserved; the platform's encoders would replace them. */

export function utf16Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes.set([unit >> 8, unit & 0xff], 2 * index);
  }
  return bytes;
}

/** @throws Error for an odd number of bytes */
export function utf16Text(bytes: Uint8Array): string {
  if (bytes.length % 2 !== 0) throw new Error("half a unit of UTF-16");
  let text = "";
  for (let at = 0; at < bytes.length; at += 2) {
    text += String.fromCharCode(((bytes[at] as number) << 8) | (bytes[at + 1] as number));
  }
  return text;
}
