/** Target and Host of requests: results recorded from a reference node, version 1.5.7, over raw sockets. */
import { expect, test } from "vitest";
import { echo, frontOf, rawClient, runtimeOf } from "../../support/builders/test-front-server.ts";

const get = (target: string, host = "node:80") => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const absent = (target: string, version = "1.1") => `GET ${target} HTTP/${version}\r\n\r\n`;

/** Response to a client: the request that the runtime got, or the message of a refusal. */
async function responseTo(request: string): Promise<string> {
  const { url } = await runtimeOf(echo);
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  client.say(request);
  await expect.poll(client.seen).toMatch(/\r\n\r\n.+/s);
  const [head = "", body = ""] = client.seen().split("\r\n\r\n");
  const status = head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
  if (status === "200") return body.replaceAll(/^\w+\r\n|\r\n0$/g, "").trimEnd();
  expect(head).toContain("\r\nContent-Type: text/plain; charset=UTF-8\r\n");
  expect(head).toContain("\r\nConnection: close");
  return `${status} ${body}`;
}

test.each([
  ["a path", get("/a/b?c"), "GET /a/b?c"],
  ["a whole URL", get("http://node:80/a?b"), "GET /a?b"],
  ["one in capitals", get("HTTP://NODE:80/a"), "GET /a"],
  ["one of another scheme", get("https://node:80/a"), "GET /a"],
  ["one with a user", get("http://u:p@node:80/a"), "GET /a"],
  ["one without a path", get("http://node:80"), "GET /"],
  ["one with nothing but a query", get("http://node:80?a"), "GET /?a"],
  ["one without a port", get("http://node/a", "node"), "GET /a"],
  ["one with an encoded name", get("http://%6eode/a", "node"), "GET /a"],
  ["one with an address", get("http://[::1]:80/a", "[0:0:0:0:0:0:0:1]:80"), "GET /a"],
  ["one that is posted to", "POST http://node/a HTTP/1.1\r\nHost: node\r\nContent-Length: 3\r\n\r\nabc", "POST /a abc"],
  ["one of an old client", absent("http://node/a", "1.0"), "GET /a"],
  ["all", get("*"), "GET /"],
  ["all, for another method", "OPTIONS * HTTP/1.1\r\nHost: node\r\n\r\n", "OPTIONS /"],
])("a request for %s is answered", async (_, request, expected) => {
  expect(await responseTo(request)).toBe(expected);
});

const otherHost = (url: string) =>
  `400 'Host' header value of request to \`${url}\` doesn't match request target authority`;
const illegal = (problem: string, column: number) =>
  `400 Illegal request-target: ${problem} (line 1, column ${column})`;
const invalid = (character: string, expected: string, column: number) =>
  illegal(`Invalid input '${character}', expected ${expected}`, column);
const inPath = "pchar, '/', '?' or 'EOI'";
const atSegment = "segment, '/', '?' or 'EOI'";
const inQuery = "query-char, pct-encoded or 'EOI'";

