/**
 * Finds the ends of responses on a connection, and nothing else of HTTP: a load generator shares its machine with the
 * measured node.
 * @source RFC 9112, 6 (length of a body), 7.1 (chunks)
 */

/** Part of a response that the next byte belongs to. */
type ReaderState = "head" | "body" | "chunkSize" | "chunk" | "trailer";

const emptyBytes = Buffer.alloc(0);
/** Offset of the status in `HTTP/1.1 200`. */
const statusStart = 9;

/** Reads consecutive responses from the chunks in which they arrive. */
export class ResponseReader {
  #state: ReaderState = "head";
  /** Incomplete head or line. */
  #begun: Buffer = emptyBytes;
  /** Bytes of the body or of the chunk still to come. */
  #remaining = 0;
  /** Status of the current or last response. */
  status = 0;

  /**
   * @param chunk received bytes; not stored
   * @returns number of responses that ended in it
   * @throws Error on bytes that are no response
   */
  push(chunk: Buffer): number {
    let ended = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === "body" || this.#state === "chunk") {
        const taken = Math.min(this.#remaining, chunk.length - at);
        at += taken;
        this.#remaining -= taken;
        if (this.#remaining > 0) break;
        if (this.#state === "body") ended += this.#end();
        else this.#state = "chunkSize";
        continue;
      }
      const ending = this.#state === "head" ? "\r\n\r\n" : "\r\n";
      const bytes = this.#begun.length === 0 ? chunk.subarray(at) : Buffer.concat([this.#begun, chunk.subarray(at)]);
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

  /** @returns 1 if the response ended with this line */
  #line(text: string): 0 | 1 {
    switch (this.#state) {
      case "head":
        return this.#head(text);
      case "chunkSize": {
        this.#remaining = Number.parseInt(text, 16);
        if (Number.isNaN(this.#remaining)) throw new Error(`no size of a chunk: ${text}`);
        // The line end after a chunk counts as part of it.
        if (this.#remaining > 0) this.#remaining += 2;
        this.#state = this.#remaining === 0 ? "trailer" : "chunk";
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
      this.#state = "chunkSize";
      return 0;
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined && this.status !== 304 && this.status !== 204)
      throw new Error(`an answer without a length: ${text}`);
    this.#remaining = Number(length ?? 0);
    if (this.#remaining === 0) return this.#end();
    this.#state = "body";
    return 0;
  }

  #end(): 1 {
    this.#state = "head";
    return 1;
  }
}
