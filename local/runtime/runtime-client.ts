/** Requests on their way to the runtime, and responses on their way back. */
import http from "node:http";
import type { HeldBodies, HeldBody } from "./body-buffer.ts";
import { subscriberAt } from "./client-subscriber.ts";
import type { CachedResponse, ResponseHead } from "./front-response-cache.ts";
import { isOfConnection, type RequestHead } from "./request-head.ts";
import { RequestPlaces } from "./request-places.ts";
import type { RuntimeAddress } from "./runtime-address.ts";

export interface ForwardedRequest {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly path: string;
  readonly head: RequestHead;
  /** Names and values in turns, without those of the body. */
  readonly headers: readonly string[];
  readonly maxBodyBytes: number;
  /** Its body may be too long to be held, and goes on as it comes. */
  readonly isFile: boolean;
  /** The response begins. @returns takes the whole of it; undefined: nobody wants it */
  readonly onHead: (head: ResponseHead) => ((response: CachedResponse) => void) | undefined;
  /** The runtime did not answer, or not to the end. */
  readonly onFailed: () => void;
}

/** Requests that the runtime has at a time, as in the reference; more wait. */
const MAX_RUNNING = 128;
/** Of one subscriber: more than may wait for their readers, and of a network around it fewer than all. */
const MAX_OF_SUBSCRIBER = 70;
/** A body that takes the runtime's one thread for long: one such request at a time, until its response begins; others come between. */
const LARGE_BODY_BYTES = 65_536;
/** Those whose bodies do not go on whole have places of their own: slow ones keep no others waiting. */
const MAX_PARTIAL = 8;
/** The runtime keeps an idle connection for 5 s. */
const IDLE_MS = 3_000;
const kept = { keepAlive: true, scheduling: "lifo", timeout: IDLE_MS } as const;
/** How long a client whose body nobody wants may go on to send it. */
const LINGER_MS = 1_000;
/** Up to here a body is written as a string: Node sends it together with the headers. */
const MAX_STRING_BYTES = 16_384;
/** Methods whose requests have no body unless they say so. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "DELETE", "TRACE"]);

interface Attempt {
  /** On a connection of its own, after a kept one was closed. */
  readonly isAgain: boolean;
  readonly isLarge?: boolean;
  /** Gives the request's place in the runtime free. */
  readonly leave?: () => void;
}

/** How a body goes on: complete, up to where it is too long, or as it comes. */
type Body = HeldBody | "stream" | undefined;

export class RuntimeClient {
  readonly #findRuntime: () => Promise<RuntimeAddress>;
  readonly #bodies: HeldBodies;
  readonly #onUnread: (response: http.ServerResponse) => void;
  readonly #places = new RequestPlaces(MAX_RUNNING, MAX_OF_SUBSCRIBER);
  readonly #largePlaces = new RequestPlaces(1, 1);
  readonly #agent = new http.Agent({ ...kept, maxSockets: MAX_RUNNING });
  readonly #partial = new http.Agent({ maxSockets: MAX_PARTIAL });

  /** @param onUnread the reader of a response does not take what is there */
  constructor(
    findRuntime: () => Promise<RuntimeAddress>,
    bodies: HeldBodies,
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
      if (isAnswered(response)) return;
      if (!isHeld(body)) {
        this.#send(forwarded, address, body, { isAgain: false });
        return;
      }
      const isLarge = sizeOf(body) > LARGE_BODY_BYTES;
      const leave = (isLarge ? this.#largePlaces : this.#places).take(
        subscriberAt(request.socket.remoteAddress),
        () => {
          if (!isAnswered(response))
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
      ...{ ...address.place, path, method: request.method },
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
      if (isAnswered(response) || incoming !== undefined) return;
      // The runtime closes idle connections, perhaps just when a request comes, which it has not read then. Where it has crashed,
      // nobody listens at this address any more.
      if (!isKept || isAgain) return onFailed();
      response.off("close", stop);
      this.#send(forwarded, address, body, { ...attempt, isAgain: true });
    });
    outgoing.once("response", (answer) => {
      incoming = answer;
      if (attempt.isLarge) leave?.();
      if (isAnswered(response)) return void outgoing.destroy();
      answer.once("close", () => {
        leave?.();
        if (!answer.complete && !response.closed) onFailed();
      });
      this.#passBack(answer, forwarded);
    });
    if (body === "stream") request.pipe(outgoing);
    else if (body?.isWhole !== false) outgoing.end(body?.bytes);
    else if (body.bytes.length > 0) outgoing.write(body.bytes);
    else outgoing.flushHeaders();
  }

  #passBack(answer: http.IncomingMessage, { request, response, onHead }: ForwardedRequest): void {
    const { statusCode: status = 0, statusMessage: reason = "", rawHeaders } = answer;
    const headers = rawHeaders.filter((_, index) => !isOfConnection(rawHeaders[index & ~1] as string));
    const length = answer.headers["content-length"];
    const head = { status, reason, headers, sizeBytes: length === undefined ? undefined : Number(length) };
    const keep = onHead(head);
    const parts: Buffer[] = [];
    let leftBytes = head.sizeBytes;
    let last: Buffer | string = "";
    // After the rest of a body, which nobody reads, no other request could be found.
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

/** Whether it goes on complete. */
function isHeld(body: Body): boolean {
  return body !== "stream" && body?.isWhole !== false;
}

function sizeOf(body: Body): number {
  return body === "stream" ? 0 : (body?.bytes.length ?? 0);
}

/** Whether the client is gone, or was refused while its request waited: bodies of others needed its place. */
function isAnswered(response: http.ServerResponse): boolean {
  return response.closed || response.headersSent;
}

/** Headers that tell the length of a body. */
function framing({ head, request: { method = "" } }: ForwardedRequest, body: Body): string[] {
  if (body !== "stream" && body?.isWhole === true) return ["Content-Length", String(body.bytes.length)];
  if (head.isChunked) return ["Transfer-Encoding", "chunked"];
  return head.sizeBytes === undefined && bodiless.has(method) ? [] : ["Content-Length", String(head.sizeBytes ?? 0)];
}

function written(bytes: Buffer): Buffer | string {
  return bytes.length > MAX_STRING_BYTES ? bytes : bytes.toString("latin1");
}

/** A connection that is closed on a client that still writes may take the response away: such a client gets a moment more. */
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
