/** Forwarding of requests to the runtime and of its responses to clients. */
import http from "node:http";
import type { BodyBuffer, BufferedBody } from "./body-buffer.ts";
import { subscriberAt } from "./client-subscriber.ts";
import type { CompleteResponse, ResponseHead } from "./front-response-cache.ts";
import { isOfConnection, type RequestHead } from "./request-head.ts";
import { RequestPlaces } from "./request-places.ts";
import type { RuntimeAddress } from "./runtime-address.ts";

export interface ForwardedRequest {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly path: string;
  readonly head: RequestHead;
  /** Names and values in alternation, without headers of the body. */
  readonly headers: readonly string[];
  readonly maxBodyBytes: number;
  /** Whether the body may be too long for memory and is streamed. */
  readonly isFile: boolean;
  /** Called when the response begins. @returns receiver of the complete response; undefined: it is not needed */
  readonly onHead: (head: ResponseHead) => ((response: CompleteResponse) => void) | undefined;
  /** Called when the runtime did not respond, or not completely. */
  readonly onFailed: () => void;
}

/** Concurrent requests to the runtime, as in the reference; further ones wait. */
const MAX_RUNNING = 128;
/**
 * Concurrent requests of a subscriber: more than may wait for slow readers, and fewer than all for a network around it.
 */
const MAX_OF_SUBSCRIBER = 70;
/**
 * Size from which a body occupies the runtime's one thread for long. One such request runs at a time, until its
 * response begins, so that others can run in between.
 */
const LARGE_BODY_BYTES = 65_536;
/**
 * Concurrent requests whose bodies are not buffered whole: their separate slots keep slow ones from delaying others.
 */
const MAX_PARTIAL = 8;
/** Idle time of a connection, ms: the runtime closes an idle one after 5 s. */
const IDLE_MS = 3_000;
const keepAliveOptions = { keepAlive: true, scheduling: "lifo", timeout: IDLE_MS } as const;
/** Time in which a client may go on to send a body that is not read. */
const LINGER_MS = 1_000;
/** Size up to which a body is written as a string, which Node sends together with the headers. */
const MAX_STRING_BYTES = 16_384;
/** Methods whose requests have no body unless their headers announce one. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE", "TRACE"]);

interface Attempt {
  /** Whether this is a second attempt, on a new connection, after a reused one was closed. */
  readonly isAgain: boolean;
  readonly isLarge?: boolean;
  /** Releases the request's slot in the runtime. */
  readonly leave?: () => void;
}

/** Body to forward: complete, cut off at the limit, or streamed. */
type Body = BufferedBody | "stream" | undefined;

export class RuntimeClient {
  readonly #findRuntime: () => Promise<RuntimeAddress>;
  readonly #bodies: BodyBuffer;
  readonly #onUnread: (response: http.ServerResponse) => void;
  readonly #places = new RequestPlaces(MAX_RUNNING, MAX_OF_SUBSCRIBER);
  readonly #largePlaces = new RequestPlaces(1, 1);
  readonly #agent = new http.Agent({ ...keepAliveOptions, maxSockets: MAX_RUNNING });
  readonly #partial = new http.Agent({ maxSockets: MAX_PARTIAL });

  /** @param onUnread called when the client does not read the available bytes of a response */
  constructor(
    findRuntime: () => Promise<RuntimeAddress>,
    bodies: BodyBuffer,
    onUnread: (response: http.ServerResponse) => void,
  ) {
    this.#findRuntime = findRuntime;
    this.#bodies = bodies;
    this.#onUnread = onUnread;
  }

  async forward(forwarded: ForwardedRequest): Promise<void> {
    const { request, response, head, maxBodyBytes, isFile, onFailed } = forwarded;
    let body: Body;
    if ((head.sizeBytes ?? 0) > maxBodyBytes) body = { bytes: Buffer.alloc(0), isWhole: false };
    else if (isFile) body = "stream";
    else if (head.isChunked || head.sizeBytes) body = await this.#bodies.read(request, response, maxBodyBytes);
    try {
      const address = await this.#findRuntime();
      if (isSettled(response)) return;
      if (!isHeld(body)) {
        this.#send(forwarded, address, body, { isAgain: false });
        return;
      }
      const isLarge = sizeOf(body) > LARGE_BODY_BYTES;
      const leave = (isLarge ? this.#largePlaces : this.#places).take(
        subscriberAt(request.socket.remoteAddress),
        () => {
          if (!isSettled(response))
            this.#send(forwarded, address, body, { isAgain: false, isLarge, leave: () => leave() });
        },
      );
      response.once("close", leave);
    } catch {
      onFailed();
    }
  }

  close(): void {
    this.#agent.destroy();
    this.#partial.destroy();
  }

