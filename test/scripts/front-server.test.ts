import { once } from "node:events";
import type http from "node:http";
import net from "node:net";
import { describe, expect, test } from "vitest";
import type { AnsweredRequest } from "../../scripts/runner/front-server.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import { echo, frontOf, rawClient, runtimeOf } from "./door.ts";

const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: node\r\n\r\n`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("a client that pauses longer than the runtime keeps a connection keeps its own", async () => {
  const runtime = await runtimeOf(echo, 50);
  const { port } = await frontOf(async () => runtime.url);
  const client = await rawClient(port);
  client.say(ask("/first"));
  await expect.poll(client.seen).toContain("GET /first");
  await pause(1_500);
  client.say(ask("/second"));
  await expect.poll(client.seen).toContain("GET /second");
  expect(client.isClosed()).toBe(false);
});

test("requests are passed on with their bodies and headers, whatever their method", async () => {
  const { url } = await runtimeOf(echo);
  const { port } = await frontOf(async () => url);
  for (const method of ["POST", "PUT", "DELETE"]) {
    const answer = await fetch(`http://127.0.0.1:${port}/a%20b?c=d`, {
      method,
      body: "text",
      headers: { "X-Own": "1" },
    });
    expect(await answer.text()).toBe(`${method} /a%20b?c=d text`);
    expect(answer.headers.get("x-asked")).toBe("1");
  }
  const client = await rawClient(port);
  client.say("DELETE /chunked HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
  await expect.poll(client.seen).toContain("DELETE /chunked body");
});

test("answers stand in the order of the requests that a client sends at once", async () => {
  const { url } = await runtimeOf(echo);
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  const paths = Array.from({ length: 200 }, (_, index) => `/asked/${index}.`);
  client.say(paths.map(ask).join(""));
  await expect.poll(client.seen).toContain("/asked/199.");
  const answered = [...client.seen().matchAll(/GET (\S+)/g)].map(([, path]) => path);
  expect(answered).toEqual(paths);
});

test("a runtime that is gone is told of with 503, and found again where it comes back", async () => {
  const first = await runtimeOf(echo);
  let current = first.url;
  const { port } = await frontOf(async () => current);
  const get = () => fetch(`http://127.0.0.1:${port}/`);
  expect((await get()).status).toBe(200);
  await first.stop();
  expect((await get()).status).toBe(503);
  current = (await runtimeOf(echo)).url;
  expect((await get()).status).toBe(200);
});

test("an answer that breaks off in the runtime breaks off for the client", async () => {
  let breakOff = (): unknown => undefined;
  const { url } = await runtimeOf((_, response) => {
    response.writeHead(200, { "Content-Length": 100 }).write("half");
    breakOff = () => response.destroy();
  });
  const { port } = await frontOf(async () => url);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  breakOff();
  await expect(answer.text()).rejects.toThrow();
});

test("a body that the runtime does not read to its end costs the client its connection, not the answer", async () => {
  const { url } = await runtimeOf((_, response) => void response.writeHead(404).end("too long"));
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  client.say("POST / HTTP/1.1\r\nHost: node\r\nContent-Length: 100000000\r\n\r\nthe beginning");
  await expect.poll(client.isClosed).toBe(true);
  expect(client.seen()).toContain("HTTP/1.1 404");
  expect(client.seen()).toContain("too long");
});

test("a client that goes away ends its request in the runtime", async () => {
  let isEnded = false;
  const { url } = await runtimeOf((_, response) => void response.once("close", () => (isEnded = true)).write("begun"));
  const { port } = await frontOf(async () => url);
  const abort = new AbortController();
  await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal });
  abort.abort();
  await expect.poll(() => isEnded).toBe(true);
});

test("heads over 64 KB are refused", async () => {
  const { url } = await runtimeOf(echo);
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  client.say(ask(`/${"a".repeat(70_000)}`));
  await expect.poll(client.seen).toContain("HTTP/1.1 431");
});

test("connections over 1,024 are closed at once, those before stay open, and the runtime sees 128 at most", async () => {
  const seen = new Set<net.Socket>();
  const { url } = await runtimeOf((request, response) => {
    seen.add(request.socket);
    setTimeout(() => response.end("done"), 5);
  });
  const { port } = await frontOf(async () => url);
  const clients: Awaited<ReturnType<typeof rawClient>>[] = [];
  for (let count = 0; count < 1_030; count++) clients.push(await rawClient(port));
  await expect.poll(() => clients.filter((client) => client.isClosed()).length).toBe(6);
  for (const client of clients) client.say(ask("/"));
  await expect.poll(() => clients.filter((client) => client.seen().includes("done")).length).toBe(1_024);
  expect(seen.size).toBeLessThanOrEqual(128);
});

