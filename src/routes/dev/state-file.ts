/**
 * State of a dev chain as a file: lines of text, compressed. The Worker and ChainState hold only a chunk of it at a
 * time.
 */
import type { DevRefusal, DevRpc, DumpResult, LoadResult } from "../../env.ts";

/** Characters of lines in one call of ChainState, which takes 32 MB. */
const PART_LENGTH = 1_000_000;
/** Overhead of a line in that count: otherwise the lines of a small compressed file could be too many for one call. */
const LINE_OVERHEAD = 100;
/** Maximum length of a line: rows of one parameter. */
const MAX_LINE_LENGTH = 2_000_000;
/** Maximum length of all lines, since a small file may decompress to any size. */
const MAX_LENGTH = 2 ** 30;

type DumpPart = Exclude<DumpResult, DevRefusal>;

/** The file is not a state. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";
}

/**
 * Streams a dump to the client. It breaks off if a part is missing.
 * @param first part already received from ChainState
 */
export function dumpedFile(first: DumpPart, dev: Pick<DevRpc, "dump">): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let chunk: DumpPart | undefined = first;
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (chunk === undefined) {
        controller.close();
        return;
      }
      const { lines: text, next }: DumpPart = chunk;
      controller.enqueue(encoder.encode(text));
      const result = next && (await dev.dump(next));
      if (result?.kind === "refused") throw new Error(result.reason);
      chunk = result;
    },
  });
  return lines.pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/**
 * Sends the lines of a file to ChainState, the first one alone: no more is read of a file that is not a dump.
 * @returns the last result
 * @throws FileUnreadable
 */
export async function loadFile(file: ReadableStream<Uint8Array>, dev: Pick<DevRpc, "load">): Promise<LoadResult> {
  let load: number | undefined;
  let lines: string[] = [];
  let length = 0;
  const send = async (isLast: boolean): Promise<LoadResult> => {
    const result = await dev.load({ load, lines, isLast });
    if (result.kind === "done") load = result.load;
    lines = [];
    length = 0;
    return result;
  };
  for await (const line of linesOf(file)) {
    lines.push(line);
    length += line.length + LINE_OVERHEAD;
    if (load !== undefined && length < PART_LENGTH) continue;
    const result = await send(false);
    if (result.kind === "refused") return result;
  }
  return send(true);
}

/**
 * @throws FileUnreadable it is truncated, not compressed properly, has an empty line, or exceeds the size of any state
 */
async function* linesOf(file: ReadableStream<Uint8Array>): AsyncIterable<string> {
  try {
    yield* unfoldedLines(file);
  } catch (cause) {
    throw new FileUnreadable(String(cause), { cause });
  }
}

async function* unfoldedLines(file: ReadableStream<Uint8Array>): AsyncIterable<string> {
  const unfolded = file.pipeThrough(new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let rest = "";
  let length = 0;
  for await (const bytes of unfolded) {
    length += bytes.length;
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    if (length > MAX_LENGTH || rest.length > MAX_LINE_LENGTH) throw new Error("the file exceeds the size of a state");
    if (parts.includes("")) throw new Error("the file has an empty line");
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
