import { expect, test } from "vitest";
import type { BlockChunk } from "../../../local/import/block-file.ts";
import { VerifyAhead } from "../../../local/import/verify-ahead.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import { fixtureBytes, recordsOf } from "../../support/fixtures/recorded-blocks.ts";

const chainId = 0x52;
const records = recordsOf(fixtureBytes("private-a/blocks.bin.gz")).slice(0, 40);
const signatures = (from: number, to: number): number =>
  records.slice(from, to).reduce((sum, bytes) => sum + 1 + parseBlock(bytes, chainId).transactions.length, 0);

async function* chunksOf(...chunks: readonly (readonly Uint8Array[])[]): AsyncGenerator<BlockChunk> {
  let endOffset = 0;
  for (const chunk of chunks) {
    const bytes = concatBytes(...chunk.map(encodeBlockRecord)) as Uint8Array<ArrayBuffer>;
    endOffset += bytes.length;
    yield { bytes, endOffset };
  }
}

/**
 * Chunks, with the time at which they were read to the end: the verifier reads ahead once nothing is left to verify.
 */
function watched(chunks: AsyncGenerator<BlockChunk>) {
  const end = Promise.withResolvers<string>();
  const whole = async function* (): AsyncGenerator<BlockChunk> {
    try {
      yield* chunks;
    } finally {
      end.resolve("answer");
    }
  };
  return { ahead: new VerifyAhead(whole(), chainId), isVerified: end.promise };
}

function flags(verified: string, count: number): boolean[] {
  const reader = new FlagReader(verified);
  return Array.from({ length: count }, () => reader.next());
}

test("chunks come in order and whole, with the signatures that were verified while something else was awaited", async () => {
  const { ahead, isVerified } = watched(chunksOf(records.slice(0, 20), records.slice(20)));
  expect(await ahead.until(isVerified)).toBe("answer");
  const first = await ahead.next();
  expect(flags(first?.verified ?? "", signatures(0, 20)).filter(Boolean).length).toBeGreaterThan(20);
  expect(first?.bytes).toEqual(concatBytes(...records.slice(0, 20).map(encodeBlockRecord)));
  const second = await ahead.next();
  expect(flags(second?.verified ?? "", signatures(20, 40)).filter(Boolean).length).toBeGreaterThan(20);
  expect(await ahead.next()).toBeUndefined();
});

test("chunks that were not waited for have no signature verified", async () => {
  const ahead = new VerifyAhead(chunksOf(records), chainId);
  expect((await ahead.next())?.verified).toBe("");
});

test("a wrong signature is the one flag that stays down", async () => {
  const damaged = Uint8Array.from(records[3] as Uint8Array);
  const { signature } = parseBlock(damaged, chainId);
  const at = Buffer.from(damaged).indexOf(signature) + 40;
  damaged[at] = (damaged[at] as number) ^ 1;
  const { ahead, isVerified } = watched(chunksOf([...records.slice(0, 3), damaged]));
  await ahead.until(isVerified);
  const verified = flags((await ahead.next())?.verified ?? "", signatures(0, 4));
  expect(verified[signatures(0, 3)]).toBe(false);
  expect(verified.slice(0, signatures(0, 3)).every(Boolean)).toBe(true);
});

test("a block that cannot be read ends what is verified of its chunk, and the chunk goes on its way", async () => {
  const { ahead, isVerified } = watched(chunksOf([...records.slice(0, 3), Uint8Array.of(9, 9)], records.slice(3, 5)));
  await ahead.until(isVerified);
  expect(flags((await ahead.next())?.verified ?? "", signatures(0, 3)).every(Boolean)).toBe(true);
  expect((await ahead.next())?.bytes).toEqual(concatBytes(...records.slice(3, 5).map(encodeBlockRecord)));
});

test("an error of the file comes after the chunks before it, an error of the answer at once", async () => {
  const broken = async function* (): AsyncGenerator<BlockChunk> {
    yield* chunksOf(records.slice(0, 2));
    throw new Error("the file ends here");
  };
  const { ahead, isVerified } = watched(broken());
  await expect(ahead.until(Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  await ahead.until(isVerified);
  expect(await ahead.next()).toBeDefined();
  await expect(ahead.next()).rejects.toThrow("the file ends here");
});