test.each([
  [get("http://other.test/a"), otherHost("http://other.test/a")],
  [get("http://node:1/a"), otherHost("http://node:1/a")],
  [get("http://node/a"), otherHost("http://node/a")],
  [get("http://node:80/a", "node"), otherHost("http://node:80/a")],
  [get("http://node/a", ""), otherHost("http://node/a")],
  [get("HTTP://OTHER.test/a/../x"), otherHost("http://other.test/x")],
  [get("http://u:p@other.test/%7ea%20?b=%7E"), otherHost("http://u:p@other.test/~a%20?b=%7E")],
  [get("http://other.test"), otherHost("http://other.test")],
  [get("http://other.test:0/x"), otherHost("http://other.test/x")],
  [get("http://[::1]:5/x"), otherHost("http://[::1]:5/x")],
  [get("http://other?x=1"), otherHost("http://other?x=1")],
  [get("http://other/a%2Fb%2fc/%c3%a4/x;y=1,2"), otherHost("http://other/a%2Fb%2Fc/%C3%A4/x;y=1,2")],
  [get("ftp://other/x"), otherHost("ftp://other/x")],
  [get("ftp://node:80/x"), '400 `uri` must have scheme "http", "https", "ws", "wss" or no scheme'],
  [get('/a"b'), invalid('"', inPath, 3)],
  [get('/a/"'), invalid('"', atSegment, 4)],
  [get("/a\\b"), invalid("\\", inPath, 3)],
  [get("/a#b"), invalid("#", inPath, 3)],
  [get("/a%4|"), invalid("|", "HEXDIG", 5)],
  [get("/a%"), illegal("Unexpected end of input, expected HEXDIG", 4)],
  [get("/a%4"), illegal("Unexpected end of input, expected HEXDIG", 5)],
  [get("/a?|"), invalid("|", "rawQueryString or 'EOI'", 4)],
  [get("/a?b|"), invalid("|", inQuery, 5)],
  [get("/a?b?|"), invalid("|", inQuery, 6)],
  [get("/a?b=%zz"), invalid("z", "HEXDIG", 7)],
  [get("http://node:80/a#b"), invalid("#", inPath, 17)],
  [get('http://node:80/"', "a b"), invalid('"', atSegment, 16)],
  ["CONNECT node:80 HTTP/1.1\r\nHost: node:80\r\n\r\n", "400 CONNECT requests are not supported"],
])("a request %j is refused", async (request, expected) => {
  expect(await responseTo(request)).toBe(expected);
});

const missing = "400 Request is missing required `Host` header";
const relative = (path: string, lack: string) =>
  `400 Cannot establish effective URI of request to \`${path}\`, request has a relative URI and ${lack}`;

test.each([
  ...[
    "a b",
    "a\tb",
    "\u00e4.test",
    "a/b",
    "a?b",
    "a#b",
    "u@a",
    "a\\b",
    "a<b",
    'a"b',
    "a{b}",
    "a|b",
    "a^b",
    "a`b",
    "a%zz",
  ],
  ...["a:b", "a:", "a:1:2", "a:65536", "a:000000080", "a :1", "[::1", "::1", "[]", "[::1]x", "[1::2::3]", "[v1.a]"],
  ...["[fe80::1%25eth0]"],
])("a Host header %j names no host", async (host) => {
  expect(await responseTo(get("/", host))).toBe(missing);
  expect(await responseTo(get("http://a/", host))).toBe(missing);
});

test.each([
  ...["a.", "a..b", ".", "-a", "*", "a,b", "a;b", "a!b", "a$b", "a=b", "a(b)", "a~b", "a_b", "a&b'c+d", "a%20b", "%ff"],
  ...["1.2.3.999", "xn--a", "a:0", "a:65535", "a:00080", "[::1]:80", "[::ffff:1.2.3.4]", "a".repeat(300)],
])("a Host header %j names one, and the runtime never sees it", async (host) => {
  const { url } = await runtimeOf(({ headers }, response) => void response.end(headers.host));
  const { port } = await frontOf(async () => url);
  const client = await rawClient(port);
  client.say(get("/", host));
  await expect.poll(client.seen).toMatch(/^HTTP\/1.1 200 .*\r\n\r\n.*node/s);
});

test("without a Host header, or with an empty one, the runtime is not asked", async () => {
  expect(await responseTo(absent("/"))).toBe(missing);
  expect(await responseTo(absent("http://node/"))).toBe(missing);
  expect(await responseTo(absent("/a%41", "1.0"))).toBe(relative("/aA", "is missing a `Host` header"));
  for (const host of ["", ":80"]) {
    expect(await responseTo(get("/%41%20%2f%ff?x=%41", host))).toBe(
      relative("/A%20%2F%EF%BF%BD?x=%41", "an empty `Host` header"),
    );
    expect(await responseTo(get("/a/../b", host))).toBe(relative("/a/../b", "an empty `Host` header"));
  }
  expect(await responseTo(get("*", ""))).toBe(relative("//*", "an empty `Host` header"));
});

test("two Host headers are refused, the same ones too", async () => {
  for (const other of ["node:80", "a"])
    expect(await responseTo(`GET / HTTP/1.1\r\nHost: node:80\r\nHost: ${other}\r\n\r\n`)).toBe(
      "400 HTTP message must not contain more than one Host header",
    );
});
