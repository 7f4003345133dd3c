/**
 * How the server that stands before the Worker on a laptop (`scripts/runner/front-server.ts`) hands over several posts to one
 * path at once: a request to the runtime costs more than most of what is done for it. Clients do not see it.
 *
 * The request has the head that all of them have, their bodies one behind the other, and tells how long each is. The answer
 * holds theirs in the order in which they were ready, each as HTTP writes it, behind a line with its number and its length.
 */
import { type Mismatch, mismatch } from "./kind.ts";
import type { Written } from "./respond.ts";

/** Of the request: lengths of the bodies, separated by commas. Of the answer: how many there are. */
export const joinedHeader = "X-Joined";

/** One request holds no more of them. */
export const MAX_JOINED = 64;
/** Together with the request's other headers they stay far below what a head may have. */
const MAX_DIGITS = 7;

const lengthsForm = new RegExp(`^\\d{1,${MAX_DIGITS}}(,\\d{1,${MAX_DIGITS}}){0,${MAX_JOINED - 1}}$`);

export function joinedValue(bodies: readonly { readonly length: number }[]): string {
  return bodies.map(({ length }) => length).join(",");
}

/** Cuts a body into those that it was made of. @returns mismatch where the header tells of another body */
export function splitJoined(header: string, body: Uint8Array): readonly Uint8Array[] | Mismatch {
  if (!lengthsForm.test(header)) return mismatch;
  let end = 0;
  const parts = header.split(",").map((length) => {
    const start = end;
    end += Number(length);
    return body.subarray(start, end);
  });
  return end === body.length ? parts : mismatch;
}

const encoder = new TextEncoder();

/** One of the answers. @param number of its request, from 0 */
export function joinedAnswer(
  number: number,
  { status, headers, body }: Pick<Written, "status" | "headers"> & { readonly body: string },
): Uint8Array {
  const content = encoder.encode(body);
  let head = `HTTP/1.1 ${status}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `Content-Length: ${content.length}\r\n\r\n`;
  // A head has one byte in each character.
  const size = head.length + content.length;
  const line = `${number} ${size}\n`;
  const answer = new Uint8Array(line.length + size);
  encoder.encodeInto(line + head, answer);
  answer.set(content, line.length + head.length);
  return answer;
}
