/**
 * HTTP server in front of the local runtime (decision 72): bounds connections and requests, refuses requests that the
 * reference refuses before it reads a body, and forwards the rest. On Cloudflare the edge has this role.
 * @source akka-http, reference.conf (`idle-timeout`, `max-connections`, `max-header-count`)
 */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import os from "node:os";
import { maxFileSizeBytes } from "../../src/http/file-body.ts";
import { readHost } from "../../src/http/host-header.ts";
import { type ReadTarget, readTarget, targetError } from "../../src/http/request-target.ts";
import { readRequestUrl } from "../../src/http/request-url.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import { BodyBuffer } from "./body-buffer.ts";
import { ClientConnections } from "./client-connections.ts";
import { isCrossSiteRequest } from "./cross-site-request.ts";
import { isLoopback } from "./exposure.ts";
import { type CompleteResponse, FrontResponseCache, type ResponseHead } from "./front-response-cache.ts";
import { addedHeaders, type RequestHead, requestHead, withoutKey } from "./request-head.ts";
import type { RuntimeAddress } from "./runtime-address.ts";
import { RuntimeClient } from "./runtime-client.ts";

export interface FrontOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Returns the address of the runtime; waits while the runtime is being started. */
  readonly findRuntime: () => Promise<RuntimeAddress>;
  /** Whether the API key is publicly known: then it is not forwarded for foreign web pages. */
  readonly isKeyKnown: boolean;
  /** Path to which clients may post a file; by default none. */
  readonly filePath?: string | undefined;
  /** Called when the runtime has accepted a request to stop the node, and the client has the response. */
  readonly onStop: () => void;
  readonly onCompleted?: ((answered: CompletedRequest) => void) | undefined;
  /** Limit of a connection's idle time, and of the time in which a request arrives, ms. */
  readonly idleMs?: number;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

/** A request whose client has its response or is gone. */
export interface CompletedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Status of the response; 0: the client was gone before. */
  readonly status: number;
  readonly milliseconds: number;
  /** Body of an error response, undefined for others. */
  readonly refusal: string | undefined;
}

export interface FrontServer {
  readonly port: number;
  stop(): Promise<void>;
}

const IDLE_MS = 60_000;
/** Size of request line and headers together. */
const MAX_HEAD_BYTES = 65_536;
const MAX_HEADERS = 64;
const CONNECT_ERROR = "CONNECT requests are not supported";
/** Response text of a reference node 1.5.7. For CONNECT, Node provides a socket and no response object. */
const CONNECT_REFUSED = [
  ...["HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=UTF-8"],
  ...[`Content-Length: ${CONNECT_ERROR.length}`, "Connection: close", "", CONNECT_ERROR],
].join("\r\n");
/** Bytes of all bodies that wait for the runtime or its response. */
const MAX_BODIES_BYTES = 64 * 2 ** 20;

/** Starts the server, which listens when the promise resolves. @throws the system's error when it cannot listen */
export async function startFront(options: FrontOptions): Promise<FrontServer> {
  const { host, port, findRuntime, idleMs = IDLE_MS, nowMs = () => performance.now() } = options;
  const clients = new ClientConnections();
  const cache = new FrontResponseCache(nowMs);
  const bodies = new BodyBuffer(MAX_BODIES_BYTES, refuse);
  const runtime = new RuntimeClient(findRuntime, bodies, (response) => clients.addSlow(response));
  const handle = handlerOf({ ...options, nowMs }, cache, runtime);
  const server = http.createServer(
    {
      ...{ keepAliveTimeout: idleMs, headersTimeout: idleMs, requestTimeout: idleMs },
      ...{ connectionsCheckingInterval: Math.ceil(idleMs / 12), maxHeaderSize: MAX_HEAD_BYTES, noDelay: true },
      // The reference has its own error text for this.
      requireHostHeader: false,
    },
    (request, response) => clients.enqueue(request, response, () => handle(request, response)),
  );
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.timeout = idleMs;
  // A rollback takes minutes, while its client sends nothing.
  server.on("timeout", (socket) => clients.isResponding(socket) || socket.destroy());
  server.on("connection", (socket) => clients.add(socket));
  // The server has removed its own listeners: an error must not end the process, and the connection must be closed.
  server.on("connect", (_request, socket) => {
    socket.removeAllListeners("data");
    socket.on("error", () => socket.destroy());
    if (clients.isResponding(socket as Socket)) socket.destroy();
    else socket.end(CONNECT_REFUSED, () => socket.destroy());
  });
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      clients.close();
      runtime.close();
      await once(server, "close");
    },
  };
}

