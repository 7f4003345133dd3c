/** A request on its way through the routes: several of them may look at the same body, which can be read only once. */
import { textDecoderFor } from "./charset.ts";
import { FileBody, maxFileSizeBytes } from "./file-body.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import { type RequestUrl, readRequestUrl, type SearchParams } from "./request-url.ts";

/** Longer bodies are not read to their end. */
export const maxBodySizeBytes = 1_048_576;

/** How long a body that nobody wants may take to arrive. */
const UNWANTED_BODY_MS = 5_000;

export class RouteRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Segments that the route's path names, percent-encoded; the router sets them. */
  params: Readonly<Record<string, string | undefined>> = {};
  readonly #request: Request;
  readonly #url: RequestUrl;
  #text: Promise<string | Mismatch> | undefined;
  #isTooLarge = false;
  #file: FileBody | undefined;

  private constructor(request: Request, url: RequestUrl) {
    this.method = request.method;
    this.headers = request.headers;
    this.#request = request;
    this.#url = url;
  }

  /** undefined: it has no URL, and so no route. */
  static of(request: Request): RouteRequest | undefined {
    const url = readRequestUrl(request.url);
    return url && new RouteRequest(request, url);
  }

  /** As `RequestUrl`. */
  get path(): string {
    return this.#url.path;
  }

  get searchParams(): SearchParams {
    return this.#url.searchParams;
  }

  /** Type of the body in lower case, without parameters; empty when the request names none. */
  get mediaType(): string {
    return (this.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /**
   * The body as text; a mismatch when it is over the limit or breaks off, or in a charset that does not exist. Bytes that are none of
   * the charset are replaced.
   */
  text(): Promise<string | Mismatch> {
    this.#text ??= readText(this.#request, () => {
      this.#isTooLarge = true;
    });
    return this.#text;
  }

  /**
   * Lets a body that no route has asked for arrive, or the rest of a file, if it is not too large: an answer that is given
   * while its client still writes closes the connection, and is lost where the client has not read it yet.
   * @param filePath where the node takes a file, asked for or not; undefined: nowhere
   */
  async passOverBody(filePath: string | undefined): Promise<void> {
    if (this.#request.body === null) return;
    if (this.path === filePath) this.file();
    if (this.#file === undefined && this.#text !== undefined) return;
    const arriving = this.#file?.passOver() ?? this.text();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, UNWANTED_BODY_MS);
    });
    await Promise.race([arriving, late]);
    clearTimeout(timer);
  }

  /**
   * The body as it comes, for a route that takes a file. It breaks off where it is over the limit of files.
   * @returns undefined where there is none, it was read, or it says to be over the limit
   */
  file(): ReadableStream<Uint8Array> | undefined {
    const { body } = this.#request;
    if (body === null || this.#text !== undefined) return undefined;
    this.#text = Promise.resolve(mismatch);
    this.#isTooLarge = Number(this.headers.get("Content-Length") ?? 0) > maxFileSizeBytes;
    if (this.#isTooLarge) return undefined;
    this.#file = new FileBody(body);
    return this.#file.stream();
  }

  /** Whether the body, once it was asked for, turned out to be over the limit. */
  get isTooLarge(): boolean {
    return this.#isTooLarge || this.#file?.isTooLarge === true;
  }
}

async function readText(request: Request, onTooLarge: () => void): Promise<string | Mismatch> {
  const decode = textDecoderFor(request.headers.get("Content-Type"));
  const bytes = await readBytes(request, onTooLarge);
  // Nothing is the same in any charset, also in one that does not exist.
  if (bytes === mismatch || bytes.length === 0) return bytes === mismatch ? mismatch : "";
  return decode === undefined ? mismatch : decode(bytes);
}

async function readBytes(request: Request, onTooLarge: () => void): Promise<Uint8Array | Mismatch> {
  const tooLarge = (): Mismatch => {
    onTooLarge();
    return mismatch;
  };
  const length = request.headers.get("Content-Length");
  if (Number(length ?? 0) > maxBodySizeBytes) return tooLarge();
  if (request.body === null) return new Uint8Array();
  try {
    // PERF: a body that tells its length is read at once, which costs a third of reading it piece by piece.
    if (length !== null) {
      const bytes = new Uint8Array(await request.arrayBuffer());
      return bytes.length > maxBodySizeBytes ? tooLarge() : bytes;
    }
    const chunks: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const chunk of request.body) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBodySizeBytes) return tooLarge();
      chunks.push(chunk);
    }
    const bytes = new Uint8Array(sizeBytes);
    let offset = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
  } catch {
    // The client went away in the middle; nobody reads the answer.
    return mismatch;
  }
}
