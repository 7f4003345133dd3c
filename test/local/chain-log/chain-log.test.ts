import { expect, test, vi } from "vitest";
import { ChainLog } from "../../../local/chain-log/chain-log.ts";
import { coloured, eventLine, paintFor, plain } from "../../../local/chain-log/event-line.ts";
import type { RequestEvent, TransactionEvent } from "../../../local/chain-log/log-event.ts";
import { LogLines } from "../../../local/chain-log/log-lines.ts";

const address = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";

const request = (members: Partial<RequestEvent> = {}): RequestEvent => {
  return {
    event: "request",
    method: "GET",
    path: "/blocks/height",
    status: 200,
    milliseconds: 2.34,
    error: undefined,
    ...members,
  };
};

const transaction = (members: Partial<TransactionEvent> = {}): TransactionEvent => {
  const summary = {
    id: "BDPFaKBnRdtXEj9fMsxLASUpN8FnFo6KsQSxk5gF7jkE",
    type: "transfer",
    sender: address,
    what: "→ 3MNL…VNtv 1 WAVES",
  };
  const cost = { fee: "0.001 WAVES", complexity: 0 };
  return { event: "transaction", height: 7, ...summary, ...cost, status: "succeeded", error: undefined, ...members };
};

test.each([
  [request(), "GET  /blocks/height 200 2.3 ms"],
  [request({ method: "POST", status: 400, milliseconds: 12.6, error: "no" }), "POST /blocks/height 400 13 ms  no"],
  [request({ status: 0 }), "GET  /blocks/height gone 2.3 ms"],
  [transaction(), "  transfer      3M4q…nWxF → 3MNL…VNtv 1 WAVES  fee 0.001 WAVES  BDPF…7jkE"],
  [
    transaction({ complexity: 90, status: "failed", error: "too much" }),
    "  transfer      3M4q…nWxF → 3MNL…VNtv 1 WAVES  fee 0.001 WAVES, complexity 90  BDPF…7jkE  failed: too much",
  ],
  [{ event: "block", height: 7, transactions: 1, generator: address }, "block 7  1 transaction  3M4q…nWxF"],
  [{ event: "blocks", fromHeight: 7, toHeight: 99, areEmpty: true }, "blocks 7 to 99  0 transactions"],
  [{ event: "back", height: 7 }, "back to block 7"],
] as const)("an event is a line", (event, line) => {
  expect(eventLine(event, plain)).toBe(line);
});

test("a line has colours where a terminal shows them, and says the same", () => {
  const line = eventLine(transaction({ status: "failed", error: "too much" }), coloured);
  expect(line).toContain("\x1b[31m");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ANSI colour codes
  expect(line.replace(/\x1b\[\d+m/g, "")).toBe(eventLine(transaction({ status: "failed", error: "too much" }), plain));
});

test("nothing that a client chooses ends a line or moves the cursor", () => {
  const hostile = "x\n\x1b[2Jblock 9\r";
  expect(eventLine(request({ path: hostile, error: hostile }), plain)).toBe(
    "GET  x [2Jblock 9  200 2.3 ms  x [2Jblock 9 ",
  );
  expect(eventLine(transaction({ what: hostile }), plain)).not.toContain("\x1b");
  expect(eventLine(transaction({ type: hostile }), plain)).not.toContain("\x1b");
});

test("nothing that a client chooses turns the line around or fills the screen", () => {
  const long = `\u202e${"x".repeat(60_000)}`;
  const texts = { sender: long, what: long, fee: long, id: long, error: long };
  for (const event of [request({ path: long, error: long }), transaction({ ...texts, status: "refused" })]) {
    const line = eventLine(event, plain);
    expect(line).not.toContain("\u202e");
    expect(line.length).toBeLessThan(1_500);
  }
});

test.each([
  [true, {}, coloured],
  [true, { NO_COLOR: "1" }, plain],
  [true, { NO_COLOR: "" }, coloured],
  [false, {}, plain],
  [false, { FORCE_COLOR: "1" }, coloured],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, plain],
])("a terminal: %s, with %o", (isTTY, environment, expected) => {
  expect(paintFor({ isTTY }, environment)).toBe(expected);
});

