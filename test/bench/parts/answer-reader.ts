/**
 * Finds where answers on a connection end, and nothing else of HTTP: a load generator shares its machine with what it
 * measures.
 * @source RFC 9112, 6 (length of a body), 7.1 (chunks)
 */

/** Where in an answer the next byte belongs. */
type Place = "head" | "body" | "chunkSize" | "chunk" | "trailer";

const emptyBytes = Buffer.alloc(0);
/** `HTTP/1.1 200` has its status here. */
const statusStart = 9;

/** Reads answers one after the other from the pieces in which they arrive. */
export class AnswerReader {
  #place: Place = "head";
  /** What of a head or a line has arrived, while it is not whole. */
  #begun: Buffer = emptyBytes;
  /** Bytes of the body or of the chunk that are still to come. */
  #left = 0;
  /** Of the answer that is being read or was read last. */
  status = 0;

  /**
   * @param piece what has arrived; not kept
   * @returns how many answers ended in it
   * @throws Error for what is no answer
   */
  push(piece: Buffer): number {
    let ended = 0;
    let at = 0;
    while (at < piece.length) {
      if (this.#place === "body" || this.#place === "chunk") {
        const taken = Math.min(this.#left, piece.length - at);
        at += taken;
        this.#left -= taken;
        if (this.#left > 0) break;
        if (this.#place === "body") ended += this.#end();
        else this.#place = "chunkSize";
        continue;
      }
      const ending = this.#place === "head" ? "\r\n\r\n" : "\r\n";
      const bytes = this.#begun.length === 0 ? piece.subarray(at) : Buffer.concat([this.#begun, piece.subarray(at)]);
      const end = bytes.indexOf(ending);
      if (end < 0) {
        this.#begun = Buffer.from(bytes);
        break;
      }
      at += end + ending.length - this.#begun.length;
      this.#begun = emptyBytes;
      ended += this.#line(bytes.latin1Slice(0, end));
    }
    return ended;
  }

  /** @returns whether the answer has ended with it */
  #line(text: string): 0 | 1 {
    switch (this.#place) {
      case "head":
        return this.#head(text);
      case "chunkSize": {
        this.#left = Number.parseInt(text, 16);
        if (Number.isNaN(this.#left)) throw new Error(`no size of a chunk: ${text}`);
        // The line end behind a chunk counts as a part of it.
        if (this.#left > 0) this.#left += 2;
        this.#place = this.#left === 0 ? "trailer" : "chunk";
        return 0;
      }
      default:
        return text === "" ? this.#end() : 0;
    }
  }

  #head(text: string): 0 | 1 {
    this.status = Number(text.slice(statusStart, statusStart + 3));
    if (!text.startsWith("HTTP/1.1 ") || Number.isNaN(this.status)) throw new Error(`no answer: ${text}`);
    if (/\r\ntransfer-encoding: *chunked/i.test(text)) {
      this.#place = "chunkSize";
      return 0;
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined && this.status !== 304 && this.status !== 204)
      throw new Error(`an answer without a length: ${text}`);
    this.#left = Number(length ?? 0);
    if (this.#left === 0) return this.#end();
    this.#place = "body";
    return 0;
  }

  #end(): 1 {
    this.#place = "head";
    return 1;
  }
}
