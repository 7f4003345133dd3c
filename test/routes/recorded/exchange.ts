/** Requests with responses of a reference node, in the form of the recordings. */
import type { TestNode } from "../test-node.ts";

export interface Exchange {
  /** The group of routes, and the number in it: `blocks/at#7`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  readonly contentType: string | null;
  readonly response: string;
  /** Members of the response that may differ. */
  readonly ignore?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

type Question = Pick<Exchange, "method" | "path" | "headers" | "body">;

export function groupOf({ name }: Exchange): string {
  return name.slice(0, name.indexOf("#"));
}

export async function answerOf(node: TestNode, { method, path, headers, body }: Question): Promise<Answer> {
  // A body of bytes: a text would add a content type that was not recorded.
  const sent = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const response = await node.fetch(path, { method, headers: { ...headers }, ...sent });
  return {
    status: response.status,
    contentType: response.headers.get("Content-Type"),
    text: await response.text(),
  };
}

/** The request, short enough for a list of differences. */
export function questionText({ name, method, path, headers, body }: Exchange): string {
  const parts = [name, method, path.slice(0, 150), body?.slice(0, 100), headers && JSON.stringify(headers)];
  return parts.filter((part) => part !== undefined).join(" ");
}
