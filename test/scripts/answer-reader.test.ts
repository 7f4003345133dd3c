import fc from "fast-check";
import { expect, test } from "vitest";
import { AnswerReader, MalformedAnswer } from "../../scripts/runner/answer-reader.ts";

/** What a reader tells of answers to `methods`, one after another, that come in the pieces. */
function read(pieces: readonly Buffer[], methods: readonly string[] = ["GET"]) {
  const told: { status: number; headers: string[]; body: string; isLast: boolean; isWhole: boolean }[] = [];
  const left = [...methods];
  const next = (): void => {
    const method = left.shift();
    if (method !== undefined) reader.begin(method);
  };
  const reader = new AnswerReader({
    onHead: ({ status, headers, isLast }) => void told.push({ status, headers, body: "", isLast, isWhole: false }),
    onBody: (bytes) =>
      void Object.assign(told.at(-1) as object, { body: `${told.at(-1)?.body}${bytes.toString("latin1")}` }),
    onEnd: () => {
      Object.assign(told.at(-1) as object, { isWhole: true });
      next();
    },
  });
  next();
  for (const piece of pieces) {
    // As where the next piece comes into the same place.
    const lent = Buffer.from(piece);
    reader.read(lent);
    lent.fill("?");
  }
  return { told, finish: () => reader.finish() };
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");

const counted = "HTTP/1.1 200 OK\r\nA: 1\r\ncontent-length:  5 \r\n\r\nwhole";
const inPieces =
  "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\nB: \xe9\r\n\r\n5\r\nin pi\r\n3;x=y\r\nece\r\n0\r\nT: 1\r\n\r\n";
const empty = "HTTP/1.1 304\r\nContent-Length: 5\r\n\r\n";
const interim = "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n";

const told = {
  counted: { status: 200, headers: ["A", "1", "content-length", "5"], body: "whole", isLast: false, isWhole: true },
  inPieces: { status: 404, headers: ["B", "\xe9"], body: "in piece", isLast: false, isWhole: true },
  empty: { status: 304, headers: ["Content-Length", "5"], body: "", isLast: false, isWhole: true },
};

test("answers are read alike, wherever the bytes are cut", () => {
  const cut = fc.array(fc.nat(), { maxLength: 12 });
  const wholes = fc.constantFrom(
    { text: counted, expected: told.counted },
    { text: inPieces, expected: told.inPieces },
    { text: empty, expected: told.empty },
    { text: interim + counted, expected: told.counted },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(wholes, cut), { minLength: 1, maxLength: 4 }), (answers) => {
      const pieces = answers.flatMap(([{ text }, places]) => {
        const bytes = bytesOf(text);
        const cuts = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b), bytes.length];
        return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
      });
      const methods = answers.map(() => "GET");
      expect(read(pieces, methods).told).toEqual(answers.map(([{ expected }]) => expected));
    }),
    { seed: 12, numRuns: 500 },
  );
});

test("an answer to HEAD has no body, whatever its length says", () => {
  const { told } = read([bytesOf("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"), bytesOf(counted)], ["HEAD", "GET"]);
  expect(told.map(({ body, isWhole }) => ({ body, isWhole }))).toEqual([
    { body: "", isWhole: true },
    { body: "whole", isWhole: true },
  ]);
});

test("an answer that tells no length lasts until the connection is closed, and is the last", () => {
  const reading = read([bytesOf("HTTP/1.1 200 OK\r\n\r\n"), bytesOf("one"), bytesOf("two")]);
  expect(reading.told).toMatchObject([{ body: "onetwo", isLast: true, isWhole: false }]);
  reading.finish();
  expect(reading.told).toMatchObject([{ isWhole: true }]);
});

test.each([
  "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
])("%j is the last on its connection", (text) => {
  expect(read([bytesOf(text)]).told).toMatchObject([{ isLast: true, isWhole: true }]);
});

test.each([
  ["no status line", "HTTP/2 200 OK\r\n\r\n"],
  ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"],
  ["a line that is no header", "HTTP/1.1 200 OK\r\nA\r\n\r\n"],
  ["a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n"],
  ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"],
  ["a length and pieces", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"],
  ["another coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"],
  ["a size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"],
  ["a piece longer than its size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"],
  ["a head without end", `HTTP/1.1 200 OK\r\nA: ${"a".repeat(70_000)}`],
  ["a size without end", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${"a".repeat(2_000)}`],
  ["more than the answer", `${counted}x`],
])("%s is an error", (_, text) => {
  expect(() => read([bytesOf(text)])).toThrow(MalformedAnswer);
});

test("what comes unasked is an error, and so is an end before the end", () => {
  expect(() => read([bytesOf(counted), bytesOf(counted)])).toThrow(MalformedAnswer);
  expect(() => read([bytesOf(counted.slice(0, -1))]).finish()).toThrow(MalformedAnswer);
});