/** Listener that responds from the cache, refuses a request, or forwards it. */
function handlerOf(
  { host, isKeyKnown, filePath, onStop, onCompleted, nowMs }: FrontOptions & { readonly nowMs: () => number },
  cache: FrontResponseCache,
  runtime: RuntimeClient,
): http.RequestListener {
  const pages = { isExposed: !isLoopback(host), own: [host, os.hostname()] };
  return (request, response) => {
    response.sendDate = false;
    const { method = "", url = "", rawHeaders, httpVersion, socket } = request;
    const target = readTarget(url);
    const path = typeof target === "string" ? url : target.path;
    const startedMs = nowMs();
    let refusal: string | undefined;
    if (onCompleted !== undefined)
      response.once("close", () => {
        const status = response.writableFinished ? response.statusCode : 0;
        const facts = { method, path: path.split("?", 1)[0] as string, status };
        onCompleted({ ...facts, milliseconds: nowMs() - startedMs, refusal });
      });
    const head = requestHead(rawHeaders);
    const fault = findHeadError(target, head, { url, httpVersion, count: rawHeaders.length / 2 });
    if (fault !== undefined) return respond(response, 400, fault);
    const isCacheable = method === "GET" && !head.isPersonal && !head.isChunked && !head.sizeBytes;
    const key = isCacheable ? `${path}\n${head.headers.join("\n")}` : undefined;
    const cached = key === undefined ? undefined : cache.find(key);
    if (cached !== undefined) {
      response.writeHead(cached.status, cached.reason, cached.headers).end(cached.body, "latin1");
      return;
    }
    const isForeign = isCrossSiteRequest(head, pages);
    const headers = isKeyKnown && head.hasKey && isForeign ? withoutKey(head.headers) : head.headers;
    if (method === "POST" && isPath(path, "/node/stop"))
      response.once("finish", () => response.statusCode === 200 && onStop());
    const isFile = filePath !== undefined && isPath(path, filePath);
    const sent = cache.send(method, key);
    const tellRefusal = ({ body }: CompleteResponse): void => {
      refusal = Buffer.from(body as string, "latin1").toString("utf8");
    };
    void runtime.forward({
      ...{ request, response, path, head, isFile },
      headers: [...addedHeaders(socket.remoteAddress, isForeign), ...headers],
      maxBodyBytes: isFile ? maxFileSizeBytes : maxBodySizeBytes,
      onHead: (received: ResponseHead) => {
        const isRefused = onCompleted !== undefined && received.status >= 400;
        return cache.receive(sent, received) ?? (isRefused ? tellRefusal : undefined);
      },
      onFailed: () => {
        cache.clear();
        refuse(response);
      },
    });
  };
}

/** Error for which the reference refuses a request after its head; undefined: the head is valid. */
function findHeadError(
  target: ReadTarget | string,
  { host, isHostRepeated }: RequestHead,
  { url, httpVersion, count }: { readonly url: string; readonly httpVersion: string; readonly count: number },
): string | undefined {
  if (typeof target === "string") return target;
  if (count > MAX_HEADERS) return `HTTP message contains more than the configured limit of ${MAX_HEADERS} headers`;
  if (isHostRepeated) return "HTTP message must not contain more than one Host header";
  return targetError(url, target, host === undefined ? undefined : readHost(host), httpVersion);
}

/** @param asked path of the request with its query, read as the Worker reads it */
function isPath(asked: string, path: string): boolean {
  return readRequestUrl(`http://node${asked}`)?.path === path;
}

function refuse(response: http.ServerResponse): void {
  if (response.headersSent) response.destroy();
  else if (!response.closed) respond(response, 503, "The node is not ready.");
}

/** Responds instead of the runtime, and ends the connection. */
function respond(response: http.ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  const headers = { "Content-Type": "text/plain; charset=UTF-8", "Content-Length": length, Connection: "close" };
  response.writeHead(status, headers).end(text);
}
