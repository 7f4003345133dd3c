import { expect, test } from "vitest";
import { ResponseReader } from "../../../../verification/bench/parts/response-reader.ts";

const plain = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nHTTP/";
const chunked =
  "HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n3\r\n\r\n0\r\n1a;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n";
const withTrailer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTag: 1\r\n\r\n";
const empty = "HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n";
const unchanged = "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n";
const stream = [plain, chunked, withTrailer, empty, unchanged, plain];

function statusesOf(chunks: readonly Buffer[]): readonly number[] {
  const reader = new ResponseReader();
  const statuses: number[] = [];
  for (const chunk of chunks) {
    const ended = reader.push(chunk);
    if (ended > 0) statuses.push(reader.status);
  }
  return statuses;
}

test("an answer ends where its length or its last chunk says", () => {
  expect(statusesOf(stream.map((text) => Buffer.from(text)))).toEqual([200, 404, 200, 200, 304, 200]);
});

test.each([1, 2, 3, 7, 50])("answers that arrive %i bytes at a time are the same", (size) => {
  const bytes = Buffer.from(stream.join(""));
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const reader = new ResponseReader();
  expect(chunks.reduce((ended, chunk) => ended + reader.push(chunk), 0)).toBe(stream.length);
});

test("several answers in one piece are counted each", () => {
  expect(new ResponseReader().push(Buffer.from(stream.join("")))).toBe(stream.length);
});

test.each([
  "SSH-2.0-x\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
])("%j is no answer", (text) => {
  expect(() => new ResponseReader().push(Buffer.from(text))).toThrow(/^(no|an) (answer|size)/);
});
