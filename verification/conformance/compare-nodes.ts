/** Sends the same requests to two nodes and reports where their responses differ. */
import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../src/protocol/parse-json.ts";
import { findDifference } from "../json-difference.ts";
import type { NodeRequest } from "./node-requests.ts";
import { outOfTime, usualPausesMs } from "./patient-fetch.ts";

export interface Difference {
  readonly request: NodeRequest;
  readonly text: string;
  /** Both responses in full. */
  readonly expected: string;
  readonly got: string;
}

export interface RouteCount {
  requested: number;
  different: number;
}

export interface Comparison {
  readonly routes: ReadonlyMap<string, RouteCount>;
  readonly differences: readonly Difference[];
  /** Routes that only the reference responds on: this node has no such route. */
  readonly absentRoutes: readonly string[];
  /** Requests to which one of the nodes had no time to respond despite all retries. */
  readonly unanswered: number;
}

interface NodeResponse {
  readonly status: number;
  readonly text: string;
}

/** Concurrent requests; more would only slow both nodes down. */
const lanes = 4;
const brokenStatus = 500;
const refusedStatus = 400;
/** The requirements give some members a second name; docs/protocol/rest-api.md 6, rows 1 and 2. */
const deliberate = ["tokenBuybackAddress", "payments"];

/**
 * @param reference URL of the node with the right responses
 * @param node URL of the node to check
 * @param phases run one after the other: requests of a phase may depend on what an earlier one sent
 * @param report called with the number of requests so far
 * @param pausesMs pauses before each retry while a node has too little time
 */
export async function compareNodes(
  reference: string,
  node: string,
  phases: readonly Iterable<NodeRequest>[],
  report: (asked: number) => void,
  pausesMs: readonly number[] = usualPausesMs,
): Promise<Comparison> {
  const routes = new Map<string, RouteCount>();
  const differences: Difference[] = [];
  const answered = { reference: new Set<string>(), node: new Set<string>() };
  const nowhere = await requestWithRetry(node, { route: "", path: "/no/such/path" });
  /** Routes that the node does not seem to have. */
  const strayed = new Set<string>();
  let asked = 0;
  let unanswered = 0;
  const lane = async (queue: Iterator<NodeRequest>): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const request = next.value;
      const { route } = request;
      const answers = await requestBothInTime(reference, node, request, pausesMs);
      if (answers === undefined) {
        unanswered++;
        continue;
      }
      const [expected, got] = answers;
      if (isSuccess(expected)) answered.reference.add(route);
      if (isSuccess(got)) answered.node.add(route);
      if (isSame(got, nowhere) && !isSame(expected, got)) strayed.add(route);
      const count = routes.get(route) ?? { requested: 0, different: 0 };
      routes.set(route, count);
      count.requested++;
      report(++asked);
      const text = differenceOf(expected, got, request);
      if (text === undefined) continue;
      count.different++;
      differences.push({ request: request, text, expected: expected.text, got: got.text });
    }
  };
  for (const questions of phases) {
    const queue = questions[Symbol.iterator]();
    await Promise.all(Array.from({ length: lanes }, () => lane(queue)));
  }
  const absentRoutes = [...new Set([...answered.reference, ...strayed])].filter((route) => !answered.node.has(route));
  return {
    routes,
    differences: differences.filter(({ request: { route } }) => !absentRoutes.includes(route)),
    absentRoutes,
    unanswered,
  };
}

/** Responses of both nodes in time; undefined if one of them never has enough time. */
async function requestBothInTime(
  reference: string,
  node: string,
  request: NodeRequest,
  pausesMs: readonly number[],
): Promise<[NodeResponse, NodeResponse] | undefined> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const answers = await Promise.all([requestWithRetry(reference, request), requestWithRetry(node, request)]).catch(
      (error: unknown) => {
        if (error instanceof NoResponse) return undefined;
        throw error;
      },
    );
    if (answers?.every(({ text }) => !outOfTime.test(text))) return answers;
    if (pauseMs !== undefined) await pause(pauseMs);
  }
  return undefined;
}

