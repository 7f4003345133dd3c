/** Relation of the node's response to the recorded one. */
import { isJsonObject } from "../../../src/protocol/parse-json.ts";
import type { TestNode } from "../test-node.ts";
import { findPage, findPageDifference, type PlacesInChain } from "./account-pages.ts";
import { findAnswerDifference, findJson } from "./answer-difference.ts";
import { type Answer, answerOf, type Exchange } from "./exchange.ts";
import { withLaterFeatures } from "./later-features.ts";

/**
 * - `no route`: the node has none for this request, or reports it as not built.
 * - `later page`: as in the whole list, see `account-pages.ts`.
 * - `later features`: with features newer than the recorded release, see `later-features.ts`.
 * - `compiled`: a script of library 9, which the recorded release did not have.
 * - `400 with error 1`: this node's status and error for a failure of the reference.
 */
export type Judgement =
  | "as recorded"
  | "different"
  | "no route"
  | "later page"
  | "compiled"
  | "later features"
  | `${number} with error ${bigint}`;

export interface Verdict {
  readonly judgement: Judgement;
  /** From the recorded response, as a message. */
  readonly difference?: string;
}

export async function judge(node: TestNode, exchange: Exchange, places: PlacesInChain): Promise<Verdict> {
  const page = findPage(exchange, places);
  if (page !== undefined) {
    return verdict("later page", await findPageDifference(node, exchange, page, places));
  }
  const answer = await answerOf(node, exchange);
  const later = withLaterFeatures(exchange);
  if (later !== undefined) return verdict("later features", findAnswerDifference(later, answer));
  const difference = findAnswerDifference(exchange, answer);
  if (difference !== undefined && isLaterLibrary(exchange)) return compiledVerdict(answer, difference);
  if (difference !== undefined && isNoRoute(answer)) return { judgement: "no route", difference };
  return exchange.status === 500 ? refusal(answer) : verdict("as recorded", difference);
}

function verdict(judgement: Judgement, difference: string | undefined): Verdict {
  return difference === undefined ? { judgement } : { judgement: "different", difference };
}

const laterLibrary = "STDLIB_VERSION 9 ";
/** Start of such a script in base64, from its first byte. */
const scriptOfLaterLibrary = "base64:CQ";

function isLaterLibrary({ path, body }: Exchange): boolean {
  return path.startsWith("/utils/script/compile") && body?.includes(laterLibrary) === true;
}

function compiledVerdict({ status, text }: Answer, difference: string): Verdict {
  const json = findJson(text);
  const isCompiled = status === 200 && isJsonObject(json) && String(json["script"]).startsWith(scriptOfLaterLibrary);
  return isCompiled ? { judgement: "compiled" } : { judgement: "different", difference };
}

/** Whether the node has no such route, or has not built it. */
function isNoRoute({ status, contentType }: Answer): boolean {
  return status === 501 || ((status === 404 || status === 405) && contentType?.startsWith("text/plain") === true);
}

/** The catalogue error in a response to a request that the reference fails on. */
function refusal({ status, text }: Answer): Verdict {
  const json = findJson(text);
  const difference = `the reference broke, got ${status} ${text.slice(0, 200)}`;
  if (!isJsonObject(json) || typeof json["error"] !== "bigint" || typeof json["message"] !== "string") {
    return { judgement: "different", difference };
  }
  return { judgement: `${status} with error ${json["error"]}`, difference };
}
