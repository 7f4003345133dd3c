import { beforeEach, describe, expect, test } from "vitest";
import { FrontResponseCache, type SentRequest } from "../../../local/runtime/front-response-cache.ts";

let nowMs = 0;
let cache: FrontResponseCache;
beforeEach(() => {
  nowMs = 1_000;
  cache = new FrontResponseCache(() => nowMs);
});

const sendGet = (key = "a"): SentRequest => cache.send("GET", key);
const sendUncacheable = (method: string): SentRequest => cache.send(method, undefined);

interface TestResponse {
  readonly state?: string;
  readonly body?: string | Buffer;
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly sizeBytes?: number | undefined;
}

/** Hands the cache a response of the runtime. @returns the headers left for the client */
function receive(
  request: SentRequest,
  { state, body = "answer", status = 200, headers = [], ...members }: TestResponse,
): string[] {
  const all = ["A", "1", ...headers, ...(state === undefined ? [] : ["X-State", state]), "B", "2"];
  const sizeBytes = "sizeBytes" in members ? members.sizeBytes : body.length;
  cache.receive(request, { status, reason: "OK", headers: all, sizeBytes })?.({
    status,
    reason: "OK",
    headers: all,
    body,
  });
  return all;
}

const found = (key = "a") => cache.find(key)?.body;

describe("an answer that names the state is given again", () => {
  test("with its status and headers, without the state", () => {
    const headers = receive(sendGet(), { state: "0.1", status: 304, body: "" });
    expect(headers).toEqual(["A", "1", "B", "2"]);
    expect(cache.find("a")).toEqual({ status: 304, reason: "OK", headers, body: "" });
  });

  test("for 100 ms from when it was asked for, not from when it came", () => {
    const request = sendGet();
    nowMs += 30;
    receive(request, { state: "0.1" });
    nowMs += 19;
    expect(found()).toBe("answer");
    nowMs += 51;
    expect(found()).toBeUndefined();
  });

  test("again, once another answer names the same state", () => {
    receive(sendGet("a"), { state: "0.1", body: "of a" });
    nowMs += 200;
    expect(found("a")).toBeUndefined();
    receive(sendGet("b"), { state: "0.1", body: "of b" });
    expect(found("a")).toBe("of a");
  });

  test("and after 50 ms one request is let through, that renews it for all", () => {
    receive(sendGet(), { state: "0.1" });
    nowMs += 50;
    expect(found()).toBeUndefined();
    const renewal = sendGet();
    nowMs += 10;
    expect([found(), found()]).toEqual(["answer", "answer"]);
    receive(renewal, { state: "0.1", body: "renewed" });
    nowMs += 39;
    expect(found()).toBe("renewed");
    nowMs += 1;
    expect(found()).toBeUndefined();
  });

  test("no longer than 100 ms where the renewal is not answered", () => {
    receive(sendGet(), { state: "0.1" });
    nowMs += 60;
    expect(found()).toBeUndefined();
    nowMs += 40;
    expect([found(), found()]).toEqual([undefined, undefined]);
  });
});

describe("nothing is kept", () => {
  test.each<[string, TestResponse]>([
    ["that names no state", {}],
    ["that names none one could compare", { state: "0.x" }],
    ["of another status", { state: "0.1", status: 404 }],
    ["that says so", { state: "0.1", headers: ["cache-control", "no-store"] }],
    ["that is for one client", { state: "0.1", headers: ["Cache-Control", "private, max-age=1"] }],
    ["that sets a cookie", { state: "0.1", headers: ["Set-Cookie", "a=b"] }],
    ["whose length is not told", { state: "0.1", sizeBytes: undefined }],
    ["over 1 MiB", { state: "0.1", sizeBytes: 1_048_577 }],
  ])("%s", (_, members) => {
    receive(sendGet("b"), { state: "0.1" });
    receive(sendGet("a"), members);
    expect([found("a"), found("b")]).toEqual([undefined, "answer"]);
  });

  test("of a request that may not be answered again", () => {
    receive(sendUncacheable("GET"), { state: "0.1" });
    expect(found()).toBeUndefined();
  });

  test("beyond 16 MiB: what was not asked for longest goes first", () => {
    const body = Buffer.alloc(1_048_576);
    for (let index = 0; index < 15; index++) receive(sendGet(`${index}`), { state: "0.1", body });
    expect(cache.find("0")).toBeDefined();
    receive(sendGet("more"), { state: "0.1", body });
    expect(["0", "1", "2", "more"].map((key) => cache.find(key) !== undefined)).toEqual([true, false, true, true]);
  });
});