  #send(forwarded: ForwardedRequest, address: RuntimeAddress, body: Body, attempt: Attempt): void {
    const { request, response, path, onFailed } = forwarded;
    const { isAgain, leave } = attempt;
    const agent = isHeld(body) ? this.#agent : this.#partial;
    const outgoing = http.request({
      ...{ ...address.endpoint, path, method: request.method },
      headers: [...forwarded.headers, ...Object.entries(address.headers).flat(), ...framing(forwarded, body)],
      agent: isAgain ? false : agent,
    });
    let incoming: http.IncomingMessage | undefined;
    let isKept = false;
    outgoing.once("socket", ({ bytesRead }) => (isKept = bytesRead > 0));
    const stop = (): void => {
      if (!isHeld(body) || incoming?.complete !== true) outgoing.destroy();
    };
    response.once("close", stop);
    outgoing.on("error", () => {
      if (isSettled(response) || incoming !== undefined) return;
      // The runtime closes idle connections, perhaps just when a request is sent, which it has then not read. After a
      // crash of the runtime the second attempt fails, because this address is no longer in use.
      if (!isKept || isAgain) return onFailed();
      response.off("close", stop);
      this.#send(forwarded, address, body, { ...attempt, isAgain: true });
    });
    outgoing.once("response", (answer) => {
      incoming = answer;
      if (attempt.isLarge) leave?.();
      if (isSettled(response)) return void outgoing.destroy();
      answer.once("close", () => {
        leave?.();
        if (!answer.complete && !response.closed) onFailed();
      });
      this.#relayResponse(answer, forwarded);
    });
    if (body === "stream") request.pipe(outgoing);
    else if (body?.isWhole !== false) outgoing.end(body?.bytes);
    else if (body.bytes.length > 0) outgoing.write(body.bytes);
    else outgoing.flushHeaders();
  }

  #relayResponse(answer: http.IncomingMessage, { request, response, onHead }: ForwardedRequest): void {
    const { statusCode: status = 0, statusMessage: reason = "", rawHeaders } = answer;
    const headers = rawHeaders.filter((_, index) => !isOfConnection(rawHeaders[index & ~1] as string));
    const length = answer.headers["content-length"];
    const head = { status, reason, headers, sizeBytes: length === undefined ? undefined : Number(length) };
    const keep = onHead(head);
    const parts: Buffer[] = [];
    let leftBytes = head.sizeBytes;
    let last: Buffer | string = "";
    // The rest of the body is not read, so that a next request on the connection could not be found.
    if (!request.complete) response.shouldKeepAlive = false;
    response.writeHead(status, reason, headers);
    answer.on("data", (bytes: Buffer) => {
      if (keep !== undefined) parts.push(bytes);
      if (leftBytes !== undefined) leftBytes -= bytes.length;
      if (leftBytes === 0) last = written(bytes);
      else if (!response.write(written(bytes), "latin1")) {
        answer.pause();
        this.#onUnread(response);
        response.once("drain", () => answer.resume());
      }
    });
    answer.once("end", () => {
      keep?.({ status, reason, headers, body: written(Buffer.concat(parts)) });
      endAfterBody(request, response, last);
    });
  }
}

/** Whether the body is in memory as a whole, or there is none. */
function isHeld(body: Body): boolean {
  return body !== "stream" && body?.isWhole !== false;
}

function sizeOf(body: Body): number {
  return body === "stream" ? 0 : (body?.bytes.length ?? 0);
}

/** Whether the client is gone, or its request was refused while it waited, because other bodies needed the memory. */
function isSettled(response: http.ServerResponse): boolean {
  return response.closed || response.headersSent;
}

/** Headers with the length of a body. */
function framing({ head, request: { method = "" } }: ForwardedRequest, body: Body): string[] {
  if (body !== "stream" && body?.isWhole === true) return ["Content-Length", String(body.bytes.length)];
  if (head.isChunked) return ["Transfer-Encoding", "chunked"];
  return head.sizeBytes === undefined && bodiless.has(method) ? [] : ["Content-Length", String(head.sizeBytes ?? 0)];
}

function written(bytes: Buffer): Buffer | string {
  return bytes.length > MAX_STRING_BYTES ? bytes : bytes.toString("latin1");
}

/** Ends a response. Closing a connection while the client still writes may lose the response: it gets a moment more. */
function endAfterBody(request: http.IncomingMessage, response: http.ServerResponse, last: Buffer | string): void {
  if (request.complete) {
    response.end(last, "latin1");
    return;
  }
  response.write(last, "latin1");
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once("close", () => {
    clearTimeout(timer);
    response.end();
  });
  request.unpipe().resume();
}
