/** Posts of many clients that go to the runtime as one request, and what becomes of each. */
import { once } from "node:events";
import type http from "node:http";
import net from "node:net";
import { expect, test } from "vitest";
import { joinedAnswer, joinedHeader, splitJoined } from "../../src/http/joined-posts.ts";
import { mismatch } from "../../src/http/kind.ts";
import { frontOf, rawClient, runtimeOf } from "./door.ts";

const path = "/transactions/broadcast";
const lowerHeader = joinedHeader.toLowerCase();
/** In Latin-1, as the client writes it. */
const postOf = (body: string, more = "") =>
  `POST ${path} HTTP/1.1\r\nHost: node\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${Buffer.from(body).toString("latin1")}`;

interface Received {
  /** Bodies of clients. */
  readonly bodies: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly response: http.ServerResponse;
}

/** A runtime that is told when to answer, and a door whose clock is moved by hand. */
async function arrange() {
  const received: Received[] = [];
  const clock = { nowMs: 0 };
  const statuses: number[] = [];
  const { url } = await runtimeOf(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const joined = request.headers[lowerHeader];
    const parts = joined === undefined ? [body] : splitJoined(String(joined), body);
    if (parts === mismatch) throw new Error(`${joinedHeader}: ${joined} for ${body.length} bytes`);
    received.push({ bodies: parts.map((part) => Buffer.from(part).toString()), headers: request.headers, response });
  });
  const { port } = await frontOf(async () => url, {
    nowMs: () => clock.nowMs,
    onAnswered: ({ status }) => void statuses.push(status),
  });
  const isAsked = (count: number) => expect.poll(() => received.length).toBe(count);
  /** A client whose requests, sent at once, the door reads in one turn. */
  const post = async (...posts: readonly string[]) => {
    const client = await rawClient(port);
    client.say(posts.join(""));
    return client;
  };
  return { received, clock, statuses, isAsked, post };
}

const seenBy = (client: Awaited<ReturnType<typeof rawClient>>, text: string) =>
  expect.poll(client.seen).toContain(Buffer.from(text).toString("latin1"));

const answerOf = (number: number, body: string) =>
  joinedAnswer(number, { status: 200, headers: { "X-Own": String(number) }, body });

/** Answers to each with its own body, in the order of the numbers. */
function giveBack({ bodies, response }: Received, order: readonly number[] = bodies.map((_, number) => number)): void {
  if (bodies.length === 1) {
    response.end(`to ${bodies[0]}`);
    return;
  }
  response.setHeader(joinedHeader, bodies.length);
  response.end(Buffer.concat(order.map((number) => answerOf(number, `to ${bodies[number]}`))));
}

const bodiesOf = (received: readonly Received[]) => received.map(({ bodies }) => bodies);

test("what comes at once goes together, and each gets its own answer, whichever is ready first", async () => {
  const { received, isAsked, post } = await arrange();
  const client = await post(postOf("one"), postOf("я"), postOf("three"));
  await isAsked(1);
  expect(bodiesOf(received)).toEqual([["one", "я", "three"]]);
  giveBack(received[0] as Received, [2, 0, 1]);
  await seenBy(client, "to three");
  const answers = client.seen().split("HTTP/1.1 200 OK\r\n").slice(1);
  expect(answers.map((each) => each.split("\r\n\r\n")[1])).toEqual([
    "to one",
    Buffer.from("to я").toString("latin1"),
    "to three",
  ]);
  expect(answers.map((each) => /X-Own: (\d)/.exec(each)?.[1])).toEqual(["0", "1", "2"]);
});

test("what comes while one is under way waits for its end, of whichever client it is", async () => {
  const { received, isAsked, post } = await arrange();
  const first = await post(postOf("first"));
  await isAsked(1);
  const others = await Promise.all(["a", "b", "c"].map((body) => post(postOf(body))));
  giveBack(received[0] as Received);
  await seenBy(first, "to first");
  const told = new Set<Received>();
  await expect
    .poll(() => {
      for (const each of received.slice(1)) if (!told.has(each)) giveBack(each);
      for (const each of received) told.add(each);
      return bodiesOf(received).flat().sort();
    })
    .toEqual(["a", "b", "c", "first"]);
  for (const [at, client] of others.entries()) await seenBy(client, `to ${["a", "b", "c"][at]}`);
});

