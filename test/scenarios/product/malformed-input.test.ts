/**
 * Malformed transactions: binary ones through the decoders, JSON through the decoder and through
 * `/transactions/broadcast` of a running node, and requests that are hardly HTTP. The response to any input is an error
 * of the catalogue, in time, and the node goes on.
 *
 * A few thousand inputs by default. For more: `MALFORMED_INPUTS=100000 npm test -- product`. The inputs follow from
 * `MALFORMED_SEED` (a text), which each run prints, so that a run can be repeated.
 * @source docs/protocol/rest-api.md 1.5, 3.4, 4
 */

import net from "node:net";
import { massTransfer } from "@waves/waves-transactions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatErrorResponse } from "../../../src/http/errors.ts";
import { maxBodySizeBytes } from "../../../src/http/route-request.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { JsonSyntaxError, type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { parseSignedTransaction, parseTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { damagedBytes } from "../../../verification/fuzz/damaged-bytes.ts";
import { damagedJson } from "../../../verification/fuzz/damaged-json.ts";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { getJson } from "../../support/builders/started-node.ts";
import { processorClock } from "../../support/fixtures/processor-time.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { transactionsOf } from "../../support/fixtures/recorded-transactions.ts";
import { pollMs, testTimeouts } from "../../support/fixtures/timeouts.ts";

const inputs = Number(process.env["MALFORMED_INPUTS"] ?? 4_000);
const seed = process.env["MALFORMED_SEED"] ?? String(Date.now());
/** Half of the inputs are JSON, and the other half bytes. */
const jsonInputs = Math.ceil(inputs / 2);
const binaryInputs = Math.floor(inputs / 2);
/** Timeout for all inputs, at a tenth of their normal speed, ms. */
const timeoutMs = testTimeouts.testTimeout + inputs * 20;
/** A response takes a few milliseconds; after this time the node hangs. */
const responseLimitMs = pollMs;
/** Limit of processor time, ms: one transaction is decoded in less than a millisecond. */
const decodeLimitMs = 1_000;
const atOnce = 8;
const chainId = 82;

/** Error ids of spec 4 that are possible for a transaction in a request. */
const catalogue = new Set([
  ...[1, 10, 101, 102, 107, 108, 111, 112, 113, 114, 115, 116, 117, 199, 302, 303, 306, 307, 308, 312, 313, 314],
  ...[400, 402, 403, 404, 405],
]);
const unknownRoute = "The requested resource could not be found but may be available again in the future.";

/** One of each type, version and size class: rare ones are damaged as often as common ones. */
const samples: readonly Transaction[] = [
  ...new Map(
    transactionsOf(fixtureBytes("private-a/blocks.bin.gz")).map(({ bytes, blockVersion }) => {
      const tx =
        blockVersion < BlockVersion.Protobuf
          ? parseTransaction(bytes, chainId)
          : parseSignedTransaction(bytes, chainId);
      return [`${tx.type} ${tx.version} ${tx.bytes.length >> 7}`, tx] as const;
    }),
  ).values(),
];

/**
 * Bodies with a current timestamp: the time window would refuse older ones before most checks. Their signatures belong
 * to other transactions, and no damage makes them valid.
 */
function freshBodies(): readonly ParsedObject[] {
  const timestamp = BigInt(Date.now());
  return samples
    .filter(({ type }) => type !== TransactionType.Genesis && type !== TransactionType.Ethereum)
    .map((tx) => ({ ...(parseJson(jsonText(transactionJson(tx))) as ParsedObject), timestamp }));
}

function escaped(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 400)).toString("latin1");
}

/** Expects the action to return a transaction or throw a typed error, in time. */
function expectTyped(parse: () => unknown, input: () => string): void {
  const elapsedMs = processorClock();
  try {
    parse();
  } catch (error) {
    const isTyped = error instanceof FormatError || error instanceof WireError || error instanceof JsonSyntaxError;
    if (!isTyped) throw new Error(`not a typed error, of ${input()} (seed ${seed})`, { cause: error });
    if (error instanceof FormatError) expect(formatErrorResponse(error.violation).kind).toBe("error");
  }
  const tookMs = elapsedMs();
  if (tookMs > decodeLimitMs) throw new Error(`${tookMs} ms for ${input()} (seed ${seed})`);
}

