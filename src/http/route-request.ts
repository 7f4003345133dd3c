/** A request during routing: several routes may read its body, which the runtime allows only once. */
import { textDecoderFor } from "./charset.ts";
import { FileBody, maxFileSizeBytes } from "./file-body.ts";
import { type Mismatch, mismatch } from "./kind.ts";
import { type RequestUrl, readRequestUrl, type SearchParams } from "./request-url.ts";

/** Maximum size of a body; larger ones are not read to the end. */
export const maxBodySizeBytes = 1_048_576;

/** Time limit for receiving a body that is discarded. */
const DISCARDED_BODY_MS = 5_000;

export class RouteRequest {
  readonly method: string;
  readonly headers: Headers;
  /** Named segments of the route's path, percent-encoded; set by the router. */
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

  /** Returns undefined if the request has no valid URL, and so no route. */
  static of(request: Request): RouteRequest | undefined {
    const url = readRequestUrl(request.url);
    return url && new RouteRequest(request, url);
  }

  /** See `RequestUrl`. */
  get path(): string {
    return this.#url.path;
  }

  get searchParams(): SearchParams {
    return this.#url.searchParams;
  }

  /** Media type of the body in lower case, without parameters; empty if the request names none. */
  get mediaType(): string {
    return (this.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  }

  /**
   * The body as text; a mismatch if it exceeds the limit, breaks off, or has an unknown charset. Invalid bytes are
   * replaced.
   */
  text(): Promise<string | Mismatch> {
    this.#text ??= readText(this.#request, () => {
      this.#isTooLarge = true;
    });
    return this.#text;
  }

  /**
   * Receives and discards a body that no route has read, or the rest of a file, up to the limit: a response sent while
   * the client still writes closes the connection, and is lost if the client has not read it yet.
   * @param filePath path of the node that takes a file, read or not; undefined: none
   */
  async discardBody(filePath: string | undefined): Promise<void> {
    if (this.#request.body === null) return;
    if (this.path === filePath) this.file();
    if (this.#file === undefined && this.#text !== undefined) return;
    const arriving = this.#file?.discard() ?? this.text();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DISCARDED_BODY_MS);
    });
    await Promise.race([arriving, late]);
    clearTimeout(timer);
  }

  /**
   * The body as a stream, for a route that takes a file. It breaks off at the limit of files.
   * @returns undefined if there is no body, it was read, or its declared length exceeds the limit
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

  /** Whether the body, once read, exceeded the limit. */
  get isTooLarge(): boolean {
    return this.#isTooLarge || this.#file?.isTooLarge === true;
  }
}

async function readText(request: Request, onTooLarge: () => void): Promise<string | Mismatch> {
  const decode = textDecoderFor(request.headers.get("Content-Type"));
  const bytes = await readBytes(request, onTooLarge);
  // An empty body decodes in any charset, even an unknown one.
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
    // PERF: reading a body of known length at once costs a third of reading it in chunks.
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
    // The client disconnected midway, and does not read the response.
    return mismatch;
  }
}