test.each([
  ["whose length is told", (body: Buffer) => body],
  ["in chunks", (body: Buffer) => new Blob([body]).stream()],
])("a body over the limit %s does not take the runtime's answer away", async (_, bodyOf) => {
  // As the Worker does: what is longer than the limit is not read to its end.
  const { url } = await runtimeOf((request, response) => {
    let sizeBytes = Number(request.headers["content-length"] ?? 0);
    const look = (): void => {
      if (sizeBytes <= maxBodySizeBytes || response.headersSent) return;
      request.pause();
      response.writeHead(404, { Connection: "close" }).end("too long");
    };
    look();
    request.on("data", (piece: Buffer) => {
      sizeBytes += piece.length;
      look();
    });
  });
  const { port } = await frontOf(async () => url, { filePath: "/dev/load" });
  for (let turn = 0; turn < 20; turn++) {
    const body = bodyOf(Buffer.alloc(4 * maxBodySizeBytes, "x"));
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, duplex: "half" } as RequestInit);
    expect({ status: answer.status, text: await answer.text() }).toEqual({ status: 404, text: "too long" });
  }
});

test("a file may be posted where files are taken", async () => {
  const { url } = await runtimeOf(async (request, response) => {
    let sizeBytes = 0;
    for await (const piece of request) sizeBytes += (piece as Buffer).length;
    response.end(String(sizeBytes));
  });
  const { port } = await frontOf(async () => url, { filePath: "/dev/load" });
  const sizeBytes = 3 * maxBodySizeBytes;
  const post = (path: string, body: BodyInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body, duplex: "half" } as RequestInit);
  for (const path of ["/dev/load", "/dev/load?a=b"]) {
    const answers = [
      await post(path, Buffer.alloc(sizeBytes)),
      await post(path, new Blob([Buffer.alloc(sizeBytes)]).stream()),
    ];
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([String(sizeBytes), String(sizeBytes)]);
  }
});

