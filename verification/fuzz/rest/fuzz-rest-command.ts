/**
 * `npm run fuzz:rest [-- FLAGS]`: sends requests generated from the OpenAPI document to a node, and checks each
 * response against the document. By default it starts a node of the private network and deletes it afterwards. `--help`
 * lists the flags.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parsedArguments } from "../../../local/cli/parsed-arguments.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { wholeNumber } from "../../../local/cli/whole-number.ts";
import type { OpenApiDocument } from "../../../scripts/types/open-api-document.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { readyNode } from "../../local-node.ts";
import { findResponseError, textsWithin } from "./response-error.ts";
import { operationsOf, type RestRequest, RestRequestGenerator } from "./rest-requests.ts";

const help = `npm run fuzz:rest [-- FLAGS]   requests made from the OpenAPI document, put to a node

  --requests N  how many, default 2000
  --seed N      other seeds make other requests, default 1
  --url URL     a running node, in place of one started for this
  --key KEY     its API key; that of the private network, if it is left out
  --slow-ms N   answers that take longer are listed, default 1000
  --show N      faults and slow answers that are printed, default 5
`;

const lanes = 4;
const progressMs = 10_000;
/** Limit of texts collected from responses for later requests. */
const maxKnownTexts = 2_000;

interface Flags {
  readonly requests: number;
  readonly seed: number;
  readonly url: string | undefined;
  readonly key: string;
  readonly slowMs: number;
  readonly show: number;
}

interface FuzzResult {
  readonly byStatus: Map<number, number>;
  readonly errors: string[];
  readonly slow: { readonly ms: number; readonly request: string }[];
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
try {
  const flags = parseFlags();
  if (flags === undefined) print(help);
  else await run(flags);
} catch (error) {
  const isExpected = error instanceof UsageError;
  process.stderr.write(`${isExpected ? error.message : (error as Error).stack}\n`);
  process.exit(isExpected ? 2 : 1);
}

async function run(flags: Flags): Promise<void> {
  if (flags.url !== undefined) {
    report(await fuzz(flags.url.replace(/\/$/, ""), flags), flags);
    return;
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), "fuzz-rest-"));
  const node = await readyNode(["--data", folder]);
  try {
    report(await fuzz(node.url, flags), flags);
  } finally {
    await node.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fuzz(url: string, { requests, seed, key, slowMs }: Flags): Promise<FuzzResult> {
  const document = (await (await fetch(`${url}/api-docs/openapi.json`)).json()) as OpenApiDocument;
  const knownTexts = await learnTexts(url, document, key);
  const generator = new RestRequestGenerator(document, {
    random: new SeededRandom(`rest ${seed}`),
    knownTexts,
    apiKey: key,
  });
  const result: FuzzResult = { byStatus: new Map(), errors: [], slow: [] };
  let sent = 0;
  let nextReportMs = performance.now() + progressMs;
  const lane = async (): Promise<void> => {
    while (sent < requests) {
      sent++;
      await checkResponse(url, generator.next(), result, slowMs);
      if (performance.now() < nextReportMs) continue;
      nextReportMs = performance.now() + progressMs;
      print(`${sent} requests, ${result.errors.length} errors`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return result;
}

async function checkResponse(url: string, request: RestRequest, result: FuzzResult, slowMs: number): Promise<void> {
  const { method, path: route, headers, body } = request;
  const name = `${method} ${route.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)}`;
  const startedMs = performance.now();
  const response = await fetch(url + route, { method, headers, ...(body !== undefined && { body }) });
  const httpResponse = {
    status: response.status,
    contentType: response.headers.get("Content-Type"),
    text: await response.text(),
  };
  const ms = performance.now() - startedMs;
  if (ms > slowMs) result.slow.push({ ms, request: name });
  result.byStatus.set(httpResponse.status, (result.byStatus.get(httpResponse.status) ?? 0) + 1);
  const problem = findResponseError(request, httpResponse);
  if (problem === undefined) return;
  const shownBody = body === undefined ? "" : `\n${new TextDecoder().decode(body).slice(0, 500)}`;
  result.errors.push(`${problem}: ${name}${shownBody}\n${httpResponse.text.slice(0, 300)}`);
}

/** Texts from the document's examples and from the responses of paths without parameters. */
async function learnTexts(url: string, document: OpenApiDocument, key: string): Promise<readonly string[]> {
  const texts = new Set(textsWithin(document.paths));
  const simple = operationsOf(document).filter(({ method, path }) => method === "GET" && !path.includes("{"));
  for (const { path } of simple) {
    const response = await fetch(url + path, { headers: { "X-API-Key": key } });
    const text = await response.text();
    if (!response.headers.get("Content-Type")?.startsWith("application/json")) continue;
    for (const found of textsWithin(JSON.parse(text))) texts.add(found);
  }
  return [...texts].slice(0, maxKnownTexts);
}

function report({ byStatus, errors, slow }: FuzzResult, { seed, show, slowMs }: Flags): void {
  for (const problem of errors.slice(0, show)) print(`--- ${problem}`);
  const slowest = slow.sort((left, right) => right.ms - left.ms);
  for (const { ms, request } of slowest.slice(0, show)) print(`--- ${Math.round(ms)} ms: ${request}`);
  const total = [...byStatus.values()].reduce((sum, count) => sum + count, 0);
  const statuses = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, count]) => `${status}: ${count}`);
  print(
    `seed ${seed}: ${total} requests (${statuses.join(", ")}), ${errors.length} errors, ${slow.length} over ${slowMs} ms`,
  );
  process.exitCode = errors.length === 0 ? 0 : 1;
}

/** @returns undefined for `--help` @throws UsageError */
function parseFlags(): Flags | undefined {
  const values = readFlags();
  if (values.help) return undefined;
  return {
    requests: wholeNumber("requests", values.requests, { digits: 7 }),
    seed: wholeNumber("seed", values.seed, { digits: 7 }),
    url: values.url,
    key: values.key,
    slowMs: wholeNumber("slow-ms", values["slow-ms"], { digits: 7 }),
    show: wholeNumber("show", values.show, { digits: 7 }),
  };
}

function readFlags() {
  return parsedArguments({
    options: {
      requests: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      url: { type: "string" },
      key: { type: "string", default: privateNetworkSecrets.apiKey },
      "slow-ms": { type: "string", default: "1000" },
      show: { type: "string", default: "5" },
      help: { type: "boolean", default: false },
    },
  }).values;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
