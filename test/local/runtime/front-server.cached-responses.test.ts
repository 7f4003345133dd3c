/**
 * Responses that the front server gives from its cache, indistinguishable to clients. The rules of time are tested in
 * response-cache.test.ts.
 */
import type http from "node:http";
import { expect, test } from "vitest";
import { frontOf, rawClient, runtimeOf } from "../../support/builders/test-front-server.ts";

/** @returns true: the listener has responded */
type Responder = (request: http.IncomingMessage, response: http.ServerResponse) => boolean;

const big = "b".repeat(100_000);

function isWhole(text: string, request: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd < 0 || request.startsWith("HEAD")) return headEnd >= 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length === headEnd + 4 + Number(length);
}

/** Front server for a runtime that responds with the number of requests so far. */
async function countingFront(respond: Responder = () => false) {
  const clock = { nowMs: 1_000 };
  const requests: string[] = [];
  const runtime = await runtimeOf((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.setHeader("X-State", "0.1");
    if (respond(request, response)) return;
    const text = `${requests.length}${request.url === "/big" ? big : ""}.`;
    response.setHeader("Content-Length", text.length).end(text);
  });
  const { port } = await frontOf(async () => runtime.url, { nowMs: () => clock.nowMs });
  const client = await rawClient(port);
  /** @returns the bytes that arrive until the response is complete */
  const say = async (request: string, { seen, say } = client): Promise<string> => {
    const before = seen().length;
    say(request);
    await expect.poll(() => isWhole(seen().slice(before), request)).toBe(true);
    return seen().slice(before);
  };
  return { clock, asked: requests, runtime, port, say };
}

