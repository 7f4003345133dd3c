/** Bytes of a hex text, spaces ignored, as published test vectors are written. */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