test(
  `${binaryInputs} damaged binary transactions are refused with a typed error, or are transactions (seed ${seed})`,
  () => {
    const random = new SeededRandom(`bytes ${seed}`);
    const forms = samples.flatMap((tx) => [tx.bytes, encodeProtobuf(tx)]);
    for (let remaining = binaryInputs; remaining > 0; remaining--) {
      const bytes = random.boolean(0.02) ? random.bytes(random.below(400)) : damagedBytes(random.pick(forms), random);
      const hex = () => Buffer.from(bytes).toString("hex");
      for (const parse of [parseTransaction, parseSignedTransaction]) expectTyped(() => parse(bytes, chainId), hex);
    }
  },
  timeoutMs,
);

test(
  `${jsonInputs} damaged JSON transactions are refused with a typed error, or are transactions (seed ${seed})`,
  () => {
    const random = new SeededRandom(`JSON ${seed}`);
    const bodies = freshBodies();
    for (let remaining = jsonInputs; remaining > 0; remaining--) {
      const bytes = damagedJson(random.pick(bodies), maxBodySizeBytes, random);
      const text = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
      expectTyped(
        () => {
          const tx = transactionFromJson(parseJson(text), chainId);
          // The pool gets it in this form, and must be able to parse it.
          expect(() => parseSignedTransaction(encodeProtobuf(tx), chainId)).not.toThrow();
        },
        () => escaped(bytes),
      );
    }
  },
  timeoutMs,
);

