/** A state of the chain as a file: lines of text, compressed, of which neither the Worker nor ChainState ever holds more than a part. */
import type { DevRefusal, DevRpc, DumpAnswer, LoadAnswer } from "../env.ts";

/** Characters of lines that are handed on together: a call of ChainState takes 32 MB. */
const PART_LENGTH = 1_000_000;
/** What a line counts for besides its characters: without it a part would have as many lines as a small file can unfold to. */
const LINE_OVERHEAD = 100;
/** A line has one parameter's worth of rows. */
const MAX_LINE_LENGTH = 2_000_000;
/** Characters of all lines: what a small file unfolds to must have an end. */
const MAX_LENGTH = 2 ** 30;

type DumpPart = Exclude<DumpAnswer, DevRefusal>;

/** What was sent is no file of a state. */
export class FileUnreadable extends Error {
  override readonly name = "FileUnreadable";
}

/** The file as it is made. It breaks off when a part of it cannot be had. @param first which ChainState has given */
export function dumpedFile(first: DumpPart, dev: Pick<DevRpc, "dump">): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let part: DumpPart | undefined = first;
  const lines = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (part === undefined) {
        controller.close();
        return;
      }
      const { lines: text, next }: DumpPart = part;
      controller.enqueue(encoder.encode(text));
      const answer = next && (await dev.dump(next));
      if (answer?.kind === "refused") throw new Error(answer.reason);
      part = answer;
    },
  });
  return lines.pipeThrough(new CompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/**
 * Hands the lines of a file to ChainState, the first one alone: of a file that is no dump no more is read.
 * @returns its last word
 * @throws FileUnreadable
 */
export async function loadFile(file: ReadableStream<Uint8Array>, dev: Pick<DevRpc, "load">): Promise<LoadAnswer> {
  let load: number | undefined;
  let lines: string[] = [];
  let length = 0;
  const handOn = async (isLast: boolean): Promise<LoadAnswer> => {
    const answer = await dev.load({ load, lines, isLast });
    if (answer.kind === "done") load = answer.load;
    lines = [];
    length = 0;
    return answer;
  };
  for await (const line of linesOf(file)) {
    lines.push(line);
    length += line.length + LINE_OVERHEAD;
    if (load !== undefined && length < PART_LENGTH) continue;
    const answer = await handOn(false);
    if (answer.kind === "refused") return answer;
  }
  return handOn(true);
}

/** @throws FileUnreadable it breaks off, is not compressed as it should be, has a line of nothing, or more than any state */
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
    if (length > MAX_LENGTH || rest.length > MAX_LINE_LENGTH) throw new Error("the file has more than a state has");
    if (parts.includes("")) throw new Error("the file has a line of nothing");
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
