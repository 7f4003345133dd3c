/**
 * Recursive Length Prefix, the encoding of Ethereum transactions: byte strings, and one list of them.
 * @source Ethereum Yellow Paper, appendix B
 */
import { ByteWriter } from "../codec/byte-writer.ts";
import { WireError } from "../errors.ts";

const stringBase = 0x80;
const listBase = 0xc0;
/** Contents up to this size have the size in their first byte. */
const shortBytes = 55;

/** Maximum nesting of lists; wallets write no nested ones. */
const maxDepth = 100;

/**
 * Maximum of stored items of a list. Transactions have nine; a megabyte could hold a million, in a hundred megabytes of
 * memory.
 */
const maxStoredItems = 16;

/** A byte string, or a list of such. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/**
 * Decodes items until the end of the bytes, as leniently as the reference's library: sizes may be longer than needed,
 * and an inner list may exceed the outer one, which then ends. Returns the first items of each list, but reads all.
 * @throws WireError
 * @source web3j: org.web3j.rlp.RlpDecoder
 */
export function decodeRlp(bytes: Uint8Array): readonly RlpItem[] {
  // Without this limit, overlapping lists would make the decoder read their bytes again and again.
  return new RlpDecoder(bytes, 2 * bytes.length).items(0, bytes.length, 0);
}

class RlpDecoder {
  readonly #bytes: Uint8Array;
  #itemsLeft: number;

  constructor(bytes: Uint8Array, maxItems: number) {
    this.#bytes = bytes;
    this.#itemsLeft = maxItems;
  }

  items(start: number, end: number, depth: number): readonly RlpItem[] {
    if (end > this.#bytes.length || depth > maxDepth) this.#fail("a list that is too long or too deep", start);
    const items: RlpItem[] = [];
    for (let at = start; at < end; ) {
      this.#itemsLeft -= 1;
      if (this.#itemsLeft < 0) this.#fail("lists that overlap", at);
      const { isList, from, to } = this.#head(at);
      if (!isList && to > end) this.#fail(`a string of ${to - from} bytes, ${end - from} left`, at);
      const inner = isList ? this.items(from, to, depth + 1) : undefined;
      if (items.length < maxStoredItems) items.push(inner ?? this.#bytes.slice(from, to));
      at = to;
    }
    return items;
  }

  /** Kind and content range of an item. */
  #head(at: number): { readonly isList: boolean; readonly from: number; readonly to: number } {
    const first = this.#bytes[at] as number;
    if (first < stringBase) return { isList: false, from: at, to: at + 1 };
    const isList = first >= listBase;
    const code = first - (isList ? listBase : stringBase);
    if (code <= shortBytes) return { isList, from: at + 1, to: at + 1 + code };
    const from = at + 1 + code - shortBytes;
    return { isList, from, to: from + this.#size(at + 1, from) };
  }

  /** Reads a size; in a size of more than four bytes, each byte wraps around separately. */
  #size(start: number, end: number): number {
    if (end > this.#bytes.length) this.#fail("it breaks off within a size", start);
    let sizeBytes = 0;
    for (let at = start; at < end; at++)
      sizeBytes = (sizeBytes + ((this.#bytes[at] as number) << (8 * (end - 1 - at)))) | 0;
    return sizeBytes < 0 ? this.#fail("a negative size", start) : sizeBytes;
  }

  #fail(reason: string, offset: number): never {
    throw new WireError({ field: "ethereum", offset, reason });
  }
}

export function encodeRlpList(items: readonly Uint8Array[]): Uint8Array {
  const content = new ByteWriter();
  for (const item of items) {
    const only = item[0];
    if (item.length === 1 && only !== undefined && only < stringBase) content.u8(only);
    else writeWithSize(stringBase, item, content);
  }
  const list = new ByteWriter(content.length + 4);
  writeWithSize(listBase, content.toBytes(), list);
  return list.toBytes();
}

/** An integer as a byte string: no leading zeros, nothing for zero. */
export function rlpInteger(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 8n) bytes.unshift(Number(rest & 0xffn));
  return Uint8Array.from(bytes);
}

/** Integer in a byte string. Cost: quadratic in the number of bytes. */
export function parseRlpInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function writeWithSize(base: number, content: Uint8Array, to: ByteWriter): void {
  if (content.length <= shortBytes) {
    to.u8(base + content.length);
  } else {
    const size = rlpInteger(BigInt(content.length));
    to.u8(base + shortBytes + size.length);
    to.bytes(size);
  }
  to.bytes(content);
}