test("nobody waits for long for one that takes its time", async () => {
  const { received, clock, isAsked, post } = await arrange();
  await post(postOf("slow"));
  await isAsked(1);
  clock.nowMs += 50;
  const client = await post(postOf("a"), postOf("b"));
  await isAsked(2);
  giveBack(received[1] as Received);
  await seenBy(client, "to b");
  expect(bodiesOf(received)).toEqual([["slow"], ["a", "b"]]);
});

test("who is alone is asked for as it came", async () => {
  const { received, isAsked, post } = await arrange();
  const client = await post(postOf("alone", "X-Other: 1\r\n"));
  await isAsked(1);
  expect(received[0]?.headers[lowerHeader]).toBeUndefined();
  expect(received[0]?.headers["x-other"]).toBe("1");
  giveBack(received[0] as Received);
  await seenBy(client, "to alone");
});

test("only those with the same headers go together", async () => {
  const { received, isAsked, post } = await arrange();
  const origin = (name: string) => `Origin: http://${name}\r\n`;
  const client = await post(postOf("a", origin("x")), postOf("b", origin("y")), postOf("c", origin("x")));
  await isAsked(2);
  expect(bodiesOf(received)).toEqual([["a", "c"], ["b"]]);
  expect(received.map(({ headers }) => headers["origin"])).toEqual(["http://x", "http://y"]);
  for (const each of received) giveBack(each);
  await seenBy(client, "to c");
});

test.each([
  ["that bring a key", "X-API-Key: key\r\n", "/transactions/broadcast"],
  ["to another path", "", "/transactions/broadcast?trace=true"],
])("those %s go alone", async (_, more, asked) => {
  const { received, isAsked, post } = await arrange();
  await post(...["a", "b"].map((body) => postOf(body, more).replace(path, asked)));
  await isAsked(2);
  expect(bodiesOf(received).sort()).toEqual([["a"], ["b"]]);
});

test("a body that is long goes alone", async () => {
  const { received, isAsked, post } = await arrange();
  await post(postOf("a".repeat(16_385)), postOf("b"));
  await isAsked(2);
  expect(received.map(({ bodies }) => bodies[0]?.length).sort()).toEqual([1, 16_385]);
});

test("what the door says to the runtime no client says", async () => {
  const { received, isAsked, post } = await arrange();
  await post(postOf("ab", `${joinedHeader}: 1,1\r\n`));
  await post(`GET / HTTP/1.1\r\nHost: node\r\n${joinedHeader}: 1\r\n\r\n`);
  await isAsked(2);
  expect(received.map(({ headers }) => headers[lowerHeader])).toEqual([undefined, undefined]);
});

test("answers are passed on as they come, in whatever pieces", async () => {
  const { received, isAsked, post } = await arrange();
  const client = await post(postOf("a"), postOf("b"));
  await isAsked(1);
  const { response } = received[0] as Received;
  response.setHeader(joinedHeader, 2);
  const [first, second] = [answerOf(0, "to a"), answerOf(1, "to b")];
  response.write(Buffer.concat([first, second.subarray(0, 1)]));
  await seenBy(client, "to a");
  for (const byte of second.subarray(1)) response.write(Uint8Array.of(byte));
  response.end();
  await seenBy(client, "to b");
});

test("where the runtime breaks off, those that have no answer yet are told so", async () => {
  const { received, isAsked, post } = await arrange();
  const client = await post(postOf("a"), postOf("b"));
  await isAsked(1);
  const { response } = received[0] as Received;
  response.setHeader(joinedHeader, 2);
  response.write(answerOf(0, "to a"));
  await seenBy(client, "to a");
  response.destroy();
  await seenBy(client, "HTTP/1.1 503");
});