describe("a running node", () => {
  let node: LocalNode;
  beforeAll(async () => {
    node = await readyNode(["--memory", "--quiet"]);
  });
  afterAll(async () => {
    await node.stop();
  });

  /** Output of the node in its terminal after its start: an internal error would be there. */
  const complaints = (): string[] =>
    node
      .output()
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("ready "));

  const post = async (body: Uint8Array, query = "") => {
    const response = await fetch(`${node.url}/transactions/broadcast${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: body as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(responseLimitMs),
    });
    return { status: response.status, type: response.headers.get("Content-Type"), text: await response.text() };
  };

  test("responds to a client that sends more than needed", async () => {
    const body = new Uint8Array(700_000).fill(97);
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const sent = Array.from({ length: 4 }, () => fetch(`${node.url}/assets/balance/none`, { method: "POST", body }));
      for (const response of await Promise.all(sent)) {
        statuses.add(response.status);
        await response.text();
      }
    }
    expect([...statuses]).toEqual([400]);
  });

  /**
   * Error of a response that is no refusal of the catalogue: 4xx with an error id, or the text of an unknown route for
   * an empty body.
   */
  const findWrong = ({ status, type, text }: Awaited<ReturnType<typeof post>>): string | undefined => {
    if (type?.startsWith("text/plain"))
      return status === 404 && text === unknownRoute ? undefined : `${status} ${text}`;
    const { error, message } = parseJson(text) as { readonly error?: bigint; readonly message?: string };
    // The one status above 499 that is the client's error: types 1, 2 and 18 are not sent this way.
    const isRefusal = (status >= 400 && status < 500) || (status === 501 && error === 312n);
    const isListed = catalogue.has(Number(error)) && typeof message === "string" && message !== "";
    return isRefusal && isListed ? undefined : `${status} ${text.slice(0, 400)}`;
  };

  test(
    `refuses ${jsonInputs} damaged bodies with errors of the catalogue, and logs nothing else (seed ${seed})`,
    async () => {
      const random = new SeededRandom(`broadcast ${seed}`);
      const bodies = freshBodies();
      let remaining = jsonInputs;
      const sender = async (): Promise<void> => {
        while (remaining-- > 0) {
          const body = random.boolean(0.02)
            ? damagedBytes(random.pick(samples).bytes, random)
            : damagedJson(random.pick(bodies), maxBodySizeBytes, random);
          const wrong = findWrong(await post(body, random.boolean(0.2) ? "?trace=true" : ""));
          if (wrong !== undefined) throw new Error(`${wrong}\n  for ${escaped(body)}\n  (seed ${seed})`);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sender));
      expect(complaints()).toEqual([]);
    },
    timeoutMs,
  );

  test("responds to many simultaneous posts, which go to the runtime in batches, as to each alone", async () => {
    const bodies = ['{"type":99}', "{}", "[1", '{"type":4,"attachment":"я"}', '"я"', "x"].map((body) =>
      new TextEncoder().encode(body),
    );
    const alone: Awaited<ReturnType<typeof post>>[] = [];
    for (const body of bodies) alone.push(await post(body, "?trace=false"));
    const many = Array.from({ length: 20 }, () => bodies).flat();
    const responses = await Promise.all(many.map((body) => post(body)));
    expect(responses).toEqual(Array.from({ length: 20 }, () => alone).flat());
  });

  const small = '{"type":99}';
  const refusedType = [400, '{"error":199,"message":"Bad transaction type (99) and version (1)"}'] as const;
  const unknown = [404, unknownRoute] as const;
  const line = "POST /transactions/broadcast HTTP/1.1\r\nHost: node.test\r\n";
  const json = "Content-Type: application/json\r\n";
  const length = (body: string): string => `Content-Length: ${body.length}\r\n\r\n${body}`;
  const large = "x".repeat(maxBodySizeBytes);

  /** Request on the wire, and the response's status and text; undefined: any text of the runtime, 4xx. */
  const requests: readonly (readonly [name: string, request: string, status: number, text: string | undefined])[] = [
    ["no content type", line + length(small), ...unknown],
    ["a content type of text", `${line}Content-Type: text/plain\r\n${length(small)}`, ...unknown],
    ["a form", `${line}Content-Type: application/x-www-form-urlencoded\r\n${length("type=99")}`, ...unknown],
    ["a content type beside JSON", `${line}Content-Type: application/problem+json\r\n${length(small)}`, ...unknown],
    ["a content type that is none", `${line}Content-Type: ;;;\r\n${length(small)}`, ...unknown],
    ["two content types", `${line}${json}Content-Type: text/plain\r\n${length(small)}`, ...unknown],
    ["a content type in capitals", `${line}Content-Type: APPLICATION/JSON\r\n${length(small)}`, ...refusedType],
    ["a character set", `${line}Content-Type: application/json; charset=latin1\r\n${length(small)}`, ...refusedType],
    ["an empty body", `${line}${json}Content-Length: 0\r\n\r\n`, ...unknown],
    ["no body and no length", `${line}${json}\r\n`, ...unknown],
    ["an empty body in chunks", `${line}${json}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, ...unknown],
    ["a body in chunks", `${line}${json}Transfer-Encoding: chunked\r\n\r\nb\r\n${small}\r\n0\r\n\r\n`, ...refusedType],
    ["a body of 1 MiB", line + json + length(`"${large.slice(2)}"`), 400, undefined],
    [
      "more than 1 MiB in chunks",
      `${line}${json}Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${large.slice(0, 65_536)}\r\n`.repeat(17)}0\r\n\r\n`,
      ...unknown,
    ],
    ["a chunk size that is none", `${line}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n${small}\r\n`, 400, undefined],
    ["a chunk that is too short", `${line}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n${small}\r\n`, 400, undefined],
    ["a length below zero", `${line}${json}Content-Length: -1\r\n\r\n${small}`, 400, undefined],
    ["a length that is none", `${line}${json}Content-Length: abc\r\n\r\n${small}`, 400, undefined],
    ["two lengths", `${line}${json}Content-Length: 11\r\nContent-Length: 12\r\n\r\n${small}`, 400, undefined],
    ["a length past 64 bits", `${line}${json}Content-Length: 99999999999999999999\r\n\r\n${small}`, 400, undefined],
    ["an unknown transfer encoding", `${line}${json}Transfer-Encoding: gzip\r\n\r\n${small}`, 400, undefined],
    ["a zero byte in a header", `${line}X: a\0b\r\n${json}${length(small)}`, 400, undefined],
    ["a header without a colon", `${line}X\r\n${json}${length(small)}`, 400, undefined],
    ["bytes that are no HTTP", "\0\u0001\u0002\r\n\r\n", 400, undefined],
    ["no host", `POST /transactions/broadcast HTTP/1.1\r\n${json}${length(small)}`, 400, undefined],
    [
      "a host that is none",
      `POST /transactions/broadcast HTTP/1.1\r\nHost: [::1\r\n${json}${length(small)}`,
      400,
      "Request is missing required `Host` header",
    ],
    ["a host of numbers", `GET /blocks/height HTTP/1.1\r\nHost: 999.999.999.999\r\n\r\n`, 200, undefined],
    ["a host of a comma", `GET /blocks/heigh%74 HTTP/1.1\r\nHost: a,b\r\n\r\n`, 200, undefined],
    ["a whole URL", `GET http://a/blocks/height HTTP/1.1\r\nHost: a\r\n\r\n`, 200, undefined],
    ["a star for a path", `OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n`, 200, "OK"],
    [
      "a path of bytes",
      `POST /transactions/broadcast\xff\xfe HTTP/1.1\r\nHost: a\r\n${json}${length(small)}`,
      400,
      undefined,
    ],
    [
      "a query that cannot be decoded",
      line.replace("cast ", "cast?trace=%ZZ&&== ") + json + length(small),
      400,
      "Illegal request-target: Invalid input 'Z', expected HEXDIG (line 1, column 32)",
    ],
    ["a trace that is no boolean", line.replace("cast ", "cast?trace=x ") + json + length(small), ...refusedType],
    ["GET", "GET /transactions/broadcast HTTP/1.1\r\nHost: node.test\r\n\r\n", ...unknown],
    ["PUT", line.replace("POST", "PUT") + json + length(small), ...unknown],
    ["a slash at the end", line.replace("cast ", "cast/ ") + json + length(small), ...unknown],
    ["a byte order mark", `${line}${json}Content-Length: 14\r\n\r\n\u00ef\u00bb\u00bf${small}`, 400, undefined],
  ];
  test.each(requests.map(([name, request, status, text]) => ({ name, request, status, text })))(
    "responds $status to a request with $name",
    async ({ request, status, text }) => {
      const response = await sendRaw(node.url, request);
      expect(response.status).toBe(status);
      if (text !== undefined) expect(response.text).toBe(text);
    },
  );

  test("responds 404 to a body of more than 1 MiB with a Content-Length", async () => {
    const response = await post(new TextEncoder().encode(`"${large}"`));
    expect({ status: response.status, text: response.text }).toEqual({ status: 404, text: unknownRoute });
  });

  test("survives clients that disconnect in the middle of a request", async () => {
    for (const part of [line, `${line}${json}Content-Length: 100\r\n\r\n${small}`, `${line}Content-Le`]) {
      const socket = net.connect(Number(new URL(node.url).port), "127.0.0.1");
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
    }
    expect(await getJson(`${node.url}/transactions/unconfirmed/size`)).toEqual({ size: 0 });
  });

  test("still accepts a transaction, forges a block with it, and has logged no error", async () => {
    const recipient = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
    const tx = massTransfer(
      { transfers: [{ recipient, amount: 1 }], chainId: "R", fee: 200_000 },
      "waves private node seed with waves tokens",
    );
    expect((await post(new TextEncoder().encode(JSON.stringify(tx)))).status).toBe(200);
    for (let status = ""; status !== "confirmed"; ) {
      ({ status } = await getJson<{ status: string }>(`${node.url}/transactions/status/${tx.id}`));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(complaints()).toEqual([]);
  });
});

/** Sends the characters as bytes, one each, and waits for a response with a known end. */
function sendRaw(url: string, request: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
    socket.setTimeout(responseLimitMs, () => socket.destroy(new Error(`no answer to ${request.slice(0, 200)}`)));
    let received = "";
    const finish = (): void => {
      const [head = "", text = ""] = received.split("\r\n\r\n", 2);
      const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1]);
      const size = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (Number.isNaN(status) || Buffer.byteLength(text) < size) return;
      socket.destroy();
      resolve({ status, text });
    };
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("utf8");
      finish();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`closed without an answer: ${request.slice(0, 200)}`)));
    socket.write(Buffer.from(request, "latin1"));
  });
}
