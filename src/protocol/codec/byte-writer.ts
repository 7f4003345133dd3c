/** Writer for bytes of unknown size. */

/** Larger writers are not reused. */
const maxSpareRoomBytes = 1 << 16;
let spare: ByteWriter | undefined;

/** Bytes that a function writes. Creating a writer costs more than filling it, so one is reused between calls. */
export function writtenBytes(write: (to: ByteWriter) => void): Uint8Array {
  const to = spare ?? new ByteWriter(1024);
  spare = undefined;
  to.clear();
  write(to);
  const bytes = to.toBytes();
  if (to.roomBytes <= maxSpareRoomBytes) spare = to;
  return bytes;
}

/** Growing byte buffer. */
export class ByteWriter {
  #bytes: Uint8Array;
  /** Created for the first number. */
  #view: DataView | undefined;
  #length = 0;

  constructor(expectedSizeBytes = 256) {
    this.#bytes = new Uint8Array(expectedSizeBytes);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    // Called first, here and below: it may replace the buffer.
    const offset = this.#extend(1);
    this.#bytes[offset] = value;
  }

  i16(value: number): void {
    const offset = this.#extend(2);
    this.#numbers().setInt16(offset, value);
  }

  i32(value: number): void {
    const offset = this.#extend(4);
    this.#numbers().setInt32(offset, value);
  }

  i64(value: bigint): void {
    const offset = this.#extend(8);
    this.#numbers().setBigInt64(offset, value);
  }

  bytes(value: Uint8Array): void {
    const offset = this.#extend(value.length);
    this.#bytes.set(value, offset);
  }

  /** Seven bits a byte, least significant first. @param value an integer from 0 to 2^53 - 1 */
  varint(value: number): void {
    let rest = value;
    while (rest > 0x7fff_ffff) {
      this.u8((rest % 128) | 0x80);
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.u8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.u8(rest);
  }

  /** A varint of 64 bits; negative numbers take ten bytes. */
  varint64(value: bigint): void {
    if (value >= 0n && value <= 0x1f_ffff_ffff_ffffn) {
      this.varint(Number(value));
      return;
    }
    let rest = BigInt.asUintN(64, value);
    while (rest > 0x7fn) {
      this.u8(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.u8(Number(rest));
  }

  /** Writes the output of `write`, prefixed with its length as a varint. */
  delimited(write: () => void): void {
    const mark = this.#extend(1);
    write();
    const sizeBytes = this.#length - mark - 1;
    if (sizeBytes < 0x80) {
      this.#bytes[mark] = sizeBytes;
      return;
    }
    const prefixBytes = sizeBytes < 0x4000 ? 2 : sizeBytes < 0x20_0000 ? 3 : sizeBytes < 0x1000_0000 ? 4 : 5;
    this.#extend(prefixBytes - 1);
    this.#bytes.copyWithin(mark + prefixBytes, mark + 1, mark + 1 + sizeBytes);
    const end = this.#length;
    this.#length = mark;
    this.varint(sizeBytes);
    this.#length = end;
  }

  /** Copy of the written bytes. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Discards the written bytes, but keeps the buffer. */
  clear(): void {
    this.#length = 0;
  }

  get roomBytes(): number {
    return this.#bytes.length;
  }

  #numbers(): DataView {
    this.#view ??= new DataView(this.#bytes.buffer);
    return this.#view;
  }

  #extend(sizeBytes: number): number {
    const from = this.#length;
    const needed = from + sizeBytes;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, from));
      this.#bytes = grown;
      this.#view = undefined;
    }
    this.#length = needed;
    return from;
  }
}
