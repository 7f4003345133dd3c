/** Bodies for every operation that takes one: at and beyond the limits of size and depth, compressed, and malformed. */
import { gzipSync } from "node:zlib";
import type { OpenApiDocument } from "../../scripts/types/open-api-document.ts";
import { maxBodySizeBytes } from "../../src/http/route-request.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { operationsOf } from "../fuzz/rest/rest-requests.ts";
import type { Attack, Load } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { newcomerFaults, withNewcomers } from "./newcomers.ts";
import { requestLoad } from "./request-load.ts";

interface Body {
  readonly content: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = { "Content-Type": "application/json" };
/** Bytes of zeros, which compress to a hundredth. */
const UNFOLDED_BYTES = 64 * 2 ** 20;
const LARGEST = maxBodySizeBytes - 1_000;

const packed = gzipSync(Buffer.alloc(UNFOLDED_BYTES));
const bodies: Readonly<Record<string, (random: SeededRandom) => Body>> = {
  "deep arrays": () => ({ content: "[".repeat(LARGEST) }),
  "deep objects": () => ({ content: '{"a":'.repeat(LARGEST / 5) }),
  "deep where ids should be": () => ({ content: `{"ids":${"[".repeat(900)}${"]".repeat(900)}}` }),
  "many members": () => ({ content: `{${Array.from({ length: 60_000 }, (_, at) => `"m${at}":${at}`).join(",")}}` }),
  "one member again and again": () => ({ content: `{${'"ids":[],'.repeat(LARGEST / 10)}"ids":[]}` }),
  "names of the runtime's own": () => ({ content: '{"__proto__":{"ids":["1"]},"constructor":{"prototype":{"a":1}}}' }),
  "a number of a million digits": () => ({ content: `{"ids":[${"9".repeat(LARGEST)}]}` }),
  "an exponent without end": (random) => ({ content: `{"fee":1e${random.between(400, 999_999_999)}}` }),
  "many ids": (random) => ({
    content: JSON.stringify({ ids: Array.from({ length: 20_000 }, () => random.text(44, "123456789ABCDEFGH")) }),
  }),
  "a long text of escapes": () => ({ content: `"${"\\u0000".repeat(LARGEST / 6)}"` }),
  "bytes that are no text": (random) => ({ content: random.bytes(10_000) }),
  "a form of many fields": () => ({
    content: "ids=a&".repeat(LARGEST / 6),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  }),
  "a form of many parts": () => ({
    content: "--x\r\n\r\n\r\n".repeat(LARGEST / 9),
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
  }),
  "more than allowed": () => ({ content: " ".repeat(maxBodySizeBytes + 1) }),
  "zeros, packed": () => ({ content: packed, headers: { ...JSON_TYPE, "Content-Encoding": "gzip" } }),
};
const kinds = Object.keys(bodies);

export const hostileBodies: Attack = {
  name: "hostile-bodies",
  about: "huge, deep, packed and malformed bodies for every operation",
  prepare: async (node, random) => {
    const document = (await (await fetch(`${node.url}/api-docs/openapi.json`)).json()) as OpenApiDocument;
    const paths = operationsOf(document)
      .filter(({ method, isPrivate, object }) => method === "POST" && !isPrivate && object.requestBody !== undefined)
      // Sources are another kind of work, covered by the attack `compilations`.
      .filter(({ path }) => !path.startsWith("/utils/script/compile"))
      .map(({ path, object }) => withExamples(path, object.parameters ?? []));
    const broken = new Set<string>();
    const sizes: number[] = [];
    const hostile: Load = requestLoad(async (_, signal) => {
      const [path, kind] = [random.pick(paths), random.pick(kinds)];
      const { content, headers = JSON_TYPE } = (bodies[kind] as (typeof bodies)[string])(random);
      const body = content as string | Uint8Array<ArrayBuffer>;
      const response = await fetch(node.url + path, { method: "POST", headers, body, signal });
      await response.arrayBuffer();
      sizes.push(body.length);
      const { status } = response;
      const isLater = status === 503 && response.headers.has("Retry-After");
      if (status >= 500 && status !== 501 && !isLater) broken.add(`${status} for ${kind} at ${path}`);
      return String(status);
    });
    return {
      hostile: withNewcomers(node, hostile),
      honest: () => hashes(node, sizes),
      findErrors: (outcomes) => [...newcomerFaults(outcomes), ...broken],
    };
  },
};

/** Texts of the given sizes, for requests of their hashes. */
function hashes(node: AttackedNode, sizes: readonly number[]): Load {
  return requestLoad(async (number, signal) => {
    const text = "a".repeat(Math.min(sizes[number] ?? 0, LARGEST));
    return String((await node.post("/utils/hash/secure", text, { signal })).status);
  }, sizes.length);
}

/** @param parameters of the path, whose placeholders take the examples of the document */
function withExamples(
  path: string,
  parameters: readonly { readonly name: string; readonly example?: unknown }[],
): string {
  return parameters.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example ?? 1)), path);
}
