/**
 * A checkpoint as a file: an eight-byte magic number, the parts one after the other, then the table of contents: the
 * manifest, and the size and digest of every part in the file. So the file is written in one pass, and can be read from
 * any part on.
 */
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import * as z from "zod";
import { CheckpointRefused, textDigest } from "../../durable/chain-state/checkpoint/manifest.ts";
import { partName } from "../../durable/chain-state/checkpoint/packed-part.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import { decodeHex, encodeHex } from "../../src/crypto/hex.ts";

const BEGIN = new TextEncoder().encode("WAVESCP1");
/** End of the file: digest and length of the table of contents, and a magic number. */
const END = new TextEncoder().encode("1PCSEVAW");
const DIGEST_BYTES = 32;
const LENGTH_BYTES = 4;
const FOOT_BYTES = DIGEST_BYTES + LENGTH_BYTES + END.length;
/** Limit of the table of contents; that of the largest state has some megabytes. */
const MAX_TABLE_BYTES = 256 * 2 ** 20;

const contentsSchema = z.strictObject({
  manifest: z.string(),
  stored: z.array(z.tuple([z.int().positive(), z.string()])),
});
type Contents = z.output<typeof contentsSchema>;

/** Writes a file that gets its name when it is complete. */
export class CheckpointWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #stored: Contents["stored"] = [];
  sizeBytes = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** @throws NodeJS.ErrnoException */
  static async open(file: string): Promise<CheckpointWriter> {
    const writer = new CheckpointWriter(file, await open(partial(file), "w"));
    await writer.#write(BEGIN);
    return writer;
  }

  async add(packed: Uint8Array): Promise<void> {
    await this.#write(packed);
    this.#stored.push([packed.length, textDigest(packed)]);
  }

  async end(manifest: string): Promise<void> {
    const contents = Buffer.from(JSON.stringify({ manifest, stored: this.#stored } satisfies Contents));
    await this.#write(contents);
    await this.#write(decodeHex(textDigest(contents)));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(contents.length);
    await this.#write(length);
    await this.#write(END);
    await this.#handle.sync();
    await this.#handle.close();
    await rename(partial(this.#file), this.#file);
  }

  /** Deletes the incomplete file. */
  async giveUp(): Promise<void> {
    await this.#handle.close();
    await rm(partial(this.#file), { force: true });
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#handle.writeFile(bytes);
    this.sizeBytes += bytes.length;
  }
}

function partial(file: string): string {
  return `${file}.partial`;
}

/** Reads a file, one part at a time. */
export class CheckpointReader {
  readonly manifest: string;
  readonly #handle: FileHandle;
  readonly #stored: Contents["stored"];
  /** Offset of each part. */
  readonly #offsets: readonly number[];

  private constructor(handle: FileHandle, { manifest, stored }: Contents) {
    this.#handle = handle;
    this.manifest = manifest;
    this.#stored = stored;
    let offset = BEGIN.length;
    this.#offsets = stored.map(([length]) => {
      const begin = offset;
      offset += length;
      return begin;
    });
  }

  /** @throws CheckpointRefused, NodeJS.ErrnoException */
  static async open(file: string): Promise<CheckpointReader> {
    const handle = await open(file, "r");
    try {
      return new CheckpointReader(handle, await readContents(handle));
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get parts(): number {
    return this.#stored.length;
  }

  /** @param table table of its rows, for error messages @throws CheckpointRefused */
  async part(number: number, table: string): Promise<Uint8Array<ArrayBuffer>> {
    const [length = 0, digest] = this.#stored[number] ?? [];
    const packed = await readAt(this.#handle, this.#offsets[number] ?? 0, length);
    if (textDigest(packed) === digest) return packed;
    throw new CheckpointRefused(`${partName(number, { table })} is damaged: it is not as it was written`);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** @throws CheckpointRefused */
async function readContents(handle: FileHandle): Promise<Contents> {
  const { size } = await handle.stat();
  const begin = await readAt(handle, 0, Math.min(BEGIN.length, size));
  if (!equalBytes(begin, BEGIN)) throw new CheckpointRefused("the file is no checkpoint");
  const foot = await readAt(handle, Math.max(size - FOOT_BYTES, 0), Math.min(FOOT_BYTES, size));
  const cutOff = new CheckpointRefused("the checkpoint is cut off, or damaged at its end");
  if (!equalBytes(foot.subarray(-END.length), END)) throw cutOff;
  const length = Buffer.from(foot).readUInt32BE(DIGEST_BYTES);
  const offset = size - FOOT_BYTES - length;
  if (length > MAX_TABLE_BYTES || offset < BEGIN.length) throw cutOff;
  const bytes = await readAt(handle, offset, length);
  if (textDigest(bytes) !== encodeHex(foot.subarray(0, DIGEST_BYTES)))
    throw new CheckpointRefused("the table of contents of the checkpoint is damaged");
  const { data } = contentsSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  const end = data?.stored.reduce((sum, [partLength]) => sum + partLength, BEGIN.length);
  if (data === undefined || end !== offset)
    throw new CheckpointRefused("the table of contents of the checkpoint does not match its parts");
  return data;
}

async function readAt(handle: FileHandle, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await handle.read(bytes, 0, length, offset);
  if (bytesRead !== length) throw new CheckpointRefused("the checkpoint is cut off, or damaged at its end");
  return bytes;
}