describe("of two states the newer one counts", () => {
  test.each([
    ["0.9", "0.10"],
    ["0.99", "1.0"],
    ["9.0", "10.0"],
  ])("%s is older than %s", (older, newer) => {
    const late = sendGet("late");
    receive(sendGet("a"), { state: older });
    receive(sendGet("b"), { state: newer });
    expect([found("a"), found("b")]).toEqual([undefined, "answer"]);
    receive(late, { state: older });
    expect([found("late"), found("b")]).toEqual([undefined, "answer"]);
  });

  test("an answer that cannot be kept names it as well", () => {
    receive(sendGet("a"), { state: "0.1" });
    receive(sendGet("b"), { state: "0.2", headers: ["Cache-Control", "no-store"] });
    expect(found("a")).toBeUndefined();
  });

  test("an older one confirms nothing", () => {
    receive(sendGet("a"), { state: "0.2" });
    nowMs += 90;
    receive(sendGet("b"), { state: "0.1" });
    nowMs += 10;
    expect(found("a")).toBeUndefined();
  });

  test("an answer whose state is past by the time it is complete is not kept", () => {
    const slow = sendGet("slow");
    const headers = ["X-State", "0.1"];
    const store = cache.receive(slow, { status: 200, reason: "OK", headers, sizeBytes: 4 });
    receive(sendGet("b"), { state: "0.2" });
    store?.({ status: 200, reason: "OK", headers, body: "slow" });
    expect(store).toBeDefined();
    expect(found("slow")).toBeUndefined();
  });
});

describe("after a write was answered", () => {
  test.each(["POST", "PUT", "DELETE", "PATCH", "FOO"])("with %s, nothing that was asked before counts", (method) => {
    const write = sendUncacheable(method);
    nowMs += 1;
    const early = sendGet("early");
    receive(early, { state: "0.1" });
    expect(found("early")).toBe("answer");
    const late = sendGet("late");
    nowMs += 1;
    receive(write, { status: 200 });
    expect(found("early")).toBeUndefined();
    receive(late, { state: "0.1" });
    expect([found("early"), found("late")]).toEqual([undefined, undefined]);
  });

  test("what is asked after it counts again, for all that names the same state", () => {
    receive(sendGet("a"), { state: "0.1" });
    receive(sendUncacheable("POST"), {});
    nowMs += 1;
    receive(sendGet("b"), { state: "0.1" });
    expect([found("a"), found("b")]).toEqual(["answer", "answer"]);
  });

  test("what was asked at the same instant does not count", () => {
    const write = sendUncacheable("POST");
    receive(write, {});
    receive(sendGet("a"), { state: "0.1" });
    expect(found("a")).toBeUndefined();
  });

  test("that names the state it left, only what is older does not count", () => {
    receive(sendGet("a"), { state: "0.1" });
    receive(sendUncacheable("POST"), { state: "0.1" });
    expect(found("a")).toBe("answer");
    receive(sendUncacheable("POST"), { state: "0.2" });
    expect(found("a")).toBeUndefined();
  });

  test.each(["HEAD", "OPTIONS"])("%s is none", (method) => {
    receive(sendGet("a"), { state: "0.1" });
    receive(sendUncacheable(method), {});
    expect(found("a")).toBe("answer");
  });
});

test("where the runtime may be gone all is forgotten, and what it was asked before", () => {
  receive(sendGet("a"), { state: "5.5" });
  const before = sendGet("before");
  cache.clear();
  expect(found("a")).toBeUndefined();
  receive(before, { state: "5.5" });
  expect(found("before")).toBeUndefined();
  nowMs += 1;
  receive(sendGet("b"), { state: "0.1" });
  expect(found("b")).toBe("answer");
});