function isSame(left: NodeResponse, right: NodeResponse): boolean {
  return left.status === right.status && left.text === right.text;
}

function isSuccess({ status }: NodeResponse): boolean {
  return status >= 200 && status < 300;
}

function differenceOf(expected: NodeResponse, got: NodeResponse, request: NodeRequest): string | undefined {
  const { skipped = [], isWrong, isUnordered = false, momentary, comparedPart = (answer) => answer } = request;
  const json = parsed(comparable(expected.text, momentary));
  if (json !== undefined && isWrong?.(json)) return undefined;
  // A request that breaks the reference (status 500) must be rejected by this node (status 400).
  if (expected.status === brokenStatus) return got.status === refusedStatus ? undefined : `status ${got.status}`;
  if (expected.status !== got.status)
    return `status ${expected.status} expected, got ${got.status}: ${expected.text.slice(0, 200)} | ${got.text.slice(0, 200)}`;
  if (json === undefined)
    return expected.text === got.text ? undefined : `text ${expected.text} expected, got ${got.text}`;
  const own = withoutLeases(parsed(comparable(got.text, momentary)), json);
  const [left, right] = isUnordered ? [inOrder(json), inOrder(own)] : [json, own];
  return left === undefined
    ? undefined
    : findDifference(comparedPart(left), right && comparedPart(right), new Set([...deliberate, ...skipped]));
}

/** Identity hash of an in-memory object of the reference, as part of a text. */
const identityHash = /(?<=ByteString@)[0-9a-f]+/g;

/**
 * The response without parts that depend on the moment, and without the surplus member of a quoted order
 * (docs/protocol/rest-api.md 6).
 */
function comparable(text: string, momentary: RegExp | undefined): string {
  return (momentary === undefined ? text : text.replace(momentary, "0"))
    .replace(/(?<=relative to (?:previous )?block timestamp )\d+/g, "")
    .replace(/(?<=time=)\d+(?= > )/g, "")
    .replaceAll('\\"proofs\\":[],', "")
    .replace(identityHash, "");
}

/**
 * Leases of traces as in the actions, without members that the requirements add (docs/protocol/rest-api.md 6, row 7).
 */
function withoutLeases(json: ParsedJson | undefined, expected: ParsedJson | undefined): ParsedJson | undefined {
  if (Array.isArray(json)) {
    const others = Array.isArray(expected) ? (expected as readonly ParsedJson[]) : [];
    return (json as readonly ParsedJson[]).map((item, index) => withoutLeases(item, others[index]) as ParsedJson);
  }
  if (!isJsonObject(json)) return json;
  const other = isJsonObject(expected) ? expected : {};
  const { recipient, amount, nonce, id, originTransactionId } = json;
  if (id !== undefined && originTransactionId !== undefined && Object.keys(other).join() === "id") return { id };
  if (recipient !== undefined && amount !== undefined && nonce !== undefined && id !== undefined)
    return originTransactionId === undefined ? json : { recipient, amount, nonce, id };
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, withoutLeases(member, other[name]) as ParsedJson]),
  );
}

function parsed(text: string): ParsedJson | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The list sorted by the ids of its items. */
function inOrder(json: ParsedJson | undefined): ParsedJson | undefined {
  if (!Array.isArray(json)) return json;
  const idOf = (item: ParsedJson): string => (isJsonObject(item) ? String(item["id"]) : "");
  return (json as readonly ParsedJson[]).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}

/** Retries once: an idle connection may be closed at the moment of use, and the retry opens a new one. */
async function requestWithRetry(url: string, request: NodeRequest): Promise<NodeResponse> {
  try {
    return await requestOnce(url, request);
  } catch {
    return requestOnce(url, request);
  }
}

class NoResponse extends Error {
  override readonly name = "NoResponse";
}

async function requestOnce(
  url: string,
  { path, method = "GET", headers = {}, body }: NodeRequest,
): Promise<NodeResponse> {
  try {
    const response = await fetch(url + path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new NoResponse(`no answer to ${method} ${url}${path} ${body?.slice(0, 2_000) ?? ""}`, { cause });
  }
}
