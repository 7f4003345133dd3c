/**
 * The REST interface's door on this machine: takes connections, bounds them, and hands requests to the runtime. The runtime
 * itself closes a connection that pauses for 15 s, and ends when it runs out of file descriptors; neither can be set. On
 * Cloudflare the edge stands in this place.
 * @source akka-http, reference.conf (`idle-timeout`, `max-connections`); Waves: application.conf (`http.server`)
 */
import { once } from "node:events";
import http from "node:http";
import type { Socket } from "node:net";
import { apiKeyHeaders } from "../../src/http/api-key.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import { isLoopback } from "./exposure.ts";

export interface FrontOptions {
  readonly host: string;
  readonly port: number;
  /** Where the runtime listens; asked for again after each failure, since a runtime that crashed comes back elsewhere. */
  readonly findRuntime: () => Promise<URL>;
  /**
   * Everybody knows the API key: it opens nothing to requests under names that are not this machine's own. A web page could make
   * its own name point here, and ask with the key as if it were a page of the node.
   */
  readonly isKeyKnown: boolean;
  /** The runtime has taken a request to stop the node, and the client has the answer. */
  readonly onStop: () => void;
}

export interface FrontServer {
  stop(): Promise<void>;
}

/** How long a connection may be silent, between requests and within one. */
const IDLE_MS = 60_000;
/** How often connections are looked at. */
const CHECK_INTERVAL_MS = 5_000;
/** Connections of clients at a time; more are closed at once. */
const MAX_CONNECTIONS = 1_024;
/** Requests that the runtime has in hand at a time; more wait. */
const MAX_RUNNING = 128;
/** Requests of one connection that are read before the first is answered. */
const MAX_PIPELINED = 16;
/** Request line and headers together. */
const MAX_HEAD_BYTES = 65_536;
/** Shorter than the runtime keeps a silent connection: a request is never sent into one that is just being closed. */
const RUNTIME_IDLE_MS = 10_000;
/** How long a client whose body nobody wants may go on to send it. */
const LINGER_MS = 1_000;

/** Headers that are about one connection, not about the request or the answer (RFC 9110, 7.6.1). */
const ofConnection = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** That carry the API key. */
const ofKey = new Set<string>(apiKeyHeaders.map((name) => name.toLowerCase()));

/** Listens when the promise resolves. @throws the system's error when it cannot listen */
export async function startFront({ host, port, findRuntime, isKeyKnown, onStop }: FrontOptions): Promise<FrontServer> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: MAX_RUNNING, timeout: RUNTIME_IDLE_MS });
  let runtime: Promise<URL> | undefined;
  const pass: http.RequestListener = async (request, response) => {
    const release = holdBack(request.socket);
    response.once("close", release);
    response.sendDate = false;
    const place = request.headers.host ?? "";
    if (hidesPath(place)) {
      answer(response, 400, "The Host header names no host.");
      return;
    }
    const isKeyLeftOut = isKeyKnown && !isOwnName(place);
    const forget = (): void => {
      if (response.closed) return;
      runtime = undefined;
      refuse(response);
    };
    try {
      runtime ??= findRuntime();
      const { hostname, port: runtimePort } = await runtime;
      if (response.closed) return;
      response.once("finish", () => isStop(request, response) && onStop());
      passOn(request, response, { agent, hostname, port: runtimePort, isKeyLeftOut }, forget);
    } catch {
      forget();
    }
  };
  const server = http.createServer(
    {
      keepAliveTimeout: IDLE_MS,
      headersTimeout: IDLE_MS,
      requestTimeout: IDLE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The Worker answers what has no Host.
      requireHostHeader: false,
      noDelay: true,
    },
    pass,
  );
  server.timeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}

