/** Lines of a file that ChainState gets, for any content. */
import { expect, test } from "vitest";
import type { LoadPart, LoadResult } from "../../../src/env.ts";
import { FileUnreadable, loadFile } from "../../../src/routes/dev/state-file.ts";

function compressed(text: string): ReadableStream<Uint8Array> {
  const gzip = new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;
  return new Blob([text]).stream().pipeThrough(gzip);
}

/** A ChainState that accepts every line by default, and records the chunks. */
function taker(refusedPart?: number) {
  const parts: LoadPart[] = [];
  const load = async (part: LoadPart): Promise<LoadResult> => {
    parts.push(part);
    if (parts.length - 1 === refusedPart) return { kind: "refused", reason: "it is none" };
    return { kind: "done", load: part.isLast ? undefined : -1, height: 1 };
  };
  return { parts, load };
}

test("lines come in order, the first one alone, and each is known to belong to it", async () => {
  const lines = ["head", ...Array.from({ length: 50 }, (_, index) => `${index}`.repeat(20_000)), "end"];
  const { parts, load } = taker();
  expect(await loadFile(compressed(`${lines.join("\n")}\n`), { load })).toMatchObject({
    kind: "done",
    load: undefined,
  });
  expect(parts.flatMap((part) => part.lines)).toEqual(lines);
  expect(parts[0]).toEqual({ load: undefined, lines: ["head"], isLast: false });
  expect(parts.slice(1).every((part) => part.load === -1)).toBe(true);
  expect(parts.map(({ isLast }) => isLast)).toEqual(parts.map((_, index) => index === parts.length - 1));
  expect(parts.length).toBeGreaterThan(2);
});

test("a file that is no dump ends after one line", async () => {
  const { parts, load } = taker(0);
  expect(await loadFile(compressed("a\n".repeat(100_000)), { load })).toEqual({
    kind: "refused",
    reason: "it is none",
  });
  expect(parts).toEqual([{ load: undefined, lines: ["a"], isLast: false }]);
});

test("a part has some thousand lines at most, however short they are", async () => {
  const { parts, load } = taker();
  await loadFile(compressed("a\n".repeat(100_000)), { load });
  expect(parts.reduce((sum, { lines }) => sum + lines.length, 0)).toBe(100_000);
  expect(Math.max(...parts.map(({ lines }) => lines.length))).toBeLessThan(10_000);
});

test.each([
  ["of nothing else", "\n".repeat(2 ** 22), 0],
  ["behind the first line", `head\n${"\n".repeat(2 ** 22)}`, 1],
])("a file with lines of nothing, %s, is none", async (_, text, taken) => {
  const { parts, load } = taker();
  await expect(loadFile(compressed(text), { load })).rejects.toThrow(FileUnreadable);
  expect(parts.length).toBeLessThanOrEqual(taken);
});