function linesOf(isComplete: boolean) {
  const written: string[] = [];
  const due: (() => void)[] = [];
  const options = { write: (text: string) => written.push(text), later: (run: () => void) => due.push(run) };
  const lines = new LogLines({ ...options, lineOf: (event) => (event as RequestEvent).path, isComplete });
  return { lines, written, due };
}

test("lines go out together, and what repeats itself is one of them", () => {
  const { lines, written, due } = linesOf(false);
  for (const path of ["/a", "/a", "/a", "/b", "/a"]) lines.add(request({ path }));
  lines.add(request({ path: "/a", status: 404 }));
  expect(written).toEqual([]);
  expect(due).toHaveLength(1);
  due[0]?.();
  expect(written).toEqual(["/a ×3\n/b\n/a\n/a\n"]);
  lines.flush();
  expect(written).toHaveLength(1);
});

test("of a flood the rest is counted", () => {
  const { lines, written } = linesOf(false);
  for (let index = 0; index < 2_000; index++) lines.add(request({ path: `/${index}` }));
  lines.flush();
  expect(written[0]?.split("\n").slice(-3)).toEqual(["/499", "... and 1500 more", ""]);
});

test("for programs each event is a line", () => {
  const { lines, written } = linesOf(true);
  for (let index = 0; index < 2_000; index++) lines.add(request({ path: "/a" }));
  lines.flush();
  expect(written[0]?.split("\n")).toHaveLength(2_001);
});

function logOf(isJson: boolean) {
  const written: string[] = [];
  const stream = { isTTY: false, write: (text: string) => written.push(text) };
  const get = () => Promise.reject(new Error("is not asked"));
  const log = new ChainLog({ stream, isJson, environment: {}, get });
  const seen = (): readonly string[] => {
    log.flush();
    return written.splice(0).join("").split("\n").slice(0, -1);
  };
  return { log, seen };
}

const post = { method: "POST", path: "/transactions/broadcast", milliseconds: 3 } as const;

test("a transaction that is refused is told of with what it was to do", () => {
  const { log, seen } = logOf(false);
  const refusal = JSON.stringify({
    error: 112,
    message: "no funds",
    transaction: { type: 10, id: "I", sender: address, fee: 1, alias: "a" },
  });
  log.requestCompleted({ ...post, status: 400, refusal });
  expect(seen()).toEqual([
    "POST /transactions/broadcast 400 3.0 ms",
    "  create alias  3M4q…nWxF a  fee 0.00000001 WAVES  I  refused: no funds",
  ]);
});

test.each([
  ['{"error":1,"message":"failed to parse json message"}', "  failed to parse json message"],
  ["not JSON", ""],
  ["[]", ""],
  ['{"message":7}', ""],
])("a refusal says what it says", (refusal, shown) => {
  const { log, seen } = logOf(false);
  log.requestCompleted({ ...post, status: 400, refusal });
  expect(seen()).toEqual([`POST /transactions/broadcast 400 3.0 ms${shown}`]);
});

test("lines of JSON have all of it", () => {
  const { log, seen } = logOf(true);
  log.requestCompleted({ ...post, status: 200, refusal: undefined });
  expect(seen().map((line) => JSON.parse(line))).toEqual([{ event: "request", ...post, status: 200 }]);
});

test("lines go out by themselves", () => {
  vi.useFakeTimers();
  const written: string[] = [];
  const get = () => Promise.reject(new Error("is not asked"));
  const log = new ChainLog({ stream: { write: (text) => written.push(text) }, isJson: false, environment: {}, get });
  log.requestCompleted({ ...post, status: 200, refusal: undefined });
  vi.runAllTimers();
  vi.useRealTimers();
  expect(written).toEqual(["POST /transactions/broadcast 200 3.0 ms\n"]);
});