/** The runtime puts it before the path: of what hides there the path would be another one there than here. */
function hidesPath(host: string): boolean {
  return /[/?#\\@]/.test(host);
}

/** Whether a Host header is a name that no page of others can have. */
function isOwnName(host: string): boolean {
  const name = host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  return isLoopback(name) || name.endsWith(".localhost");
}

/** Whether the node was told to stop: by its owner, since the runtime has agreed. */
function isStop({ method, url = "" }: http.IncomingMessage, { statusCode }: http.ServerResponse): boolean {
  const whole = url.startsWith("/") ? `http://node${url}` : url;
  const isPath = URL.canParse(whole) && new URL(whole).pathname === "/node/stop";
  return isPath && method === "POST" && statusCode === 200;
}

/** Requests in hand by connection. */
const pipelined = new WeakMap<Socket, number>();

/** Stops reading from a client that asks faster than it is answered. @returns to be called when the answer is out */
function holdBack(socket: Socket): () => void {
  const change = (by: number): void => {
    const count = (pipelined.get(socket) ?? 0) + by;
    pipelined.set(socket, count);
    if (by > 0 && count >= MAX_PIPELINED) socket.pause();
    if (by < 0 && count === MAX_PIPELINED - 1) socket.resume();
  };
  change(1);
  return () => change(-1);
}

interface RuntimePlace {
  readonly agent: http.Agent;
  readonly hostname: string;
  readonly port: string;
  readonly isKeyLeftOut: boolean;
}

/** @param onFailed the runtime did not answer */
function passOn(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { isKeyLeftOut, ...place }: RuntimePlace,
  onFailed: () => void,
): void {
  const { method, url: path } = request;
  const isChunked = request.headers["transfer-encoding"] !== undefined;
  const headers = passedHeaders(request.rawHeaders, isKeyLeftOut ? ofKey : undefined);
  if (isChunked) headers.push("Transfer-Encoding", "chunked");
  const outgoing = http.request({ ...place, method, path, headers });
  outgoing.on("error", onFailed);
  outgoing.once("response", (answer) => {
    // What is left of the body is not passed on: after it no other request could be found.
    if (!request.complete) response.shouldKeepAlive = false;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedHeaders(answer.rawHeaders));
    answer.pipe(response, { end: false });
    answer.on("end", () => endAfterBody(request, response));
    answer.on("error", () => response.destroy());
  });
  response.once("close", () => outgoing.destroy());
  const sizeBytes = Number(request.headers["content-length"] ?? 0);
  if (isChunked || sizeBytes > 0) passBody(request, outgoing, sizeBytes);
  else outgoing.end();
}

/**
 * Of a body that is over the limit no more is sent than shows it: the runtime answers without reading on and closes, and
 * what is written to it then takes its answer away.
 * @param sizeBytes as the request tells it; 0 when it does not
 */
function passBody(request: http.IncomingMessage, outgoing: http.ClientRequest, sizeBytes: number): void {
  if (sizeBytes > maxBodySizeBytes) {
    outgoing.flushHeaders();
    return;
  }
  let sentBytes = 0;
  request.on("data", (bytes: Buffer) => {
    sentBytes += bytes.length;
    const isTaken = outgoing.write(bytes);
    if (!isTaken || sentBytes > maxBodySizeBytes) request.pause();
  });
  outgoing.on("drain", () => sentBytes <= maxBodySizeBytes && request.resume());
  outgoing.once("response", () => request.pause());
  request.once("end", () => outgoing.end());
}

/** A connection that is closed on a client that still writes may take the answer away: such a client gets a moment more. */
function endAfterBody(request: http.IncomingMessage, response: http.ServerResponse): void {
  if (request.complete) {
    response.end();
    return;
  }
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once("close", () => {
    clearTimeout(timer);
    response.end();
  });
  request.removeAllListeners("data").resume();
}

/**
 * @param raw names and values in turns
 * @param leftOut names in small letters
 */
function passedHeaders(raw: readonly string[], leftOut: ReadonlySet<string> = new Set()): string[] {
  return raw.filter((_, index) => {
    const name = (raw[index - (index % 2)] as string).toLowerCase();
    return !ofConnection.has(name) && !leftOut.has(name);
  });
}

/** Answers for a runtime that cannot. */
function refuse(response: http.ServerResponse): void {
  if (response.headersSent) response.destroy();
  else answer(response, 503, "The node is not ready.");
}

/** Says something in place of the runtime. */
function answer(response: http.ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain", Connection: "close" }).end(text);
}
