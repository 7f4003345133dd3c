/** The form in which posts go to the Worker together, and their answers come back. */
import { expect, test } from "vitest";
import { joinedAnswer, joinedValue, MAX_JOINED, splitJoined } from "../../src/http/joined-posts.ts";
import { mismatch } from "../../src/http/kind.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (part: Uint8Array) => new TextDecoder().decode(part);

test("bodies are cut where they were put together", () => {
  const bodies = ["{}", "", '{"name":"я"}'].map(bytes);
  const whole = bytes('{}{"name":"я"}');
  const parts = splitJoined(joinedValue(bodies), whole);
  expect(parts === mismatch ? parts : parts.map(text)).toEqual(["{}", "", '{"name":"я"}']);
});

test.each([
  ["fewer bytes than the body has", "1,1"],
  ["more bytes than the body has", "2,2"],
  ["nothing", ""],
  ["no lengths", "a"],
  ["an empty length", "3,"],
  ["a length below 0", "4,-1"],
  ["lengths that no body has", "12345678"],
  ["more bodies than go together", Array.from({ length: MAX_JOINED + 1 }, (_, at) => (at < 3 ? 1 : 0)).join(",")],
])("a header that tells of %s is refused", (_, header) => {
  expect(splitJoined(header, bytes("abc"))).toBe(mismatch);
});

test("as many as go together are taken apart", () => {
  const bodies = Array.from({ length: MAX_JOINED }, () => bytes("a"));
  const parts = splitJoined(joinedValue(bodies), bytes("a".repeat(MAX_JOINED)));
  expect(parts === mismatch ? 0 : parts.length).toBe(MAX_JOINED);
});

test("an answer tells its number and how many bytes it has, whatever its letters", () => {
  const answer = joinedAnswer(7, { status: 400, headers: { "Content-Type": "application/json" }, body: '"я"' });
  const http = 'HTTP/1.1 400\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n"я"';
  expect(text(answer)).toBe(`7 ${bytes(http).length}\n${http}`);
});
