/**
 * The REST interface's door on this machine: takes connections, bounds them, and hands requests to the runtime. The runtime
 * itself closes a connection that pauses for 15 s, and ends when it runs out of file descriptors; neither can be set. On
 * Cloudflare the edge stands in this place.
 * @source akka-http, reference.conf (`idle-timeout`, `max-connections`); Waves: application.conf (`http.server`)
 */
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo, Socket } from "node:net";
import os from "node:os";
import { maxFileSizeBytes } from "../../src/http/file-body.ts";
import { readRequestUrl } from "../../src/http/request-url.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import { isLoopback } from "./exposure.ts";
import { readHost } from "./host-header.ts";
import { isNameHere, isNameNearby } from "./host-name.ts";
import { JoinedPosts } from "./joined-posts.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { EarlyRoom, give, passOn } from "./pass-on.ts";
import { type RequestHead, requestHead } from "./request-head.ts";
import { type ReadTarget, readTarget, targetFault } from "./request-target.ts";
import { RuntimeConnections } from "./runtime-connections.ts";

export interface FrontOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Where the runtime listens; asked for again after each failure, since a runtime that crashed comes back elsewhere. */
  readonly findRuntime: () => Promise<URL>;
  /**
   * Everybody knows the API key: it opens nothing to requests under names that a web page may have. The page could make its own
   * name point here, and ask with the key as if it were a page of the node.
   */
  readonly isKeyKnown: boolean;
  /** Where clients may post a file; by default nowhere. */
  readonly filePath?: string | undefined;
  /** The runtime has taken a request to stop the node, and the client has the answer. */
  readonly onStop: () => void;
  /** Is told of each request once its answer is out. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
  /** A clock that never goes back. */
  readonly nowMs?: () => number;
}

/** A request whose client has its answer, or is gone. */
export interface AnsweredRequest {
  readonly method: string;
  /** Its path, without a query. */
  readonly path: string;
  /** 0: the client was gone before. */
  readonly status: number;
  readonly milliseconds: number;
  /** Body of the answer to a request that was refused, as far as it is short. */
  readonly refusal: string | undefined;
}

export interface FrontServer {
  /** On which it listens. */
  readonly port: number;
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
/** Of these may still be sending their bodies: whoever begins one and goes no further keeps no others waiting. */
const MAX_ARRIVING = 32;
/** What bodies that wait for a connection to the runtime take of the memory, all together. */
const MAX_EARLY_BYTES = 64 * 2 ** 20;
/** Requests of one connection that are read before the first is answered. */
const MAX_PIPELINED = 16;
/** Request line and headers together. */
const MAX_HEAD_BYTES = 65_536;
/**
 * Shorter than the runtime keeps a silent connection, which is 5 s after an answer: a request is never sent into one that is just
 * being closed.
 */
const RUNTIME_IDLE_MS = 3_000;
/** Where clients post what goes to the runtime together, and how long each may be: longer ones go alone. */
const JOINED_PATH = "/transactions/broadcast";
const MAX_JOINED_BYTES = 16_384;

/** Listens when the promise resolves. @throws the system's error when it cannot listen */
export async function startFront({
  host,
  port,
  findRuntime,
  isKeyKnown,
  filePath,
  onStop,
  onAnswered,
  nowMs = () => performance.now(),
}: FrontOptions): Promise<FrontServer> {
  const answers = new KeptAnswers(nowMs);
  const runtime = new RuntimePlace(findRuntime, nowMs);
  const room = new EarlyRoom(MAX_EARLY_BYTES);
  const posts = new JoinedPosts(nowMs);
  const isOwn = isLoopback(host) ? isNameHere : (asked: string) => isNameNearby(asked, [host, os.hostname()]);
  const pass: http.RequestListener = (request, response) => {
    response.once("close", holdBack(request.socket));
    response.sendDate = false;
    const { method = "", url = "", rawHeaders, httpVersion } = request;
    const target = readTarget(url);
    const path = typeof target === "string" ? url : target.path;
    const seen = onAnswered && { refusal: undefined as string | undefined };
    if (seen !== undefined) {
      const startedMs = nowMs();
      response.once("close", () => {
        const status = response.writableFinished ? response.statusCode : 0;
        const asked = path.split("?", 1)[0] as string;
        onAnswered?.({ method, path: asked, status, milliseconds: nowMs() - startedMs, refusal: seen.refusal });
      });
    }
    let head = requestHead(method, path, rawHeaders);
    const fault = headFault(target, head, { url, httpVersion });
    if (fault !== undefined) {
      answer(response, 400, fault);
      return;
    }
    const key = method === "GET" && !head.isPersonal && !head.hasBody ? head.text : undefined;
    const kept = key === undefined ? undefined : answers.find(key);
    if (kept !== undefined) {
      give(response, kept);
      return;
    }
    if (isKeyKnown && head.hasKey && !isOwn(head.host ?? "")) head = requestHead(method, path, rawHeaders, true);
    if (method === "POST" && isPath(path, "/node/stop"))
      response.once("finish", () => response.statusCode === 200 && onStop());
    const onFailed = (): void => {
      answers.forget();
      if (response.closed) return;
      runtime.forget();
      refuse(response);
    };
    const maxSizeBytes = filePath !== undefined && isPath(path, filePath) ? maxFileSizeBytes : maxBodySizeBytes;
    const mayJoin = method === "POST" && path === JOINED_PATH && !head.isPersonal && isJoinable(head);
    runtime.use((connections) => {
      if (!response.closed)
        passOn(request, response, {
          ...{ head, maxSizeBytes, room, asked: answers.ask(method, key), answers, connections, onFailed },
          joined: mayJoin ? posts : undefined,
          onRefused: seen && ((body) => (seen.refusal = body)),
        });
    }, onFailed);
  };
  const server = http.createServer(
    {
      keepAliveTimeout: IDLE_MS,
      headersTimeout: IDLE_MS,
      requestTimeout: IDLE_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
      // The reference says so in other words.
      requireHostHeader: false,
      noDelay: true,
    },
    pass,
  );
  server.on("connect", (request, socket) => {
    const response = new http.ServerResponse(request);
    response.assignSocket(socket as Socket);
    response.once("finish", () => socket.end());
    answer(response, 400, "CONNECT requests are not supported");
  });
  server.timeout = IDLE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port, exclusive: true });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      posts.close();
      runtime.close();
      await once(server, "close");
    },
  };
}

