/**
 * Recursive Length Prefix, the encoding of Ethereum transactions: byte strings, and one list of them.
 * @source Ethereum Yellow Paper, appendix B
 */
import { ByteReader } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";

const stringBase = 0x80;
const listBase = 0xc0;
/** Contents up to this size have the size in their first byte. */
const shortBytes = 55;

/** Reads a list of byte strings that fills the input; only the shortest encoding is accepted. @throws WireError */
export function decodeRlpList(bytes: Uint8Array): readonly Uint8Array[] {
  const from = new ByteReader(bytes);
  const first = from.u8();
  if (first < listBase) from.fail("not a list", 0);
  const sizeBytes = readSize(first - listBase, from);
  if (sizeBytes !== from.remaining) from.fail(`a list of ${sizeBytes} bytes, ${from.remaining} left`);
  const items: Uint8Array[] = [];
  while (from.remaining > 0) items.push(readString(from));
  return items;
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

/** The integer in a byte string; undefined when it has leading zeros or more than 32 bytes. */
export function parseRlpInteger(bytes: Uint8Array): bigint | undefined {
  if (bytes[0] === 0 || bytes.length > 32) return undefined;
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function readString(from: ByteReader): Uint8Array {
  const at = from.offset;
  const first = from.u8();
  if (first < stringBase) return Uint8Array.of(first);
  if (first >= listBase) from.fail("a list within the list", at);
  const item = from.bytesOf(readSize(first - stringBase, from));
  if (item.length === 1 && (item[0] as number) < stringBase) from.fail("not the shortest encoding", at);
  return item;
}

function readSize(code: number, from: ByteReader): number {
  if (code <= shortBytes) return code;
  const at = from.offset;
  let sizeBytes = 0;
  for (let left = code - shortBytes; left > 0; left--) {
    sizeBytes = sizeBytes * 256 + from.u8();
    if (sizeBytes === 0 || sizeBytes > from.bytes.length) from.fail("size out of range", at);
  }
  if (sizeBytes <= shortBytes) from.fail("not the shortest encoding", at);
  return sizeBytes;
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
