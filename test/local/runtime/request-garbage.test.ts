import { expect, it } from "vitest";
import { RequestGarbage } from "../../../local/runtime/request-garbage.ts";

/** Number of collections after `count` requests of this length. */
function collections(count: number, contentLength?: number): number {
  let collected = 0;
  const garbage = new RequestGarbage(() => collected++);
  const headers = new Headers(contentLength === undefined ? {} : { "content-length": String(contentLength) });
  for (let index = 0; index < count; index++) garbage.add({ headers });
  return collected;
}

it("an isolate's garbage is collected once the bodies of its requests come to several megabytes", () => {
  expect(collections(2, 6_000_000)).toBe(0);
  expect(collections(3, 6_000_000)).toBe(1);
  expect(collections(21, 6_000_000)).toBe(10);
});

it("an isolate's garbage is collected after many requests without a body", () => {
  expect(collections(400)).toBe(0);
  expect(collections(402)).toBe(1);
  expect(collections(4_020)).toBe(10);
});

it("where Workers may not collect, the runtime does not start", () => {
  expect(() => new RequestGarbage(undefined)).toThrow("--expose-gc");
});
