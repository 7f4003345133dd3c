/**
 * HTTP server before the local runtime (decision 72): bounds connections and requests, refuses what the reference refuses before
 * it reads a body, and forwards the rest. On Cloudflare the edge stands in this place.
 * @source akka-http, reference.conf (`idle-timeout`, `max-connections`, `max-header-count`)
 */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import os from "node:os";
import { maxFileSizeBytes } from "../../src/http/file-body.ts";
import { readHost } from "../../src/http/host-header.ts";
import { type ReadTarget, readTarget, targetFault } from "../../src/http/request-target.ts";
import { readRequestUrl } from "../../src/http/request-url.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import { HeldBodies } from "./body-buffer.ts";
import { ClientConnections } from "./client-connections.ts";
import { isFromForeignPage } from "./cross-site-request.ts";
import { isLoopback } from "./exposure.ts";
import { type CachedResponse, ResponseCache, type ResponseHead } from "./front-response-cache.ts";
import { addedHeaders, type RequestHead, requestHead, withoutKey } from "./request-head.ts";
import type { RuntimeAddress } from "./runtime-address.ts";
import { RuntimeClient } from "./runtime-client.ts";

export interface FrontOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Waits while the runtime is being started. */
  readonly findRuntime: () => Promise<RuntimeAddress>;
  /** Everybody knows the API key: it is not forwarded for web pages from elsewhere. */
  readonly isKeyKnown: boolean;
  /** Where clients may post a file; by default nowhere. */
  readonly filePath?: string | undefined;
  /** The runtime has taken a request to stop the node, and the client has the response. */
  readonly onStop: () => void;
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** How long a connection may be idle, and a request may take to arrive. */
  readonly idleMs?: number;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

/** A request whose client has its response, or is gone. */
export interface AnsweredRequest {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  /** 0: the client was gone before. */
  readonly status: number;
  readonly milliseconds: number;
  /** Body of a response with an error, undefined for others. */
  readonly refusal: string | undefined;
}

export interface FrontServer {
  readonly port: number;
  stop(): Promise<void>;
}

const IDLE_MS = 60_000;
/** Request line and headers together. */
const MAX_HEAD_BYTES = 65_536;
const MAX_HEADERS = 64;
const CONNECT_FAULT = "CONNECT requests are not supported";
/** The sentence of a reference node 1.5.7; Node gives CONNECT a socket, and no response to write to. */
const CONNECT_REFUSED = [
  ...["HTTP/1.1 400 Bad Request", "Content-Type: text/plain; charset=UTF-8"],
  ...[`Content-Length: ${CONNECT_FAULT.length}`, "Connection: close", "", CONNECT_FAULT],
].join("\r\n");
/** All bodies together that wait for the runtime or its response. */
const MAX_BODIES_BYTES = 64 * 2 ** 20;