/** Where the runtime is, as far as that is known, and the connections to it. */
class RuntimePlace {
  readonly #find: () => Promise<URL>;
  readonly #nowMs: () => number;
  #isKnown = false;
  #finding: Promise<RuntimeConnections> | undefined;
  #found: { readonly href: string; readonly connections: RuntimeConnections } | undefined;

  constructor(find: () => Promise<URL>, nowMs: () => number) {
    this.#find = find;
    this.#nowMs = nowMs;
  }

  /** Takes no turn of the event loop where the place is known. */
  use(take: (connections: RuntimeConnections) => void, onFailed: () => void): void {
    if (this.#isKnown && this.#found !== undefined) {
      take(this.#found.connections);
      return;
    }
    this.#finding ??= this.#connect().finally(() => {
      this.#finding = undefined;
    });
    this.#finding.then(take, onFailed);
  }

  /** A request has failed: before the next one it is looked for again. */
  forget(): void {
    this.#isKnown = false;
  }

  close(): void {
    this.#found?.connections.close();
  }

  async #connect(): Promise<RuntimeConnections> {
    const { href, hostname, port } = await this.#find();
    if (href !== this.#found?.href) {
      this.#found?.connections.close();
      const bounds = { maxRunning: MAX_RUNNING, maxArriving: MAX_ARRIVING, idleMs: RUNTIME_IDLE_MS };
      this.#found = {
        href,
        connections: new RuntimeConnections({ hostname, port: Number(port), ...bounds, nowMs: this.#nowMs }),
      };
    }
    this.#isKnown = true;
    return this.#found.connections;
  }
}

/** Why the reference reads no further than to the head; undefined: it does. */
function headFault(
  target: ReadTarget | string,
  { host, isHostRepeated }: RequestHead,
  { url, httpVersion }: { readonly url: string; readonly httpVersion: string },
): string | undefined {
  if (typeof target === "string") return target;
  if (isHostRepeated) return "HTTP message must not contain more than one Host header";
  return targetFault(url, target, host === undefined ? undefined : readHost(host), httpVersion);
}

/** Whether its body tells its length, and is short. */
function isJoinable({ isChunked, sizeBytes }: RequestHead): boolean {
  return !isChunked && sizeBytes > 0 && sizeBytes <= MAX_JOINED_BYTES;
}

/** @param asked with its query: the Worker reads the same path in it */
function isPath(asked: string, path: string): boolean {
  return readRequestUrl(`http://node${asked}`)?.path === path;
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

/** Answers for a runtime that cannot. */
function refuse(response: http.ServerResponse): void {
  if (response.headersSent) response.destroy();
  else answer(response, 503, "The node is not ready.");
}

/** Says something in place of the runtime. */
function answer(response: http.ServerResponse, status: number, text: string): void {
  const length = Buffer.byteLength(text);
  const headers = { "Content-Type": "text/plain; charset=UTF-8", "Content-Length": length, Connection: "close" };
  response.writeHead(status, headers).end(text);
}