test("an answer that ends too soon, or is to nobody, is none", async () => {
  const { received, isAsked, post } = await arrange();
  for (const sent of [answerOf(0, "to a"), answerOf(2, "to nobody"), Buffer.from("no answers")]) {
    const before = received.length;
    const client = await post(postOf("a"), postOf("b"));
    await isAsked(before + 1);
    const { response } = received[before] as Received;
    response.setHeader(joinedHeader, 2);
    response.end(sent);
    await seenBy(client, "HTTP/1.1 503");
  }
});

test("what a runtime says that takes them not apart is said to each", async () => {
  const { received, isAsked, post } = await arrange();
  const client = await post(postOf("a"), postOf("b"));
  await isAsked(1);
  (received[0] as Received).response.writeHead(400).end("wrong settings");
  await expect.poll(() => client.seen().match(/400 Bad Request[\s\S]*?wrong settings/g)?.length).toBe(2);
});

test("a client that goes away while it waits is not asked for; one that goes later takes nobody's answer along", async () => {
  const { received, statuses, isAsked, post } = await arrange();
  const first = await post(postOf("first"));
  await isAsked(1);
  const gone = await post(postOf("gone"));
  gone.end();
  await expect.poll(() => statuses).toEqual([0]);
  const kept = await post(postOf("kept"));
  giveBack(received[0] as Received);
  await seenBy(first, "to first");
  await isAsked(2);
  expect(bodiesOf(received)[1]).toEqual(["kept"]);
  kept.end();
  await expect.poll(() => statuses).toEqual([0, 200, 0]);
  // A request that was alone ends in the runtime with its client, and the next ones do not wait for it.
  const pair = await post(postOf("a"), postOf("b"));
  await isAsked(3);
  pair.end();
  await expect.poll(() => statuses).toEqual([0, 200, 0, 0, 0]);
  const next = await post(postOf("c"), postOf("d"));
  giveBack(received[2] as Received);
  await isAsked(4);
  giveBack(received[3] as Received);
  await seenBy(next, "to d");
  expect(bodiesOf(received).slice(2)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

test("what came into a connection that the runtime closes without having read it goes again, together", async () => {
  const connections: net.Socket[] = [];
  const bodies: string[] = [];
  let unread = "";
  const server = net.createServer((socket) => {
    const isFirst = connections.push(socket) === 1;
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      const text = bytes.toString("latin1");
      if (isFirst && bodies.length > 0) {
        unread += text;
        return;
      }
      bodies.push(text.split("\r\n\r\n")[1] as string);
      const answers = Buffer.concat([answerOf(0, "to a"), answerOf(1, "to b")]);
      const answer = text.includes(`${joinedHeader}: 1,1\r\n`) ? answers : Buffer.from("to first");
      const marked = answer === answers ? `${joinedHeader}: 2\r\n` : "";
      socket.write(`HTTP/1.1 200 OK\r\n${marked}Content-Length: ${answer.length}\r\n\r\n${answer}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: runtimePort } = server.address() as net.AddressInfo;
  const { port } = await frontOf(async () => new URL(`http://127.0.0.1:${runtimePort}`));
  const first = await rawClient(port);
  first.say(postOf("first"));
  await seenBy(first, "to first");
  const client = await rawClient(port);
  client.say(postOf("a") + postOf("b"));
  await expect.poll(() => unread).toMatch(/\r\n\r\nab$/);
  connections[0]?.resetAndDestroy();
  await seenBy(client, "to b");
  expect(bodies).toEqual(["first", "ab"]);
  for (const socket of connections) socket.destroy();
  server.close();
});

test("the runtime has 128 requests in hand at most, those that came together counted one by one", async () => {
  const { received, isAsked, post } = await arrange();
  const others = Array.from({ length: 126 }, (_, number) => `GET /${number} HTTP/1.1\r\nHost: node\r\n\r\n`);
  for (let start = 0; start < others.length; start += 14) await post(...others.slice(start, start + 14));
  await isAsked(126);
  const client = await post(...["a", "b", "c"].map((body) => postOf(body)));
  await isAsked(127);
  expect(bodiesOf(received)[126]).toEqual(["a", "b"]);
  giveBack(received[126] as Received);
  await isAsked(128);
  expect(bodiesOf(received)[127]).toEqual(["c"]);
  giveBack(received[127] as Received);
  await seenBy(client, "to c");
});