/** Listens when the promise resolves. @throws the system's error when it cannot listen */
export async function startFront(options: FrontOptions): Promise<FrontServer> {
  const { host, port, findRuntime, idleMs = IDLE_MS, nowMs = () => performance.now() } = options;
  const clients = new ClientConnections();
  const cache = new ResponseCache(nowMs);
  const bodies = new HeldBodies(MAX_BODIES_BYTES, refuse);
  const runtime = new RuntimeClient(findRuntime, bodies, (response) => clients.addSlow(response));
  const handle = handlerOf({ ...options, nowMs }, cache, runtime);
  const server = http.createServer(
    {
      ...{ keepAliveTimeout: idleMs, headersTimeout: idleMs, requestTimeout: idleMs },
      ...{ connectionsCheckingInterval: Math.ceil(idleMs / 12), maxHeaderSize: MAX_HEAD_BYTES, noDelay: true },
      // The reference says so in other words.
      requireHostHeader: false,
    },
    (request, response) => clients.inTurn(request, response, () => handle(request, response)),
  );
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.timeout = idleMs;
  // A rollback takes minutes, and its client sends nothing meanwhile.
  server.on("timeout", (socket) => clients.isAnswering(socket) || socket.destroy());
  server.on("connection", (socket) => clients.add(socket));
  // The server has taken its listeners off: no error may end the process, and no such connection stays.
  server.on("connect", (_request, socket) => {
    socket.removeAllListeners("data");
    socket.on("error", () => socket.destroy());
    if (clients.isAnswering(socket as Socket)) socket.destroy();
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

/** Answers a request from the cache, refuses it, or forwards it. */
function handlerOf(
  { host, isKeyKnown, filePath, onStop, onAnswered, nowMs }: FrontOptions & { readonly nowMs: () => number },
  cache: ResponseCache,
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
    if (onAnswered !== undefined)
      response.once("close", () => {
        const status = response.writableFinished ? response.statusCode : 0;
        const facts = { method, path: path.split("?", 1)[0] as string, status };
        onAnswered({ ...facts, milliseconds: nowMs() - startedMs, refusal });
      });
    const head = requestHead(rawHeaders);
    const fault = headFault(target, head, { url, httpVersion, count: rawHeaders.length / 2 });
    if (fault !== undefined) return answer(response, 400, fault);
    const isCacheable = method === "GET" && !head.isPersonal && !head.isChunked && !head.sizeBytes;
    const key = isCacheable ? `${path}\n${head.headers.join("\n")}` : undefined;
    const cached = key === undefined ? undefined : cache.find(key);
    if (cached !== undefined) {
      response.writeHead(cached.status, cached.reason, cached.headers).end(cached.body, "latin1");
      return;
    }
    const isForeign = isFromForeignPage(head, pages);
    const headers = isKeyKnown && head.hasKey && isForeign ? withoutKey(head.headers) : head.headers;
    if (method === "POST" && isPath(path, "/node/stop"))
      response.once("finish", () => response.statusCode === 200 && onStop());
    const isFile = filePath !== undefined && isPath(path, filePath);
    const sent = cache.send(method, key);
    const tellRefusal = ({ body }: CachedResponse): void => {
      refusal = Buffer.from(body as string, "latin1").toString("utf8");
    };
    void runtime.forward({
      ...{ request, response, path, head, isFile },
      headers: [...addedHeaders(socket.remoteAddress, isForeign), ...headers],
      maxBodyBytes: isFile ? maxFileSizeBytes : maxBodySizeBytes,
      onHead: (received: ResponseHead) => {
        const isRefused = onAnswered !== undefined && received.status >= 400;
        return cache.receive(sent, received) ?? (isRefused ? tellRefusal : undefined);
      },
      onFailed: () => {
        cache.clear();
        refuse(response);
      },
    });
  };
}

/** Why the reference reads no further than to the head; undefined: it does. */
function headFault(
  target: ReadTarget | string,
  { host, isHostRepeated }: RequestHead,
  { url, httpVersion, count }: { readonly url: string; readonly httpVersion: string; readonly count: number },
): string | undefined {
  if (typeof target === "string") return target;
  if (count > MAX_HEADERS) return `HTTP message contains more than the configured limit of ${MAX_HEADERS} headers`;
  if (isHostRepeated) return "HTTP message must not contain more than one Host header";
  return targetFault(url, target, host === undefined ? undefined : readHost(host), httpVersion);
}

/** @param asked with its query: the Worker reads the same path in it */
function isPath(asked: string, path: string): boolean {
  return readRequestUrl(`http://node${asked}`)?.path === path;
}

function refuse(response: http.ServerResponse): void {
  if (response.headersSent) response.destroy();
  else if (!response.closed) answer(response, 503, "The node is not ready.");
}

/** Answers in place of the runtime, and ends the connection. */
function answer(response: http.ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  const headers = { "Content-Type": "text/plain; charset=UTF-8", "Content-Length": length, Connection: "close" };
  response.writeHead(status, headers).end(text);
}