describe("bodies that do not arrive", () => {
  const posted = (sizeBytes: number, begin = "") =>
    `POST /stalled HTTP/1.1\r\nHost: node\r\nContent-Length: ${sizeBytes}\r\n\r\n${begin}`;

  /** A door before which so many clients begin bodies, and go no further. */
  async function besieged(count: number, begin = "x") {
    const seen: string[] = [];
    const { url } = await runtimeOf((request, response) => {
      seen.push(request.url ?? "");
      let body = "";
      request.on("data", (piece: Buffer) => (body += piece));
      request.on("end", () => response.end(`${request.method} ${request.url} ${body}`));
    });
    const { port } = await frontOf(async () => url);
    const clients: Awaited<ReturnType<typeof rawClient>>[] = [];
    for (let each = 0; each < count; each++) {
      const client = await rawClient(port);
      client.say(posted(200_000, begin));
      clients.push(client);
    }
    const stalled = () => seen.filter((path) => path === "/stalled").length;
    await expect.poll(stalled).toBe(32);
    return { port, clients, stalled };
  }

  test("keep a quarter of the connections to the runtime, and nobody else waits", async () => {
    const { port, stalled } = await besieged(150);
    const other = await rawClient(port);
    other.say(ask("/read"));
    await expect.poll(other.seen).toContain("GET /read");
    const body = "y".repeat(60_000);
    other.say(`POST /written HTTP/1.1\r\nHost: node\r\nContent-Length: ${body.length}\r\n\r\n`);
    other.say(body);
    await expect.poll(other.seen).toContain(`POST /written ${body}`);
    expect(stalled()).toBe(32);
  });

  test("wait for each other where they are large, and come whole", async () => {
    const { port, clients } = await besieged(40);
    const body = Array.from({ length: 30_000 }, (_, at) => `${at},`).join("");
    const large = await rawClient(port);
    large.say(`POST /large HTTP/1.1\r\nHost: node\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const chunked = await rawClient(port);
    chunked.say("POST /pieces HTTP/1.1\r\nHost: node\r\nTransfer-Encoding: chunked\r\n\r\n");
    chunked.say(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
    for (const client of clients) client.end();
    await expect.poll(large.seen).toContain(`POST /large ${body}`);
    await expect.poll(chunked.seen).toContain(`POST /pieces ${body}`);
  });

  test("leave nothing behind when their clients go away", async () => {
    const { port, clients } = await besieged(100, "x".repeat(100_000));
    for (const client of clients) client.end();
    const others = await Promise.all(Array.from({ length: 40 }, () => rawClient(port)));
    const body = "z".repeat(100_000);
    for (const other of others) other.say(posted(body.length, body).replace("stalled", "late"));
    for (const other of others) await expect.poll(other.seen).toContain(`POST /late ${body}`);
  });
});

test("the runner is told once the runtime has agreed to stop and the client knows", async () => {
  const stops: string[] = [];
  const statuses: Record<string, number> = { "/node/stop": 200, "/refused": 403 };
  const { url } = await runtimeOf((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://node");
    const status = request.headers["x-api-key"] === "key" ? (statuses[pathname] ?? 404) : 403;
    response.writeHead(status).end("stopped");
  });
  const { port } = await frontOf(async () => url, { onStop: () => stops.push("stop") });
  const asked = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", ...init });
    return `${answer.status} ${await answer.text()}`;
  };
  const headers = { "X-API-Key": "key" };
  expect(await asked("/node/stop")).toBe("403 stopped");
  expect(await asked("/node/stop", { method: "GET", headers })).toBe("200 stopped");
  expect(await asked("/node/stops", { headers })).toBe("404 stopped");
  expect(stops).toEqual([]);
  expect(await asked("/node/../node/stop?x", { headers })).toBe("200 stopped");
  await expect.poll(() => stops).toEqual(["stop"]);
  // The Worker reads letters that need not be encoded; this runtime does not.
  statuses["/node/%73top"] = 200;
  expect(await asked("/node/%73top", { headers })).toBe("200 stopped");
  await expect.poll(() => stops).toEqual(["stop", "stop"]);
});

test.each(["node/utils/hash/fast?", "node#", "node\\\\x", "user@node"])(
  "a Host header %s that hides a path is refused",
  async (host) => {
    const stops: string[] = [];
    const { url } = await runtimeOf((_, response) => void response.end("a hash"));
    const { port } = await frontOf(async () => url, { onStop: () => stops.push("stop") });
    const client = await rawClient(port);
    client.say(`POST /node/stop HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`);
    await expect.poll(client.isClosed).toBe(true);
    expect(client.seen()).toMatch(/^HTTP\/1.1 400 .*Request is missing required `Host` header$/s);
    expect(stops).toEqual([]);
  },
);

test("a request with two Host headers is refused: the runtime takes the second where the first is empty", async () => {
  const stops: string[] = [];
  const { url } = await runtimeOf((_, response) => void response.end("a hash"));
  const { port } = await frontOf(async () => url, { onStop: () => stops.push("stop") });
  const client = await rawClient(port);
  client.say("POST /node/stop HTTP/1.1\r\nHost:\r\nHost: node/utils/hash/fast?\r\nContent-Length: 0\r\n\r\n");
  await expect.poll(client.isClosed).toBe(true);
  expect(client.seen()).toMatch(/^HTTP\/1.1 400 /);
  expect(stops).toEqual([]);
});

test.each([
  ["node.example", "none", "none"],
  ["*", "none", "key"],
  ["%6cocalhost", "none", "key"],
  ["localhost:6869", "key", "key"],
  ["[::1]:6869", "key", "key"],
  ["waves:6869", "none", "key"],
  ["127.1:6869", "none", "key"],
])(
  "of a request to the host '%s' a known key is passed on: %s, where others are let in: %s",
  async (asked, here, nearby) => {
    // For the system this machine, for the door an address like any other: the test opens nothing to others.
    const host = "127.1";
    const { url } = await runtimeOf(({ headers }, response) => {
      response.end(`${headers["x-api-key"] ?? "none"} ${headers["api_key"] ?? "none"} ${headers["x-own"]}.`);
    });
    const doors = [
      { isKeyKnown: true },
      { isKeyKnown: true, host },
      { isKeyKnown: false },
      { isKeyKnown: false, host },
    ];
    const answers = await Promise.all(
      doors.map(async (door) => {
        const { port } = await frontOf(async () => url, door);
        const client = await rawClient(port);
        client.say(`GET / HTTP/1.1\r\nHost: ${asked}\r\nX-API-KEY: key\r\napi_key: key\r\nX-Own: own\r\n\r\n`);
        await expect.poll(client.seen).toMatch(/own\.$/);
        return client.seen().split("\r\n").at(-1);
      }),
    );
    expect(answers).toEqual([here, nearby, "key", "key"].map((key) => `${key} ${key} own.`));
  },
);

test("a connection to the runtime is used again, but not after 3 s of silence: the runtime closes it after 5", async () => {
  const seen = new Set<net.Socket>();
  const { url } = await runtimeOf((request, response) => {
    seen.add(request.socket);
    response.end("done");
  });
  let nowMs = 0;
  const { port } = await frontOf(async () => url, { nowMs: () => nowMs });
  const get = async () => expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("done");
  await get();
  nowMs += 2_999;
  await get();
  expect(seen.size).toBe(1);
  nowMs += 3_000;
  await get();
  expect(seen.size).toBe(2);
});

/**
 * A runtime that answers requests, but on the first connection none after the first: it closes that one when it is told to, with what has
 * come into it, as workerd does that has worked through the time for which it keeps a silent connection.
 */
async function stallingRuntime() {
  const asked: string[] = [];
  const connections: net.Socket[] = [];
  let unread = "";
  const server = net.createServer((socket) => {
    const isFirst = connections.push(socket) === 1;
    let [text, isStalled] = ["", false];
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (isStalled) unread += bytes.toString("latin1");
      else text += bytes.toString("latin1");
      const [, length = "0"] = /Content-Length: (\d+)/.exec(text) ?? [];
      const [head = "", body = ""] = text.split("\r\n\r\n", 2);
      if (!text.includes("\r\n\r\n") || body.length < Number(length)) return;
      asked.push(`${head.split(" HTTP", 1)[0]} ${body.length}`);
      text = "";
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone");
      isStalled = isFirst;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const stop = (): void => {
    for (const socket of connections) socket.destroy();
    server.close();
  };
  const url = new URL(`http://127.0.0.1:${port}`);
  return { asked, unread: () => unread, url, stop, closeFirst: () => connections[0]?.resetAndDestroy() };
}

describe("a request that came into a kept connection which the runtime closes without having read it", () => {
  test.each([
    ["has no body", undefined, 200],
    ["has a small body", 60_000, 200],
    ["has a large body, which nobody has kept", 70_000, 503],
  ])("%s", async (_, sizeBytes, status) => {
    const runtime = await stallingRuntime();
    const { port } = await frontOf(async () => runtime.url);
    const url = `http://127.0.0.1:${port}`;
    await (await fetch(`${url}/first`)).text();
    const method = sizeBytes === undefined ? "GET" : "POST";
    const body = sizeBytes === undefined ? {} : { body: "x".repeat(sizeBytes) };
    const second = fetch(`${url}/second`, { method, ...body });
    await expect.poll(runtime.unread).toMatch(/\r\n\r\n/);
    expect(runtime.asked).toEqual(["GET /first 0"]);
    runtime.closeFirst();
    expect((await second).status).toBe(status);
    expect(runtime.asked.slice(1)).toEqual(status === 200 ? [`${method} /second ${sizeBytes ?? 0}`] : []);
    runtime.stop();
  });
});

test("a connection that the runtime says it closes is not used again", async () => {
  const seen = new Set<net.Socket>();
  const { url } = await runtimeOf((request, response) => {
    seen.add(request.socket);
    response.writeHead(200, { Connection: "close" }).end("done");
  });
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  for (let turn = 1; turn <= 3; turn++) {
    client.say(ask("/"));
    await expect.poll(() => client.seen().split("done").length).toBe(turn + 1);
  }
  expect(seen.size).toBe(3);
  expect(client.isClosed()).toBe(false);
});

test("of a request that waits for the runtime and whose client goes away the runtime hears nothing", async () => {
  const held: http.ServerResponse[] = [];
  const asked: string[] = [];
  const { url } = await runtimeOf(({ url = "" }, response) => {
    asked.push(url);
    if (url === "/held") held.push(response);
    else response.end("done");
  });
  const { port } = await frontOf(async () => url);
  const holders = await Promise.all(Array.from({ length: 128 }, () => rawClient(port)));
  for (const client of holders) client.say(ask("/held"));
  await expect.poll(() => held.length).toBe(128);
  const [lost, waiting] = [await rawClient(port), await rawClient(port)];
  lost.say(ask("/lost"));
  lost.end();
  await expect.poll(lost.isClosed).toBe(true);
  waiting.say(ask("/waiting"));
  for (const response of held) response.end("held");
  await expect.poll(waiting.seen).toContain("done");
  expect(asked.slice(128)).toEqual(["/waiting"]);
});

test.each([
  ["whose length is told", { "Content-Length": 64 * 1_048_576 }],
  ["in pieces", {}],
])("of a long answer %s the runtime sends no more than the client reads", async (_, headers) => {
  const piece = Buffer.alloc(1_048_576, "x");
  let leftPieces = 64;
  const { url } = await runtimeOf(async (_, response) => {
    response.writeHead(200, headers);
    for (; leftPieces > 0; leftPieces--) if (!response.write(piece)) await once(response, "drain");
    response.end();
  });
  const { port } = await frontOf(async () => url);
  const socket = net.connect(port, "127.0.0.1").pause();
  socket.write(ask("/"));
  let before = -1;
  while (before !== leftPieces) {
    before = leftPieces;
    await pause(300);
  }
  expect(leftPieces).toBeGreaterThan(32);
  let sizeBytes = 0;
  socket.on("data", (bytes) => {
    sizeBytes += bytes.length;
  });
  socket.resume();
  await expect.poll(() => sizeBytes).toBeGreaterThan(64 * 1_048_576);
  expect(leftPieces).toBe(0);
  socket.destroy();
});

test.each([
  ["whose length is told", true],
  ["in pieces", false],
])("long answers %s that come at once do not mix", async (_, isTold) => {
  const bodyOf = (letter: string): string => letter.repeat(1_000_000 + letter.charCodeAt(0));
  const { url } = await runtimeOf(({ url = "" }, response) => {
    const body = bodyOf(url.slice(1));
    if (isTold) response.setHeader("Content-Length", body.length);
    for (let from = 0; from < body.length; from += 30_000) response.write(body.slice(from, from + 30_000));
    response.end();
  });
  const { port } = await frontOf(async () => url);
  const bodies = await Promise.all(
    [..."abcdefgh"].map(async (letter) => (await fetch(`http://127.0.0.1:${port}/${letter}`)).text()),
  );
  expect(bodies.map((body) => `${body.length}${[...new Set(body)].join("")}`)).toEqual(
    [..."abcdefgh"].map((letter) => `${bodyOf(letter).length}${letter}`),
  );
});

test("a runtime that answers with what is no answer is told of with 503", async () => {
  const runtime = net.createServer((socket) => void socket.once("data", () => socket.end("SSH-2.0-x\r\n\r\n")));
  await once(runtime.listen(0, "127.0.0.1"), "listening");
  const { port: runtimePort } = runtime.address() as net.AddressInfo;
  const { port } = await frontOf(async () => new URL(`http://127.0.0.1:${runtimePort}`));
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(503);
  await new Promise((resolve) => runtime.close(resolve));
});

test("who wants to know is told of each request once its answer is out, and of what was said against it", async () => {
  let hasCome = false;
  const { url } = await runtimeOf((request, response) => {
    if (request.url?.startsWith("/silent")) {
      hasCome = true;
      return;
    }
    const isRefused = request.url?.startsWith("/refused");
    response.writeHead(isRefused ? 400 : 200).end(isRefused ? "not so" : "fine");
  });
  const answered: AnsweredRequest[] = [];
  const { port } = await frontOf(async () => url, { onAnswered: (request) => answered.push(request) });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.text());
  expect([await get("/a?b=c"), await get("/refused")]).toEqual(["fine", "not so"]);
  const silent = await rawClient(port);
  silent.say(ask("/silent"));
  await expect.poll(() => hasCome).toBe(true);
  silent.end();
  await expect.poll(() => answered).toHaveLength(3);
  expect(answered.map(({ milliseconds: _, ...rest }) => rest)).toEqual([
    { method: "GET", path: "/a", status: 200, refusal: undefined },
    { method: "GET", path: "/refused", status: 400, refusal: "not so" },
    { method: "GET", path: "/silent", status: 0, refusal: undefined },
  ]);
  expect(answered.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
});