const get = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\nHost: node\r\n${headers}\r\n`;

test.each(["/small", "/big"])(
  "an answer to GET %s is given again to the byte, and shows the client no state",
  async (path) => {
    const { say, asked } = await countingFront();
    const first = await say(get(path));
    expect(first).toContain("1");
    expect(first).not.toMatch(/x-state/i);
    expect(await say(get(path))).toBe(first);
    expect(asked).toEqual([`GET ${path}`]);
  },
);

test("an answer that came in several parts is given again whole", async () => {
  const { say, asked } = await countingFront((_, response) => {
    response.writeHead(200, { "Content-Length": 8 }).write("part", () => response.end("two."));
    return true;
  });
  const first = await say(get("/"));
  expect(first).toMatch(/\r\n\r\nparttwo\.$/);
  expect(await say(get("/"))).toBe(first);
  expect(asked.length).toBe(1);
});

test("once 100 ms are over the runtime is asked again", async () => {
  const { say, clock } = await countingFront();
  await say(get("/"));
  clock.nowMs += 99;
  // The renewal: one request pays for all.
  expect(await say(get("/"))).toMatch(/2\.$/);
  expect(await say(get("/"))).toMatch(/2\.$/);
  clock.nowMs += 100;
  expect(await say(get("/"))).toMatch(/3\.$/);
});

test.each([
  ["another URL", get("/?a"), get("/?b")],
  ["another header", get("/", "Accept: a\r\n"), get("/", "Accept: b\r\n")],
  ["a header more", get("/"), get("/", "Accept: */*\r\n")],
  ["another case of a header", get("/", "accept: a\r\n"), get("/", "Accept: a\r\n")],
  ["another order of headers", get("/", "A: 1\r\nB: 2\r\n"), get("/", "B: 2\r\nA: 1\r\n")],
  ["the method HEAD", get("/"), "HEAD / HTTP/1.1\r\nHost: node\r\n\r\n"],
  ["the method OPTIONS", get("/"), "OPTIONS / HTTP/1.1\r\nHost: node\r\n\r\n"],
])("a request with %s is another one", async (_, first, second) => {
  const { say, asked } = await countingFront();
  await say(first);
  await say(second);
  expect(asked.length).toBe(2);
});

test("another name of the node makes no other request, nor does the whole URL", async () => {
  const { say, asked } = await countingFront();
  const first = await say(get("/"));
  expect(await say("GET / HTTP/1.1\r\nHost: other\r\n\r\n")).toBe(first);
  expect(await say("GET http://other/ HTTP/1.1\r\nHost: other\r\n\r\n")).toBe(first);
  expect(asked.length).toBe(1);
});

test("headers about the connection make no other request", async () => {
  const { say, asked, port } = await countingFront();
  await say(get("/", "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n"));
  const other = await rawClient(port);
  expect(await say(get("/", "Connection: close\r\n"), other)).toMatch(/1\.$/);
  await expect.poll(other.isClosed).toBe(true);
  expect(asked.length).toBe(1);
});

test.each([
  "Cookie: a=b\r\n",
  "authorization: Basic a\r\n",
  "Range: bytes=0-1\r\n",
  "X-API-Key: key\r\n",
  "X-Api-Key: \r\n",
  "api_key: key\r\n",
  "Connection: Upgrade\r\nUpgrade: websocket\r\n",
  "Content-Length: 1\r\n\r\nx",
  "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n",
])("a request with %j is asked each time", async (headers) => {
  const { say, asked } = await countingFront();
  const text = headers.includes("\r\n\r\nx") ? `GET / HTTP/1.1\r\nHost: node\r\n${headers}` : get("/", headers);
  await say(text);
  await say(text);
  expect(asked.length).toBe(2);
});

test.each(["GET", "POST"])("an answer to %s that may not be kept shows the client no state either", async (method) => {
  const { say, asked } = await countingFront((_, response) => {
    response.setHeader("Cache-Control", "no-store");
    return false;
  });
  const request = `${method} / HTTP/1.1\r\nHost: node\r\nContent-Length: 0\r\n\r\n`;
  expect(await say(request)).not.toMatch(/x-state/i);
  await say(request);
  expect(asked.length).toBe(2);
});

test("a client that has the answer of its write is shown nothing that was asked before", async () => {
  let endWrite = (): void => {};
  const { say, asked, port, clock } = await countingFront(({ method }, response) => {
    if (method !== "POST") return false;
    response.removeHeader("X-State");
    endWrite = () => response.end("written.");
    return true;
  });
  await say(get("/"));
  clock.nowMs += 1;
  const writer = await rawClient(port);
  writer.say("POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 0\r\n\r\n");
  await expect.poll(() => asked.length).toBe(2);
  expect(await say(get("/"))).toMatch(/1\.$/);
  endWrite();
  await expect.poll(writer.seen).toContain("written.");
  expect(await say(get("/"))).toMatch(/3\.$/);
  // Sent at the instant of the write's response, by this clock's resolution: it proves nothing.
  expect(await say(get("/"))).toMatch(/4\.$/);
  clock.nowMs += 1;
  expect(await say(get("/"))).toMatch(/5\.$/);
  expect(await say(get("/"))).toMatch(/5\.$/);
});

test("a Host that hides a path is refused, not answered from memory", async () => {
  const { say, asked, port } = await countingFront();
  const request = "GET / HTTP/1.1\r\nHost: node#\r\n\r\n";
  await say(get("/"));
  expect(await say(request, await rawClient(port))).toMatch(/^HTTP\/1.1 400 /);
  expect(asked.length).toBe(1);
});

test("after a failure of the runtime everything is requested again", async () => {
  const { say, asked, port } = await countingFront((request) => {
    if (request.url === "/crash") request.socket.destroy();
    return request.url === "/crash";
  });
  await say(get("/"));
  expect(await say(get("/crash"), await rawClient(port))).toMatch(/^HTTP\/1.1 503 /);
  await say(get("/"));
  // On a reused connection first, then on one of its own.
  expect(asked).toEqual(["GET /", "GET /crash", "GET /crash", "GET /"]);
});

test("answers from memory stand in the order of the requests that a client sends at once", async () => {
  const { say, asked, port } = await countingFront();
  await say(get("/0"));
  const client = await rawClient(port);
  const paths = Array.from({ length: 100 }, (_, index) => `/${index % 3}`);
  client.say(paths.map((path) => get(path)).join(""));
  const bodies = () => [...client.seen().matchAll(/\r\n\r\n(\d+)\./g)].map(([, body]) => body);
  await expect.poll(() => bodies().length).toBe(100);
  const ofPaths = paths.map((path, index) => [path, bodies()[index]]);
  expect(ofPaths.filter(([path]) => path === "/0").every(([, body]) => body === "1")).toBe(true);
  expect(
    ofPaths.filter(([path]) => path !== "/0").every(([path, body]) => asked[Number(body) - 1] === `GET ${path}`),
  ).toBe(true);
});
