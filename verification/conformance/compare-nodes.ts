/** Asks two nodes the same, and tells where they answer differently. */
import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, JsonSyntaxError, type ParsedJson, parseJson } from "../../src/protocol/parse-json.ts";
import { findDifference } from "../json-difference.ts";
import type { NodeRequest } from "./node-requests.ts";
import { outOfTime, usualPausesMs } from "./patient-fetch.ts";

export interface Difference {
  readonly request: NodeRequest;
  readonly text: string;
  /** Both answers in full. */
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
  /** Routes that the node does not have: it never answers them, where the reference does. */
  readonly absentRoutes: readonly string[];
  /** How many questions one of the nodes had no time for, however often it was asked. */
  readonly unanswered: number;
}

interface NodeResponse {
  readonly status: number;
  readonly text: string;
}

/** Requests at once; more only makes both nodes slower. */
const lanes = 4;
const brokenStatus = 500;
const refusedStatus = 400;
/** The requirements name second members for the same things; docs/protocol/rest-api.md 6, rows 1 and 2. */
const deliberate = ["tokenBuybackAddress", "payments"];

/**
 * @param reference whose answers are right
 * @param node whose answers are looked at
 * @param phases one after the other: what a phase asks may depend on what the one before it sent
 * @param report is told the number of answers
 * @param pausesMs how long nodes that had too little time are left alone, each time
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
  /** Routes that the node seems not to have. */
  const strayed = new Set<string>();
  let asked = 0;
  let unanswered = 0;
  const lane = async (queue: Iterator<NodeRequest>): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const question = next.value;
      const { route } = question;
      const answers = await requestBothInTime(reference, node, question, pausesMs);
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
      const text = differenceOf(expected, got, question);
      if (text === undefined) continue;
      count.different++;
      differences.push({ request: question, text, expected: expected.text, got: got.text });
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

/** Both answers, of nodes that had the time for them; undefined where one of them never has. */
async function requestBothInTime(
  reference: string,
  node: string,
  question: NodeRequest,
  pausesMs: readonly number[],
): Promise<[NodeResponse, NodeResponse] | undefined> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const answers = await Promise.all([requestWithRetry(reference, question), requestWithRetry(node, question)]).catch(
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

function differenceOf(expected: NodeResponse, got: NodeResponse, question: NodeRequest): string | undefined {
  const { skipped = [], isWrong, isUnordered = false, momentary, comparedPart = (answer) => answer } = question;
  const json = parsed(comparable(expected.text, momentary));
  if (json !== undefined && isWrong?.(json)) return undefined;
  // What the reference breaks on, the node refuses.
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

/** Of an object of the reference's in memory, as part of a text. */
const identityHash = /(?<=ByteString@)[0-9a-f]+/g;

/**
 * The answer without what depends on the moment, and without what a quoted order has too much
 * (docs/protocol/rest-api.md 6).
 */
function comparable(text: string, momentary: RegExp | undefined): string {
  return (momentary === undefined ? text : text.replace(momentary, "0"))
    .replace(/(?<=relative to (?:previous )?block timestamp )\d+/g, "")
    .replace(/(?<=time=)\d+(?= > )/g, "")
    .replaceAll('\\"proofs\\":[],', "")
    .replace(identityHash, "");
}

/** Leases of traces as the actions say them, without what the requirements add (docs/protocol/rest-api.md 6, row 7). */
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

/** A list by the ids of its items. */
function inOrder(json: ParsedJson | undefined): ParsedJson | undefined {
  if (!Array.isArray(json)) return json;
  const idOf = (item: ParsedJson): string => (isJsonObject(item) ? String(item["id"]) : "");
  return (json as readonly ParsedJson[]).toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}

/** A connection that was left alone too long may be closed at the moment it is used: the second time there is another. */
async function requestWithRetry(url: string, question: NodeRequest): Promise<NodeResponse> {
  try {
    return await requestOnce(url, question);
  } catch {
    return requestOnce(url, question);
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
    const answer = await fetch(url + path, { method, headers: { ...headers }, ...(body !== undefined && { body }) });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    throw new NoResponse(`no answer to ${method} ${url}${path} ${body?.slice(0, 2_000) ?? ""}`, { cause });
  }
}
